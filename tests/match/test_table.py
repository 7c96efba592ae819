"""Dealers, seats, substitutes and voids: everything about a match but its scores."""

import pytest

from scorekeeper.match.events.events import (
    DealerDrawn,
    MatchAbandoned,
    MatchClosed,
    NoteAdded,
    PlayerSubstituted,
    RoundStarted,
    RoundVoided,
    SeatsChanged,
)
from scorekeeper.projections.scoreboard import rounds
from tests.match.story import TEAMS_OF_FOUR, given, out, sheet, tally
from tests.match.table import play, small

AGAIN = RoundVoided(reason="misdeal", redealt=True)
COUNTED = RoundVoided(reason="bedtime", redealt=False)


def drawn(**draws):
    return DealerDrawn(draws=draws)


class TestDrawForTheDeal:
    @pytest.mark.clause("M-DEALER", "D-DEALER", "H-DEALER")
    @pytest.mark.parametrize("edition", ["mario", "hello-kitty"])
    def test_the_highest_number_deals_and_lettered_cards_count_as_zero(self, edition):
        given(edition, 3).when(drawn(ann="red-3", bo="red-9", cy="wild")).then(dealer="bo")
        tied = given(edition, 3).when(drawn(ann="red-0", bo="red-skip", cy="wild"))
        tied.then(dealer=None).when(drawn(ann="red-1", bo="blue-2", cy="wild")).then(dealer="bo")

    @pytest.mark.clause("B-DEALER")
    def test_in_basic_a_zero_beats_a_lettered_card(self):
        given("basic", 3).when(drawn(ann="red-0", bo="red-skip", cy="wild")).then(dealer="ann")

    @pytest.mark.clause("B-DEALER")
    def test_in_basic_all_draw_again_when_all_drew_letters(self):
        match = given("basic", 2).when(drawn(ann="red-skip", bo="wild")).then(dealer=None)
        match.when(drawn(ann="red-0", bo="wild")).then(dealer="ann")

    @pytest.mark.clause("C-DEALER")
    def test_a_table_that_chooses_freely_may_choose_by_drawing(self):
        given("classic-2025", 2).when(drawn(ann="red-1", bo="red-2")).then(dealer="bo")
        given("classic-2025", 2, dealer="ann").then(dealer="ann")

    @pytest.mark.clause("X-DEALER-TIE")
    def test_only_the_tied_draw_again(self):
        match = given("mickey", 3).when(drawn(ann="pink-9", bo="red-9", cy="red-1"))
        assert match.refuses(drawn(ann="red-1", bo="red-2", cy="red-3")).facts == {
            "players": ("ann", "bo", "cy"),
            "awaited": ("ann", "bo"),
        }
        match.when(drawn(ann="red-1", bo="red-2")).then(dealer="bo")

    def test_what_cannot_have_been_drawn(self):
        match = given("basic", 2)
        assert match.refuses(drawn(ann="red-1")).reason == "draws-invalid"
        assert match.refuses(drawn(ann="red-1", zoe="red-2")).reason == "player-not-in-match"
        assert match.refuses(drawn(ann="red-1", bo="pink-2")).reason == "card-not-in-box"
        assert match.refuses(drawn(ann="red-0", bo="red-0")).reason == "too-many-of-card"
        later = match.when(tally("ann", bo=1))
        assert later.refuses(drawn(ann="red-1", bo="red-2")).reason == "wrong-phase"


class TestNextDealer:
    @pytest.mark.clause("X-NEXT-DEALER")
    @pytest.mark.parametrize("edition", ["mario", "basic", "mickey", "classic-2025"])
    def test_the_deal_passes_to_the_left(self, edition):
        match = given(edition, 3, "lowest-total", dealer="bo").when(tally("ann", bo=1, cy=1))
        match.then(dealer="cy").when(tally("ann", bo=1, cy=1)).then(dealer="ann")

    @pytest.mark.clause("H-NEXT-DEALER")
    def test_the_winner_deals(self):
        match = given("hello-kitty", 3).when(tally("cy", ann=1, bo=1)).then(dealer="cy")
        match.when(tally("bo", ann=1, cy=1)).then(dealer="bo")

    @pytest.mark.clause("H-NEXT-DEALER", "X-JOINT")
    def test_of_joint_winners_the_first_from_the_dealers_left(self):
        told = tally("ann", "cy", bo=1, di=1, as_played=True)
        given("hello-kitty", 4, dealer="bo").when(told).then(dealer="cy")
        given("hello-kitty", 4, dealer="di").when(told).then(dealer="ann")
        given("hello-kitty", 4).when(told).then(dealer="ann")

    @pytest.mark.clause("X-NEXT-DEALER")
    def test_the_deal_passes_to_the_left_whatever_the_direction_of_play(self):
        hands = {"bo": ["red-reverse", "red-1"]}
        match = small("basic", 3, hands, mode="first-out", rounds=3)
        match = match.when(play("bo", "red-reverse", uno=True), play("ann", "red-2"))
        match.when(play("cy", "red-3"), play("bo", "red-1")).then(phase="ready", dealer="bo")

    def test_a_told_dealer_prevails(self):
        match = given("basic", 3, dealer="ann").when(tally("ann", bo=1, cy=1, dealer="cy"))
        match.then(dealer="ann")
        assert [dealt.dealer for dealt in rounds(match.state)] == ["cy"]
        match.when(RoundStarted(dealer="bo")).then(dealer="bo", round=2)

    def test_a_dealer_nobody_knows_stays_unknown(self):
        match = given("basic", 3).when(tally("ann", bo=1, cy=1)).then(dealer=None)
        assert match.refuses(RoundStarted()).code == "dealer-needed"

    @pytest.mark.clause("H-ELIMINATION", "X-NEXT-DEALER")
    def test_whoever_is_out_is_passed_over(self):
        match = given("basic", 4, "elimination", dealer="ann")
        match.when(sheet("ann", ann=0, bo=501, cy=1, di=1)).then(dealer="cy", eliminated=("bo",))


class TestPlannedSeats:
    PLAN = (
        {"players": ["ann", "bo", "cy", "di"], "dealer": "ann"},
        {"players": ["ann", "di", "cy", "bo"], "dealer": "cy"},
    )

    def planned(self, **fields):
        return given("basic", 4, teams=TEAMS_OF_FOUR, seating=self.PLAN, **fields)

    def test_seats_and_dealer_follow_the_plan_and_then_the_clause(self):
        match = self.planned().then(dealer="ann")
        match = match.when(tally("ann", bo=1, cy=1, di=1))
        match.then(players=("ann", "di", "cy", "bo"), dealer="cy")
        match.when(tally("ann", bo=1, cy=1, di=1)).then(dealer="bo")

    def test_what_the_table_tells_prevails_for_that_round(self):
        self.planned(dealer="di").then(dealer="di")
        match = self.planned().when(SeatsChanged(players=("bo", "ann", "di", "cy")))
        match.then(players=("bo", "ann", "di", "cy"), dealer="ann")
        match.when(tally("ann", bo=1, cy=1, di=1)).then(players=("ann", "di", "cy", "bo"))

    @pytest.mark.clause("H-ELIMINATION", "X-NEXT-DEALER")
    def test_the_deal_of_whoever_is_out_passes_to_the_left(self):
        match = given("basic", 4, "elimination", target=40, seating=self.PLAN)
        match = match.when(tally("ann", bo=50, cy=60, di=1)).then(eliminated=("bo", "cy"))
        match.then(players=("ann", "di", "cy", "bo"), dealer="ann")
        match.when(RoundStarted()).then(phase="turning", dealer="ann")

    def test_a_redealt_round_keeps_its_seats(self):
        match = self.planned().when(RoundStarted(), AGAIN)
        match.then(dealer="ann", players=("ann", "bo", "cy", "di"))
        match.when(RoundStarted(), COUNTED).then(dealer="cy", players=("ann", "di", "cy", "bo"))


class TestSeats:
    def test_a_new_seating_decides_who_sits_left_of_the_dealer(self):
        match = given("basic", 3, dealer="ann").when(SeatsChanged(players=("ann", "cy", "bo")))
        match.then(players=("ann", "cy", "bo"))
        match.when(tally("ann", bo=1, cy=1)).then(dealer="cy")

    @pytest.mark.parametrize(
        ("players", "reason"),
        [
            (("ann", "bo"), "seats-invalid"),
            (("ann", "bo", "bo"), "seats-invalid"),
            (("ann", "bo", "zoe"), "player-not-in-match"),
        ],
    )
    def test_only_the_same_players_sit_down(self, players, reason):
        assert given("basic", 3).refuses(SeatsChanged(players=players)).reason == reason

    @pytest.mark.clause("B-TEAM", "X-TEAM")
    def test_partners_keep_facing_each_other(self):
        match = given("basic", 4, teams=TEAMS_OF_FOUR)
        match.when(SeatsChanged(players=("bo", "cy", "di", "ann")))
        refusal = match.refuses(SeatsChanged(players=("ann", "cy", "bo", "di")))
        assert refusal.code == "teams-not-opposite"


class TestSubstitutes:
    def test_the_column_counts_and_the_round_says_who_sat_there(self):
        match = given("basic", 3).when(PlayerSubstituted(player="bo", substitute="zoe"))
        match = match.when(tally("ann", bo=9, cy=1)).then_totals(ann=0, bo=9, cy=1)
        match = match.when(PlayerSubstituted(player="bo", substitute="bo"))
        match = match.when(tally("ann", bo=9, cy=1))
        assert [dealt.substitutes for dealt in rounds(match.state)] == [{"bo": "zoe"}, {}]

    def test_a_substitute_comes_from_outside(self):
        match = given("basic", 3).when(PlayerSubstituted(player="bo", substitute="zoe"))
        for player, substitute in (
            ("cy", "ann"),
            ("cy", "zoe"),
            ("cy", "bo"),
            ("cy", "cy"),
            ("bo", "zoe"),
        ):
            told = PlayerSubstituted(player=player, substitute=substitute)
            assert match.refuses(told).reason == "substitute-in-match"
        told = PlayerSubstituted(player="yan", substitute="xu")
        assert match.refuses(told).reason == "player-not-in-match"
        match.when(PlayerSubstituted(player="bo", substitute="yan"))

    def test_nobody_sits_in_for_a_player_who_is_out(self):
        match = given("basic", 3, "elimination").when(sheet("ann", ann=0, bo=501, cy=1))
        told = PlayerSubstituted(player="bo", substitute="zoe")
        assert match.refuses(told).reason == "player-eliminated"


class TestDealtRounds:
    @pytest.mark.clause("M-DEAL", "B-DEAL", "D-DEAL", "H-DEAL", "C-DEAL")
    @pytest.mark.parametrize(
        ("edition", "clause"),
        [
            ("mario", "M"),
            ("basic", "B"),
            ("mickey", "D"),
            ("hello-kitty", "H"),
            ("classic-2025", "C"),
        ],
    )
    def test_seven_cards_each_and_more_is_a_violation(self, edition, clause):
        match = given(edition, 3, dealer="ann")
        seven = tuple(f"red-{n}" for n in range(7))
        match.when(RoundStarted(hands={"bo": seven, "cy": ("wild",)})).then(
            phase="turning", hand_counts={"ann": 7, "bo": 7, "cy": 7}, violations=0, round=1
        )
        eight = RoundStarted(hands={"bo": (*seven, "wild")})
        (violation,) = match.refuses(eight).violations
        assert violation.clause == f"{clause}-DEAL"
        assert violation.facts == {"player": "bo", "cards": 8, "hand_size": 7}
        told = RoundStarted(hands={"bo": (*seven, "wild")}, as_played=True)
        match.when(told).then(violations=1, hand_counts={"ann": 7, "bo": 8, "cy": 7})

    def test_the_pile_is_what_was_not_dealt(self):
        match = given("basic", 2, dealer="ann").when(RoundStarted()).then(draw_pile_count=94)
        assert match.refuses(RoundStarted()).reason == "wrong-phase"

    @pytest.mark.parametrize(
        ("told", "reason"),
        [
            (RoundStarted(dealer="zoe"), "player-not-in-match"),
            (RoundStarted(dealer="ann", hands={"zoe": ()}), "player-not-in-match"),
            (RoundStarted(dealer="ann", hands={"bo": ("pink-1",)}), "card-not-in-box"),
            (
                RoundStarted(dealer="ann", hands={"ann": ("red-0",), "bo": ("red-0",)}),
                "too-many-of-card",
            ),
            (
                RoundStarted(dealer="ann", hands={"ann": ("red-0",)}, draw_pile=("red-0",)),
                "too-many-of-card",
            ),
            (RoundStarted(dealer="ann", draw_pile=("red-0",)), "draw-pile-not-whole"),
        ],
    )
    def test_what_cannot_have_been_dealt(self, told, reason):
        assert given("basic", 2).refuses(told).reason == reason

    def test_a_pile_is_told_whole(self):
        match = given("basic", 2, dealer="ann")
        box = [card for card, count in match.state.box.counts.items() for _ in range(count)]
        match.when(RoundStarted(draw_pile=tuple(box[14:]))).then(draw_pile_count=94)

    def test_a_pile_is_smaller_by_a_card_dealt_too_many(self):
        match = given("basic", 2, dealer="ann")
        box = [card for card, count in match.state.box.counts.items() for _ in range(count)]
        told = RoundStarted(hands={"bo": tuple(box[:8])}, draw_pile=tuple(box[15:]), as_played=True)
        match.when(told).then(draw_pile_count=93, violations=1)

    def test_whoever_is_out_gets_no_cards(self):
        match = given("basic", 3, "elimination", dealer="ann")
        match = match.when(sheet("ann", ann=0, bo=501, cy=1))
        refusal = match.refuses(RoundStarted(hands={"bo": ("red-1",)}))
        assert refusal.reason == "player-eliminated"
        match.when(RoundStarted()).then(hand_counts={"ann": 7, "cy": 7})

    def test_a_tally_ends_a_round_that_was_begun(self):
        match = given("basic", 2, dealer="ann").when(RoundStarted(), tally("ann", bo=9))
        match.then(round=1, phase="ready", dealer="bo", totals={"ann": 0, "bo": 9})
        (dealt,) = rounds(match.state)
        assert (dealt.first_version, dealt.last_version, dealt.tallied) == (2, 4, True)


class TestVoids:
    def test_dealt_again_by_the_same_dealer_under_a_new_number(self):
        match = given("basic", 3, dealer="bo", rounds=2).when(RoundStarted(), AGAIN)
        match.then(dealer="bo", round=1, phase="ready")
        match = match.when(RoundStarted()).then(round=2, dealer="bo").when(tally("ann", bo=1, cy=1))
        match.then(status="open").when(tally("ann", bo=1, cy=1)).then(status="won")

    def test_not_dealt_again_it_counts_and_the_deal_passes_on(self):
        match = given("hello-kitty", 3, dealer="bo").when(RoundStarted(), COUNTED)
        match.then(dealer="cy", round=1, totals={"ann": 0, "bo": 0, "cy": 0})

    def test_only_a_round_that_is_running_can_be_voided(self):
        match = given("basic", 2)
        assert match.refuses(AGAIN).reason == "wrong-phase"
        assert match.when(tally("ann", bo=1)).refuses(AGAIN).reason == "wrong-phase"

    def test_an_abandoned_round_stays_without_scores(self):
        match = given("basic", 2, dealer="ann").when(RoundStarted(), MatchAbandoned(reason="fire"))
        (dealt,) = rounds(match.state)
        assert (dealt.status, dealt.scores, match.board.status) == ("voided", {}, "abandoned")


def test_between_rounds_means_not_in_one():
    match = given("basic", 2, dealer="ann").when(tally("ann", bo=1)).when(RoundStarted())
    for told in (
        SeatsChanged(players=("bo", "ann")),
        PlayerSubstituted(player="bo", substitute="zoe"),
        MatchClosed(),
        RoundStarted(),
    ):
        refusal = match.refuses(told)
        assert (refusal.reason, refusal.facts["phase"]) == ("wrong-phase", "turning")
    match.when(NoteAdded(text="tea")).then(phase="turning")


def test_a_match_is_closed_after_at_least_one_round():
    match = given("basic", 2, dealer="ann")
    assert match.refuses(MatchClosed()).reason == "no-round-played"
    assert match.when(RoundStarted(), AGAIN).refuses(MatchClosed()).reason == "no-round-played"
    given("classic-2025", 2, rounds=3).when(out("bo"), MatchClosed()).then(winners=("bo",))
