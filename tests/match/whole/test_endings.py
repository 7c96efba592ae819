"""When a match is over, and who has won it."""

import pytest

from scorekeeper.match.events.events import (
    MatchAbandoned,
    MatchClosed,
    NoteAdded,
    RoundStarted,
    RoundVoided,
)
from tests.match.story import TEAMS_OF_FOUR, given, out, sheet, tally

COUNTED = RoundVoided(reason="the cat", redealt=False)


@pytest.mark.clause("M-SCORE", "D-SCORE", "H-SCORE-500", "C-SCORE")
@pytest.mark.parametrize("edition", ["mario", "mickey", "hello-kitty", "classic-2025"])
def test_499_goes_on_and_500_ends(edition):
    match = (
        given(edition, 2, "winner-collects").when(tally("ann", bo=400)).when(tally("ann", bo=99))
    )
    match.then(totals={"ann": 499, "bo": 0}, status="open", phase="ready")
    match = match.when(tally("ann", bo=["red-1"]))
    assert match.types == ["round_tallied", "round_ended", "match_won"]
    match.then(totals={"ann": 500, "bo": 0}, status="won", phase="over", winners=("ann",))


@pytest.mark.clause("B-SCORE")
def test_499_goes_on_and_at_500_the_lowest_wins():
    match = given("basic", 3).when(tally("ann", bo=400, cy=50)).when(tally("cy", bo=99, ann=3))
    match.then(status="open")
    match = match.when(tally("ann", bo=["red-1"], cy=["red-9"]))
    match.then_totals(ann=3, bo=500, cy=59).then(status="won", winners=("ann",))


@pytest.mark.clause("X-TIE")
def test_several_past_the_target_at_once_the_best_total_wins():
    match = (
        given("mickey", 4)
        .when(tally("ann", bo=420, cy=20, di=30))
        .when(tally("bo", ann=200, cy=240, di=50))
    )
    match.then(totals={"ann": 470, "bo": 490, "cy": 0, "di": 0}, status="open")
    match.when(tally("ann", "bo", cy=50, di=20)).then(
        totals={"ann": 540, "bo": 560, "cy": 0, "di": 0}, winners=("bo",)
    )


@pytest.mark.clause("X-TIE")
def test_several_past_the_target_and_the_lowest_still_wins():
    match = given("basic", 3, target=100).when(tally("ann", bo=150, cy=120))
    match.then(status="won", winners=("ann",))


@pytest.mark.clause("X-TIE")
def test_equal_totals_share_the_win():
    match = given("mickey", 3, target=100).when(tally("ann", "bo", cy=100))
    match.then(status="won", winners=("ann", "bo"))


@pytest.mark.clause("B-TEAM")
def test_the_target_is_the_teams_and_both_partners_win():
    match = given("basic", 4, target=100, teams=TEAMS_OF_FOUR)
    match = match.when(tally("ann", bo=50, cy=30, di=49)).then(status="open")
    match.when(tally("cy", ann=10, bo=["red-1"], di=["red-2"])).then(
        totals={"ann": 40, "bo": 102, "cy": 40, "di": 102}, winners=("ann", "cy")
    )


@pytest.mark.clause("H-PLUSMINUS")
def test_after_the_agreed_rounds_the_highest_total_wins():
    match = given("hello-kitty", 3, "plus-minus", rounds=2).when(tally("ann", bo=30, cy=10))
    match = match.then(status="open").when(tally("cy", ann=20, bo=5))
    match.then(totals={"ann": 20, "bo": -35, "cy": 15}, status="won", winners=("ann",))


def test_of_target_and_rounds_whichever_comes_first():
    by_rounds = given("mario", 2, rounds=2).when(tally("ann", bo=1)).when(tally("bo", ann=2))
    by_rounds.then(status="won", winners=("bo",))
    by_target = given("mario", 2, rounds=9).when(tally("ann", bo=400)).when(tally("ann", bo=100))
    by_target.then(status="won", winners=("ann",))


def test_a_target_that_is_switched_off_never_ends_a_match():
    match = given("mario", 2, target=None)
    for _ in range(3):
        match = match.when(tally("ann", bo=400))
    match.then(totals={"ann": 1200, "bo": 0}, status="open")
    match.when(MatchClosed()).then(winners=("ann",))


@pytest.mark.clause("C-FIRST-OUT")
def test_of_several_rounds_of_first_out_most_wins_count():
    match = given("classic-2025", 3, rounds=4)
    for winner in ("ann", "cy", "cy"):
        match = match.when(out(winner)).then(status="open")
    match.when(out("ann")).then(
        status="won", winners=("ann", "cy"), totals={"ann": 0, "bo": 0, "cy": 0}
    )


@pytest.mark.clause("C-FIRST-OUT")
def test_in_first_out_the_team_wins_and_a_joint_win_of_partners_is_one():
    match = given("mickey", 4, "first-out", rounds=3, teams=TEAMS_OF_FOUR)
    match = match.when(out("ann", "cy")).when(out("bo")).when(out("di"))
    match.then(winners=("bo", "di"), rounds_won={"ann": 1, "bo": 1, "cy": 1, "di": 1})


def test_a_closed_match_goes_to_the_best_so_far():
    match = given("basic", 3).when(tally("ann", bo=9, cy=4)).when(tally("bo", ann=8, cy=4))
    match = match.when(MatchClosed(reason="bedtime"))
    assert match.types == ["match_closed", "match_won"]
    match.then(status="won", winners=("ann", "cy"))


def test_an_abandoned_match_has_no_winner():
    match = given("basic", 2).when(tally("ann", bo=9)).when(MatchAbandoned(reason="a row"))
    match.then(status="abandoned", phase="over", winners=(), totals={"ann": 0, "bo": 9})


def test_a_voided_round_that_counts_can_be_the_last():
    match = given("mario", 2, rounds=2, dealer="ann").when(tally("bo", ann=9))
    match = match.when(RoundStarted(), COUNTED)
    assert match.types == ["round_started", "round_voided", "match_won"]
    match.then(status="won", winners=("bo",), round=2)


def test_when_it_is_over_only_notes_are_taken():
    match = given("mario", 2, target=5).when(tally("ann", bo=9)).then(phase="over")
    assert match.refuses(tally("ann", bo=9)).reason == "wrong-phase"
    assert match.refuses(MatchClosed()).reason == "wrong-phase"
    match.when(NoteAdded(text="well played")).then(status="won", version=5)


@pytest.mark.clause("H-ELIMINATION")
class TestElimination:
    def at(self, **totals):
        match = given("hello-kitty", list(totals), "elimination")
        return match.when(sheet(next(iter(totals)), **totals)).then_totals(**totals)

    def test_500_stays_in_and_501_is_out(self):
        match = self.at(ann=0, bo=450, cy=450, di=450)
        match.when(tally("ann", bo=50, cy=51, di=49)).then(eliminated=("cy",), status="open")

    def test_whoever_is_out_scores_no_more_and_is_not_awaited(self):
        match = self.at(ann=0, bo=501, cy=4, di=5)
        match = match.when(tally("ann", cy=1, di=2)).then_scores(ann=0, bo=0, cy=1, di=2)
        assert match.refuses(tally("bo", ann=1, cy=1, di=2)).reason == "player-eliminated"
        assert match.refuses(tally("ann", bo=1, cy=1, di=2)).reason == "player-eliminated"

    def test_the_duel_ends_at_500(self):
        match = self.at(ann=0, bo=450, cy=501).then(eliminated=("cy",), status="open")
        match.when(tally("ann", bo=49)).then(status="open", totals={"ann": 0, "bo": 499, "cy": 501})
        match.when(tally("ann", bo=50)).then(
            status="won", winners=("ann",), eliminated=("cy", "bo")
        )

    def test_two_players_are_in_a_duel_from_the_start(self):
        match = given("hello-kitty", 2, "elimination").when(tally("ann", bo=400))
        match.when(tally("ann", bo=99)).then(status="open")
        match.when(tally("ann", bo=100)).then(status="won", winners=("ann",))

    def test_exactly_500_on_entering_the_duel_has_lost(self):
        match = self.at(ann=0, bo=500, cy=490).then(status="open", eliminated=())
        match.when(tally("ann", bo=1, cy=2)).then(status="open", eliminated=("bo",))
        match.when(tally("bo", ann=1, cy=20)).then(
            status="won", winners=("ann",), eliminated=("bo", "cy")
        )

    def test_one_player_left_wins_at_once(self):
        match = self.at(ann=500, bo=450, cy=450)
        match.when(tally("ann", bo=51, cy=51)).then(
            status="won", winners=("ann",), eliminated=("bo", "cy")
        )

    def test_all_out_together_the_best_total_wins_and_ties_share(self):
        match = self.at(ann=500, bo=450, cy=480)
        match.when(tally("ann", bo=50, cy=30)).then(
            status="won", winners=("ann", "bo"), eliminated=("ann", "bo", "cy")
        )
        duel = self.at(ann=0, bo=501, cy=480)
        duel.when(sheet("ann", ann=510, cy=25)).then(status="won", winners=("cy",))

    def test_who_is_out_by_charges_has_no_hand_that_counts(self):
        match = self.at(ann=0, bo=460, cy=4, di=7)
        match.when(tally("ann", cy=1, di=1, charges={"bo": 41})).then(
            totals={"ann": 0, "bo": 501, "cy": 5, "di": 8}, eliminated=("bo",)
        )
        listed = match.when(tally("ann", bo=["red-0"], cy=["red-0"], di=1, charges={"bo": 41}))
        listed.then(totals={"ann": 0, "bo": 501, "cy": 4, "di": 8})

    def test_who_is_out_by_charges_has_not_gone_out_first(self):
        match = self.at(ann=0, bo=460, cy=4, di=7)
        refusal = match.refuses(tally("bo", ann=1, cy=1, di=1, charges={"bo": 41}))
        assert (refusal.reason, refusal.facts["player"]) == ("player-eliminated", "bo")

    def test_charges_that_leave_two_begin_the_duel(self):
        match = self.at(ann=0, bo=500, cy=480)
        match.when(tally("ann", charges={"cy": 21})).then(
            status="won", winners=("ann",), eliminated=("bo", "cy")
        )

    def test_a_table_may_agree_that_catches_do_not_count(self):
        options = {"caught_counts": False}
        match = given("hello-kitty", 3, "elimination", options=options)
        refusal = match.refuses(tally("ann", bo=1, cy=1, charges={"bo": 41}))
        assert refusal.reason == "charges-not-in-mode"
        match.when(tally("ann", bo=1, cy=1, charges={})).then_totals(ann=0, bo=1, cy=1)
        assert match.refuses(sheet("ann", ann=1, bo=1, cy=1)).reason == "score-contradicts-mode"

    def test_rounds_end_it_for_the_lowest_of_those_still_in(self):
        match = given("hello-kitty", 3, "elimination", rounds=2)
        match = match.when(sheet("ann", ann=0, bo=501, cy=7)).when(tally("cy", ann=9))
        match.then(status="won", winners=("cy",))
