"""Evenings worked out by hand, figure by figure."""

import pytest

from scorekeeper.match.readings.detour import same_table
from tests.match.story import TEAMS_OF_FOUR, given, tally
from tests.match.table import (
    challenge,
    counts,
    draw,
    first,
    flags,
    names,
    owing,
    play,
    shows,
    start,
    told,
)

RED = [f"red-{n}" for n in range(1, 10)]


@pytest.mark.clause("H-PLUSMINUS")
def test_what_the_losers_lose_the_winner_gets():
    match = given("hello-kitty", 4, "plus-minus", rounds=5).when(tally("bo", ann=40, cy=38, di=40))
    match.then_scores(ann=-40, bo=118, cy=-38, di=-40)


@pytest.mark.clause("D-FRIENDSHIP", "X-JOINT")
def test_joint_winners_each_score_in_full():
    given("mickey", 4).when(tally("ann", "bo", cy=30, di=12)).then_scores(ann=42, bo=42, cy=0, di=0)


@pytest.mark.clause("B-TEAM", "X-TEAM")
def test_the_same_round_in_both_ways_of_team_scoring():
    sheet = tally("ann", bo=10, cy=20, di=7)
    given("basic", 4, teams=TEAMS_OF_FOUR).when(sheet).then_scores(ann=20, bo=17, cy=20, di=17)
    collected = given("basic", 4, "winner-collects", teams=TEAMS_OF_FOUR).when(sheet)
    collected.then_scores(ann=17, bo=0, cy=17, di=0)


@pytest.mark.clause("B-UP-DRAW-TWO", "B-DRAW")
def test_an_untold_draw_is_written_before_the_play_that_presupposes_it():
    match = start("basic", turned="red-draw-two")
    match.then(version=3, draw_pile_count=79, turn="cy")
    assert owing(match) == [("bo", 2, "B-UP-DRAW-TWO")]
    match = match.when(play("cy", "red-5")).then(version=5, draw_pile_count=77, pending=())
    assert match.types == ["cards_drawn", "card_played"]
    assert [entry.inferred for entry in match.added] == [True, False]


@pytest.mark.clause("B-UP-WILD", "M-UP-WILD", "D-UP-WILD", "H-UP-WILD")
@pytest.mark.parametrize(
    ("edition", "turn"), [("basic", "cy"), ("mario", "bo"), ("mickey", "bo"), ("hello-kitty", "bo")]
)
def test_who_is_on_turn_once_the_colour_of_a_turned_up_wild_is_named(edition, turn):
    match = start(edition, turned="wild").then(color_pending="bo", phase="playing")
    match = match.when(names("bo", "green")).then(turn=turn, color="green", color_pending=None)
    at_once = start(edition, turned=None).when(first("wild", color="green"))
    # So an amendment that tells the colour earlier leads back to the same reading.
    assert same_table(match.state.table, at_once.state.table)


class TestChallenges:
    @staticmethod
    def bluff(edition, **hands):
        match = start(edition, 4, {"bo": ["wild-draw-four", *RED[:6]], **hands})
        return match.when(play("bo", "wild-draw-four", "blue"))

    @pytest.mark.clause("M-CHALLENGE", "B-CHALLENGE", "D-CHALLENGE", "C-CHALLENGE")
    @pytest.mark.parametrize("edition", ["mario", "basic", "classic-2025"])
    def test_guilty(self, edition):
        match = self.bluff(edition)
        assert flags(match) == [match.state.edition.wild_draw_four_legal.clause]
        match = match.when(challenge("cy")).then(turn="cy", color="blue", top_card="wild-draw-four")
        assert owing(match) == [("bo", 4, match.state.edition.challenge.clause)]
        assert flags(match) == []

    @pytest.mark.clause("H-CHALLENGE")
    def test_guilty_of_a_king(self):
        match = self.bluff("hello-kitty").when(challenge("cy"))
        match.then(turn="cy", color="red", top_card="red-5")
        assert owing(match) == [("bo", 4, "H-CHALLENGE")]
        assert counts(match)["bo"] == 7
        assert "wild-draw-four" in match.state.hands["bo"].known

    @pytest.mark.clause("M-CHALLENGE", "B-CHALLENGE", "H-CHALLENGE", "C-CHALLENGE")
    @pytest.mark.parametrize("edition", ["mario", "basic", "hello-kitty", "classic-2025"])
    def test_innocent(self, edition):
        green = ["green-1", "green-2", "green-3", "green-4", "green-6", "green-7"]
        match = start(edition, 4, {"bo": ["wild-draw-four", *green]})
        match = match.when(play("bo", "wild-draw-four", "blue"), challenge("cy")).then(turn="di")
        assert owing(match) == [("cy", 6, match.state.edition.challenge.clause)]


@pytest.mark.clause("M-STAR")
def test_a_star_sends_a_draw_two_back():
    match = start("mario", turned="red-reverse").then(turn="ann", direction="counter-clockwise")
    match = start("mario", 3, turned="red-skip").then(turn="cy")
    match = match.when(play("cy", "red-1"), play("ann", "red-draw-two"))
    match = match.when(play("bo", "super-star", "green")).then(turn="cy", color="green")
    assert owing(match) == [("ann", 2, "M-STAR")]


@pytest.mark.clause("D-FRIENDSHIP", "X-JOINT", "D-OUT")
def test_friends_win_together():
    match = start("mickey", 4, turned="red-skip")
    match = match.when(told("round_voided", reason="so that hands are small", redealt=True))
    friends = {"bo": ["wild-friendship", "green-1", "green-2"], "cy": ["pink-3"]}
    match = match.when(told("round_started", dealer="ann", hands=friends), first("red-5"))
    for player in ("bo", "cy"):
        hand = match.state.hands[player].known
        match = match.when(shows(player, *hand, as_played=True))
    discards = [
        {"type": "discard", "player": "bo", "cards": ["green-1", "green-2"]},
        {"type": "discard", "player": "cy", "cards": ["pink-3"]},
    ]
    match = match.when(play("bo", "wild-friendship", effects=discards))
    match.then(phase="showing_hands", awaiting_hands=("ann", "di"))
    match = match.when(
        told("hand_counted", player="ann", points=30), told("hand_counted", player="di", points=12)
    )
    match.then_scores(ann=0, bo=42, cy=42, di=0)


@pytest.mark.clause("B-LAST")
def test_the_draw_of_a_last_card_is_written_before_the_hand_is_shown():
    hand = ["green-1", "green-2", "green-3", "green-4", "green-5", "green-6", "green-7"]
    match = start("basic", 2, {"ann": hand, "bo": ["red-draw-two"]})
    match = match.when(shows("bo", "red-draw-two", as_played=True))
    match = match.when(play("bo", "red-draw-two")).then(phase="showing_hands", turn=None)
    assert owing(match) == [("ann", 2, "B-DRAW-TWO")]
    match = match.when(shows("ann", *hand, "wild", "blue-9"))
    assert match.types == ["cards_drawn", "hand_shown", "round_ended"]
    match.then_scores(ann=28 + 50 + 9, bo=0)


@pytest.mark.clause("B-DRAW")
def test_a_draw_that_was_told_is_not_written_again():
    untold = start("basic", turned="red-draw-two").when(play("cy", "red-5"))
    match = start("basic", turned="red-draw-two").when(draw("bo", 2), play("cy", "red-5"))
    assert match.types == ["cards_drawn", "card_played"]
    assert match.board == untold.board
