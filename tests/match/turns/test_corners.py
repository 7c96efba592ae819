"""Cases that the booklets leave open and the wire contract settles, one test for each."""

import pytest

from tests.match.story import tally
from tests.match.table import (
    broken,
    challenge,
    counts,
    draw,
    first,
    flags,
    names,
    owing,
    passes,
    play,
    shows,
    small,
    start,
    told,
)

GREEN = ["green-1", "green-2", "green-3", "green-4", "green-6", "green-7"]
RED = ["red-1", "red-2", "red-3", "red-4", "red-6", "red-7"]
misplay = told("misplay_called", by="ann")


class TestTurns:
    @pytest.mark.clause("X-TURN")
    def test_a_move_out_of_turn(self):
        match = start("basic")
        for move in (play("cy", "red-1"), draw("cy"), passes("cy")):
            assert broken(match.refuses(move)) == ["X-TURN"]
        match.when(play("cy", "red-1", as_played=True)).then(turn="di", violations=1)

    @pytest.mark.clause("M-NO-STACK", "B-NO-STACK", "D-NO-STACK", "H-NO-STACK", "C-NO-STACK")
    @pytest.mark.parametrize("edition", ["mario", "basic", "mickey", "hello-kitty", "classic-2025"])
    def test_a_card_laid_on_a_penalty(self, edition):
        match = start(edition).when(play("bo", "red-draw-two"))
        letter = match.state.edition.letter
        for card in ("red-draw-two", "green-9"):
            assert broken(match.refuses(play("cy", card))) == [f"{letter}-NO-STACK"]

    @pytest.mark.clause("B-DRAW", "M-DRAW", "X-RESHUFFLE-WHEN")
    def test_a_pass_without_a_draw_and_a_draw_of_two(self):
        match = start("basic")
        assert broken(match.refuses(passes("bo"))) == ["B-DRAW"]
        assert broken(match.refuses(draw("bo", 2))) == ["B-DRAW"]
        match = match.when(draw("bo"))
        assert broken(match.refuses(draw("bo"))) == ["B-DRAW"]
        match.when(passes("bo")).then(turn="cy")

    @pytest.mark.clause("B-DRAW")
    def test_a_pass_is_written_after_a_draw_once_another_player_acts(self):
        match = start("basic").when(draw("bo")).then(turn="bo").when(draw("cy"))
        assert match.types == ["turn_passed", "cards_drawn"]
        match = match.then(turn="cy").when(passes("cy"), play("di", "red-1"))
        assert [entry.inferred for entry in match.added] == [False, False]

    @pytest.mark.clause("M-KEEP", "B-KEEP", "D-KEEP", "H-KEEP", "C-KEEP")
    @pytest.mark.parametrize("edition", ["mario", "basic", "mickey", "hello-kitty", "classic-2025"])
    def test_another_card_of_the_hand_after_a_draw(self, edition):
        match = start(edition, 4, {"bo": [*GREEN, "red-1"]}).when(draw("bo", cards=["red-9"]))
        letter = match.state.edition.letter
        assert broken(match.refuses(play("bo", "red-1"))) == [f"{letter}-KEEP"]
        match.when(play("bo", "red-9")).then(turn="cy")


class TestCalls:
    @pytest.mark.clause("B-UNO", "X-UNO")
    def test_a_catch_that_misses_costs_nothing(self):
        match = small("basic", 3, {"bo": ["red-1", "red-2"]})
        caught = told("uno_caught", player="bo", by="cy")
        missed = match.when(caught)
        assert (owing(missed), flags(missed)) == ([], [])
        called = match.when(play("bo", "red-1", uno=True), caught)
        assert (owing(called), flags(called)) == ([], [])
        late = match.when(play("bo", "red-1"), play("cy", "red-3"), caught)
        assert (owing(late), flags(late)) == ([], [])
        hit = match.when(play("bo", "red-1"), caught)
        assert (owing(hit), flags(hit)) == ([("bo", 2, "B-UNO")], ["B-UNO"])

    @pytest.mark.clause("X-UNO", "B-UNO")
    def test_a_call_with_three_cards_in_hand_says_nothing_of_the_last(self):
        match = small("basic", 2, {"bo": ["red-1", "red-2", "red-3"], "ann": ["red-4", "red-6"]})
        match = match.when(play("bo", "red-1", uno=True), play("ann", "red-4"))
        match = match.when(play("bo", "red-2"), told("uno_caught", player="bo", by="ann"))
        assert owing(match) == [("bo", 2, "B-UNO")]

    @pytest.mark.clause("H-SWAP", "X-UNO")
    def test_after_an_exchange_whoever_holds_one_card_has_to_call(self):
        hands = {"ann": ["red-1"], "bo": ["swap-hands", "red-2", "red-3"], "cy": ["red-4"]}
        match = small("hello-kitty", 3, hands).when(play("bo", "swap-hands", "red", uno=False))
        assert flags(match) == ["H-UNO"]
        assert counts(match) == {"ann": 2, "bo": 1, "cy": 1}
        match = match.when(*(told("uno_caught", player=p, by="ann") for p in ("bo", "cy")))
        assert owing(match) == [("bo", 2, "H-UNO"), ("cy", 2, "H-UNO")]

    @pytest.mark.clause("B-UNO")
    def test_uno_known_not_to_be_called_is_flagged_once(self):
        match = small("basic", 3, {"bo": ["red-1", "red-2"]}).when(play("bo", "red-1", uno=False))
        assert flags(match) == ["B-UNO"]
        assert flags(match.when(told("uno_caught", player="bo", by="cy"))) == []

    @pytest.mark.clause("C-UNO", "M-UNO")
    @pytest.mark.parametrize(("edition", "owed"), [("classic-2025", []), ("mario", ["bo"])])
    def test_a_draw_begins_the_turn_in_one_booklet_only(self, edition, owed):
        match = small(edition, 3, {"bo": ["red-1", "red-2"]})
        match = match.when(play("bo", "red-1"), draw("cy"))
        match = match.when(told("uno_caught", player="bo", by="cy"))
        assert [player for player, _, _ in owing(match)] == owed

    @pytest.mark.clause("B-ADVICE", "H-ACCUSE")
    def test_advice_and_accusations_cost_cards_and_no_turn(self):
        advised = start("basic").when(told("advice_called", player="di", by="ann")).then(turn="bo")
        assert owing(advised) == [("di", 4, "B-ADVICE")]
        accused = start("hello-kitty").when(told("accusation_made", by="di", player="bo"))
        assert owing(accused) == [("di", 2, "H-ACCUSE")]
        assert start("mario").refuses(misplay).reason == "no-misplay-open"
        refused = start("mario").refuses(told("advice_called", player="di", by="ann"))
        assert refused.code == "not-in-edition"


class TestChallenges:
    @pytest.mark.clause("B-CHALLENGE", "M-STAR")
    def test_when_no_challenge_is_open(self):
        match = start("mario").when(play("bo", "wild-draw-four", "blue"))
        late = match.when(draw("cy", 1))
        starred = match.when(play("cy", "super-star", "red"))
        for refusal in (
            match.refuses(challenge("di", guilty=True)),
            late.refuses(challenge("cy", guilty=True)),
            starred.refuses(challenge("cy", guilty=True)),
            start("mario").refuses(challenge("cy", guilty=True)),
        ):
            assert refusal.reason == "no-challenge-open"

    @pytest.mark.clause("M-STAR", "M-UP-DRAW-TWO", "M-DRAW-TWO")
    @pytest.mark.parametrize("turned", ["red-draw-two", "red-5"])
    @pytest.mark.parametrize("told_first", [True, False])
    def test_a_star_answers_a_card_laid_on_a_penalty(self, turned: str, told_first: bool):
        """The draw for the older penalty does not count as an answer to the newer one."""
        match = start("mario", turned=turned)
        if turned == "red-5":
            match = match.when(play("ann", "blue-draw-two", as_played=True))
        match = match.when(play("bo", "green-draw-two", as_played=True))
        if told_first:
            match = match.when(draw("bo", 2))
        match = match.when(play("cy", "super-star", "red")).then(turn="di")
        assert owing(match) == [("bo", 2, "M-STAR")]
        assert counts(match)["bo"] == 8

    @pytest.mark.clause("M-CHALLENGE", "B-CHALLENGE", "D-CHALLENGE", "H-CHALLENGE", "C-CHALLENGE")
    @pytest.mark.parametrize("edition", ["mario", "basic", "mickey", "hello-kitty", "classic-2025"])
    def test_a_draw_for_an_older_penalty_leaves_time_for_a_challenge(self, edition):
        match = start(edition).when(play("bo", "red-draw-two"))
        match = match.when(play("cy", "wild-draw-four", "green", as_played=True))
        letter = match.state.edition.letter
        both = [("cy", 2, f"{letter}-DRAW-TWO"), ("di", 6, f"{letter}-CHALLENGE")]
        assert owing(match.when(challenge("di", guilty=False))) == both
        assert owing(match.when(draw("cy", 2), challenge("di", guilty=False))) == both[1:]

    @pytest.mark.clause("B-CHALLENGE", "B-ADVICE")
    def test_whoever_challenges_in_vain_draws_for_advice_all_the_same(self):
        match = start("basic").when(play("bo", "wild-draw-four", "blue"))
        match = match.when(told("advice_called", player="cy", by="ann"))
        match = match.when(challenge("cy", guilty=False))
        assert owing(match) == [("cy", 4, "B-ADVICE"), ("cy", 6, "B-CHALLENGE")]

    @pytest.mark.clause("M-STAR", "M-NO-STACK")
    def test_a_failed_challenge_forgoes_the_star(self):
        match = start("mario").when(play("bo", "wild-draw-four", "blue"))
        match = match.when(challenge("cy", guilty=False))
        assert owing(match) == [("cy", 6, "M-CHALLENGE")]
        assert broken(match.refuses(play("cy", "super-star", "red"))) == ["M-NO-STACK"]

    @pytest.mark.clause("M-WILD4-LEGAL")
    def test_a_bluff_is_flagged_when_it_is_known_and_only_once(self):
        known = start("mario", 4, {"bo": ["wild-draw-four", *RED]})
        known = known.when(play("bo", "wild-draw-four", "blue"))
        assert flags(known) == ["M-WILD4-LEGAL"]
        assert flags(known.when(challenge("cy"))) == []
        unknown = start("mario").when(play("bo", "wild-draw-four", "blue"))
        assert flags(unknown) == []
        assert unknown.refuses(challenge("cy")).code == "verdict-needed"
        shown = unknown.when(challenge("cy", hand=RED))
        assert flags(shown) == ["M-WILD4-LEGAL"]
        assert sorted(shown.state.hands["bo"].known) == sorted(RED)
        assert flags(unknown.when(challenge("cy", guilty=True))) == ["M-WILD4-LEGAL"]

    @pytest.mark.clause("M-CHALLENGE", "B-CHALLENGE", "D-CHALLENGE", "H-CHALLENGE", "C-CHALLENGE")
    @pytest.mark.breach("M-CHALLENGE", "B-CHALLENGE", "D-CHALLENGE", "H-CHALLENGE", "C-CHALLENGE")
    @pytest.mark.parametrize("edition", ["mario", "basic", "mickey", "hello-kitty", "classic-2025"])
    def test_a_verdict_against_the_cards(self, edition):
        match = start(edition, 4, {"bo": ["wild-draw-four", *RED]})
        match = match.when(play("bo", "wild-draw-four", "red"))
        clause = f"{match.state.edition.letter}-CHALLENGE"
        assert broken(match.refuses(challenge("cy", guilty=False))) == [clause]
        match = match.when(challenge("cy", guilty=False, as_played=True))
        assert (flags(match), owing(match)) == ([clause], [("cy", 6, clause)])

    @pytest.mark.clause("B-CHALLENGE", "B-WILD4-LEGAL")
    def test_a_table_that_finds_the_innocent_guilty_shows_no_bluff(self):
        match = start("basic", 4, {"bo": ["wild-draw-four", *GREEN]})
        match = match.when(play("bo", "wild-draw-four", "blue"))
        match = match.when(challenge("cy", guilty=True, as_played=True)).then(turn="cy")
        assert flags(match) == ["B-CHALLENGE"]
        assert owing(match) == [("bo", 4, "B-CHALLENGE")]

    @pytest.mark.clause("H-CHALLENGE", "M-CHALLENGE")
    @pytest.mark.parametrize(
        ("edition", "owed"),
        [
            ("hello-kitty", [("bo", 4, "H-CHALLENGE")]),
            ("mario", [("bo", 2, "M-UNO"), ("bo", 4, "M-CHALLENGE")]),
        ],
    )
    def test_what_a_king_taken_back_had_cost_for_a_forgotten_uno_lapses(self, edition, owed):
        match = small(edition, 3, {"bo": ["wild-draw-four", "red-2"]})
        match = match.when(play("bo", "wild-draw-four", "blue"))
        match = match.when(told("uno_caught", player="bo", by="ann"), challenge("cy"))
        assert owing(match) == owed

    @pytest.mark.clause("B-CHALLENGE", "B-ADVICE")
    @pytest.mark.parametrize("drawn", [[], ["green-1", "green-2"]])
    def test_a_hand_is_shown_without_what_was_drawn_since(self, drawn):
        match = start("basic").when(play("bo", "wild-draw-four", "blue"))
        match = match.when(told("advice_called", player="bo", by="ann"))
        match = match.when(draw("bo", 4, cards=drawn), challenge("cy", hand=RED))
        hand = match.state.hands["bo"]
        assert (hand.known, hand.unknown) == ((*RED, *drawn), 4 - len(drawn))


class TestMisplays:
    @pytest.mark.clause("B-MISPLAY", "H-MISPLAY", "X-MISPLAY")
    @pytest.mark.parametrize(
        ("edition", "debts", "turn"),
        [
            ("basic", [("bo", 1, "B-MISPLAY")], "cy"),
            ("hello-kitty", [("bo", 2, "H-MISPLAY")], "cy"),
            ("mario", [], "bo"),
        ],
    )
    def test_taken_back_with_all_its_effects(self, edition, debts, turn):
        match = start(edition).when(play("bo", "green-draw-two", as_played=True)).then(turn="di")
        match = match.when(misplay).then(turn=turn, top_card="red-5", color="red")
        assert owing(match) == debts
        assert counts(match) == {"ann": 7, "bo": 7, "cy": 7, "di": 7}
        assert match.state.hands["bo"].known == ("green-draw-two",)

    @pytest.mark.clause("X-MISPLAY-WHEN", "X-TURN", "B-MISPLAY")
    def test_a_play_out_of_turn_is_one_even_if_it_matches(self):
        match = start("basic").when(play("di", "red-1", as_played=True)).then(turn="ann")
        match = match.when(misplay).then(turn="bo", top_card="red-5")
        assert owing(match) == [("di", 1, "B-MISPLAY")]

    @pytest.mark.clause("H-MISPLAY", "H-SWAP", "X-TURN")
    def test_an_exchange_is_taken_back_with_what_is_known_of_each_hand(self):
        hands = {"ann": ["red-1"], "bo": ["red-2", "red-3"], "cy": ["red-4"]}
        match = small("hello-kitty", 4, hands).when(play("di", "swap-hands", "red", as_played=True))
        match = match.when(misplay)
        held = {player: hand.known for player, hand in match.state.hands.items()}
        assert held == {
            "ann": ("red-1",),
            "bo": ("red-2", "red-3"),
            "cy": ("red-4",),
            "di": ("swap-hands",),
        }

    @pytest.mark.clause("X-MISPLAY-WHEN", "B-WILD4-BLUFF")
    def test_too_late_or_on_a_legal_play_or_on_a_bluff(self):
        legal = start("basic").when(play("bo", "red-1"))
        late = start("basic").when(play("bo", "green-1", as_played=True), play("cy", "green-2"))
        bluff = start("basic", 4, {"bo": ["wild-draw-four", *RED]})
        bluff = bluff.when(play("bo", "wild-draw-four", "blue"))
        for match in (legal, late, bluff):
            assert match.refuses(misplay).reason == "no-misplay-open"


class TestColors:
    @pytest.mark.clause("B-WILD")
    def test_what_presupposes_a_colour(self):
        match = start("basic").when(play("bo", "wild")).then(color_pending="bo", turn="cy")
        for move in (play("cy", "red-1"), draw("cy"), passes("cy")):
            assert match.refuses(move).reason == "color-needed"
        assert match.refuses(names("cy", "red")).reason == "not-their-color"
        match.when(names("bo", "red"), play("cy", "red-1"))

    @pytest.mark.clause("B-WILD", "X-LAST")
    def test_a_colour_where_none_is_open(self):
        match = start("basic", 4, {"bo": ["red-1"]})
        assert match.refuses(play("bo", "red-1", "blue")).code == "color-not-open"
        assert match.refuses(names("bo", "blue")).code == "color-not-open"
        refused = match.refuses(play("bo", "wild", "pink"))
        assert refused.reason == "color-not-in-edition"
        colors = ("red", "yellow", "green", "blue")
        assert refused.facts == {"color": "pink", "colors": colors}
        last = small("basic", 3, {"bo": ["wild"]})
        last.when(play("bo", "wild", "blue")).then(phase="showing_hands", color_pending=None)
        last.when(play("bo", "wild")).then(phase="showing_hands", color_pending=None)

    def test_what_presupposes_a_first_card(self):
        match = start("basic", turned=None)
        assert match.refuses(play("bo", "red-1")).reason == "card-needed"
        assert match.refuses(names("bo", "red")).code == "color-not-open"
        assert match.refuses(first("pink-1")).reason == "card-not-in-box"
        assert match.refuses(first("red-1", color="red")).code == "color-not-open"


class TestEnds:
    @pytest.mark.clause("X-COUNT", "M-POINTS", "B-POINTS", "D-POINTS", "H-POINTS", "C-POINTS")
    @pytest.mark.breach("X-COUNT", "M-POINTS", "B-POINTS", "D-POINTS", "H-POINTS", "C-POINTS")
    @pytest.mark.parametrize("edition", ["mario", "basic", "mickey", "hello-kitty", "classic-2025"])
    def test_hands_of_another_size_or_value_than_the_books(self, edition):
        match = small(edition, 3, {"bo": ["red-1"], "cy": ["wild"]}, mode="lowest-total")
        match = match.when(play("bo", "red-1")).then(awaiting_hands=("ann",))
        assert broken(match.refuses(shows("ann", "red-2"))) == ["X-COUNT"]
        counted = told("hand_counted", player="cy", points=9)
        assert broken(match.refuses(counted)) == [f"{match.state.edition.letter}-POINTS"]
        match.when(told("hand_counted", player="ann", points=20, cards_left=7)).then(phase="ready")

    @pytest.mark.clause("B-POINTS")
    def test_what_seven_cards_that_nobody_lists_can_be_worth(self):
        """At most 350: seven wilds, since cy holds the eighth."""
        match = small("basic", 3, {"bo": ["red-1"], "cy": ["wild"]}).when(play("bo", "red-1"))
        for points, reason in ((-1, "points-negative"), (351, "points-impossible")):
            refused = match.refuses(told("hand_counted", player="ann", points=points))
            assert (refused.reason, refused.facts["points"]) == (reason, points)
        match.when(told("hand_counted", player="ann", points=350)).then(phase="ready")

    @pytest.mark.clause("X-COUNT")
    def test_a_winner_without_cards_and_hands_as_points_contradict_nothing(self):
        match = start("basic", 3).when(tally("bo", ann=30, cy=(40, 2))).then(phase="ready")
        match.then_scores(ann=30, bo=0, cy=40)
        listed = tally("bo", ann=["red-1"], cy=1)
        assert broken(start("basic", 3).refuses(listed)) == ["X-COUNT"]

    def test_a_round_that_is_not_dealt_again_passes_the_deal_on(self):
        match = start("basic", 3).when(told("round_voided", reason="late", redealt=False))
        match.then(dealer="bo", phase="ready")

    @pytest.mark.clause("C-LAST", "C-FIRST-OUT")
    def test_where_hands_do_not_count_the_last_draw_is_written_at_once(self):
        match = small("classic-2025", 2, {"bo": ["red-draw-two"]}).when(play("bo", "red-draw-two"))
        assert match.types == ["card_played", "cards_drawn", "round_ended", "match_won"]
        match.then(winners=("bo",), totals={"ann": 0, "bo": 0})
        match = small("classic-2025", 2, {"bo": ["red-draw-two"]})
        match = match.when(play("bo", "red-draw-two"), draw("ann", 2))
        assert [entry.inferred for entry in match.added] == [False, False, True, True]

    @pytest.mark.clause("H-ELIMINATION")
    def test_whoever_is_eliminated_by_a_catch_is_out_at_once_and_owes_nothing(self):
        match = small("basic", 3, {"bo": ["red-1", "red-2"]}, mode="elimination", target=1)
        match = match.when(play("bo", "red-1"), told("uno_caught", player="bo", by="cy"))
        match.then(eliminated=("bo",), pending=(), turn="cy")
        assert match.refuses(play("bo", "red-2")).reason == "player-eliminated"
        match = match.when(play("cy", "red-7")).then(turn="ann")

    @pytest.mark.clause("H-ELIMINATION")
    def test_a_catch_needs_the_points_of_an_unknown_hand(self):
        match = small("basic", 3, {"bo": ["red-1", "red-2"]}, mode="elimination")
        match = match.when(told("round_voided", reason="again", redealt=True))
        match = match.when(told("round_started", dealer="ann"), first("red-5"))
        match = match.when(play("bo", "wild-draw-four", "red"))
        refused = match.refuses(challenge("cy", guilty=True))
        assert refused.code == "points-needed"
        match = match.when(challenge("cy", guilty=True, points=60)).then(turn="cy")
        match.then_totals(ann=0, bo=60, cy=0)


@pytest.mark.clause("B-DRAW-TWO", "B-UNO", "B-TWO")
def test_debts_are_paid_in_parts_or_by_what_was_played():
    match = start("basic").when(play("bo", "red-draw-two"), draw("cy", 1))
    assert owing(match) == [("cy", 1, "B-DRAW-TWO")]
    assert broken(match.refuses(draw("cy", 2))) == ["B-DRAW"]
    settled = start("basic").when(play("bo", "red-draw-two"), draw("cy", 1, as_played=True))
    assert owing(settled) == []


@pytest.mark.clause("B-ADVICE", "B-DRAW")
@pytest.mark.breach("B-DRAW")
def test_the_card_beyond_a_debt_is_the_own_draw_unless_all_is_told_as_played():
    match = start("basic").when(told("advice_called", player="bo", by="ann"))
    match.when(draw("bo", 5)).then(pending=()).when(passes("bo")).then(turn="cy")
    settled = match.when(draw("bo", 5, as_played=True)).then(pending=())
    assert broken(settled.refuses(passes("bo"))) == ["B-DRAW"]


@pytest.mark.clause("B-TWO", "X-TWO")
def test_a_reverse_of_two_players_leaves_the_direction_alone():
    for edition in ("basic", "mario"):
        match = start(edition, 2).when(play("bo", "red-reverse"))
        match.then(turn="bo", direction="clockwise")
