"""A penalty card laid on a penalty card."""

from typing import ClassVar

import pytest

from tests.match.table import (
    broken,
    challenge,
    counts,
    draw,
    flags,
    owing,
    play,
    shows,
    small,
    start,
    told,
)

TWO, FOUR = "blue-draw-two", "wild-draw-four"
SAME = {"stacking": "same"}


def stacked(variant, edition="basic", players=4, **fields):
    return start(edition, players, house_rules={"stacking": variant}, **fields)


def hit_by(match, card, player="bo"):
    """`player`, who is on turn, lays a penalty card on the next."""
    color = "red" if card == FOUR else None
    return match.when(play(player, "red-draw-two" if card == TWO else card, color))


class TestWhatMayBeLaid:
    @pytest.mark.clause(
        "V-STACK-TWO", "V-STACK-FOUR", "V-STACK-SAME", "V-STACK-HIGHER", "V-STACK-ANY"
    )
    @pytest.mark.breach(
        "V-STACK-TWO", "V-STACK-FOUR", "V-STACK-SAME", "V-STACK-HIGHER", "V-STACK-ANY"
    )
    @pytest.mark.parametrize(
        ("variant", "clause", "allowed"),
        [
            ("draw-two", "V-STACK-TWO", {(TWO, TWO)}),
            ("wild-draw-four", "V-STACK-FOUR", {(FOUR, FOUR)}),
            ("same", "V-STACK-SAME", {(TWO, TWO), (FOUR, FOUR)}),
            ("higher", "V-STACK-HIGHER", {(TWO, TWO), (FOUR, FOUR), (FOUR, TWO)}),
            ("any", "V-STACK-ANY", {(TWO, TWO), (FOUR, FOUR), (FOUR, TWO), (TWO, FOUR)}),
        ],
    )
    @pytest.mark.parametrize("laid", [TWO, FOUR])
    @pytest.mark.parametrize("on", [TWO, FOUR])
    def test_each_variant(self, variant, clause, allowed, laid, on):
        match = hit_by(stacked(variant), on)
        answer = play("cy", laid, "green" if laid == FOUR else None)
        if (laid, on) in allowed:
            match = match.when(answer)
            worth = {TWO: 2, FOUR: 4}
            assert owing(match) == [("di", worth[laid] + worth[on], clause)]
            match.then(turn="ann", color="green" if laid == FOUR else "blue")
        else:
            assert broken(match.refuses(answer)) == [clause]

    @pytest.mark.breach("V-STACK-SAME")
    def test_another_card_as_played_takes_its_effect_beside_the_older_debt(self):
        match = hit_by(stacked("same"), TWO)
        assert broken(match.refuses(play("cy", "red-skip"))) == ["V-STACK-SAME"]
        match = match.when(play("cy", "red-skip", as_played=True))
        assert owing(match) == [("cy", 2, "B-DRAW-TWO")]
        match.then(turn="ann")

    def test_it_is_no_duty(self):
        match = hit_by(stacked("same"), TWO).when(play("di", "red-3"))
        assert match.types == ["cards_drawn", "card_played"]
        assert counts(match)["cy"] == 9

    @pytest.mark.breach("X-TURN")
    def test_once_a_card_is_drawn_it_is_too_late(self):
        match = hit_by(stacked("same"), TWO).when(draw("cy", 1))
        assert broken(match.refuses(play("cy", TWO))) == ["V-STACK-SAME"]
        match = match.when(draw("cy", 1))
        assert broken(match.refuses(play("cy", TWO))) == ["X-TURN"]

    def test_nobody_stacks_on_a_card_that_was_turned_up(self):
        match = stacked("same", turned="red-draw-two")
        assert broken(match.refuses(play("bo", TWO))) == ["V-STACK-SAME"]

    def test_the_sum_grows_from_player_to_player(self):
        match = hit_by(stacked("any"), TWO).when(play("cy", FOUR, "blue"), play("di", TWO))
        assert owing(match) == [("ann", 8, "V-STACK-ANY")]
        match = match.when(draw("ann", 8))
        match.then(turn="bo", color="blue", pending=())

    def test_an_open_colour_comes_first(self):
        match = stacked("any").when(play("bo", FOUR))
        assert match.refuses(play("cy", TWO)).reason == "color-needed"

    def test_two_players(self):
        match = hit_by(stacked("draw-two", players=2), TWO)
        match.then(turn="bo")
        match = match.when(play("ann", TWO))
        assert owing(match) == [("bo", 4, "V-STACK-TWO")]
        match.then(turn="ann")


class TestTheChallenge:
    HANDS: ClassVar = {
        "cy": ["wild-draw-four", "red-1", *["green-3"] * 2, *["yellow-4"] * 2, "blue-6"]
    }

    @pytest.mark.parametrize(
        ("edition", "clause"),
        [("basic", "B-CHALLENGE"), ("mario", "M-CHALLENGE"), ("classic-2025", "C-CHALLENGE")],
    )
    def test_the_guilty_draw_the_sum(self, edition, clause):
        match = stacked("higher", edition, hands=self.HANDS)
        match = hit_by(match, TWO).when(play("cy", FOUR, "green"))
        assert flags(match) == [clause.replace("CHALLENGE", "WILD4-LEGAL")]
        match = match.when(challenge("di"))
        assert owing(match) == [("cy", 6, clause)]
        match.then(turn="di")

    def test_the_innocents_challenger_draws_two_more_and_stacks_no_more(self):
        hands = {"cy": ["wild-draw-four", "blue-6", *["green-3"] * 2, *["yellow-4"] * 2, "blue-7"]}
        match = stacked("higher", hands=hands)
        match = hit_by(match, TWO).when(play("cy", FOUR, "green"), challenge("di"))
        assert owing(match) == [("di", 8, "B-CHALLENGE")]
        assert broken(match.refuses(play("di", FOUR, "red"))) == ["V-STACK-HIGHER"]

    def test_stacking_forgoes_it_and_only_the_last_can_be_challenged(self):
        match = hit_by(stacked("same"), FOUR).when(play("cy", FOUR, "green"))
        assert match.refuses(challenge("cy", guilty=True)).reason == "no-challenge-open"
        match = match.when(challenge("di", guilty=True))
        assert owing(match) == [("cy", 8, "B-CHALLENGE")]

    @pytest.mark.clause("H-CHALLENGE")
    def test_the_last_king_alone_is_taken_back(self):
        match = hit_by(stacked("same", "hello-kitty"), FOUR)
        match = match.when(play("cy", FOUR, "green"), challenge("di", guilty=True))
        assert counts(match) == {"ann": 7, "bo": 6, "cy": 7, "di": 7}
        assert owing(match) == [("cy", 8, "H-CHALLENGE")]
        match.then(turn="di", top_card=FOUR, color="red")


@pytest.mark.clause("M-STAR")
def test_a_star_sends_the_sum_to_whoever_laid_the_last_card():
    match = hit_by(stacked("same", "mario"), TWO).when(
        play("cy", TWO), play("di", "super-star", "red")
    )
    assert owing(match) == [("cy", 4, "M-STAR")]
    match.then(turn="ann")
    assert broken(match.refuses(play("cy", TWO))) == ["X-TURN", "M-MATCH"]


def test_a_stacks_top_as_the_last_card_still_has_the_sum_drawn():
    hands = {
        "cy": ["blue-draw-two"],
        "di": ["green-draw-two", "red-1"],
        "bo": ["red-draw-two", "red-2"],
    }
    match = small("basic", 4, hands, house_rules=SAME).when(
        play("bo", "red-draw-two"), play("cy", "blue-draw-two")
    )
    match.then(phase="showing_hands")
    assert owing(match) == [("di", 4, "V-STACK-SAME")]
    refused = match.refuses(play("di", "green-draw-two"))
    assert refused.reason == "wrong-phase"
    drawn = draw("di", 4, cards=["red-3", "red-4", "red-6", "red-7"])
    match = match.when(drawn, shows("ann", *["blue-1"] * 2, as_played=True))
    assert match.board.totals["di"] >= 20 + 1 + 20


def test_a_catch_does_not_close_it():
    match = hit_by(small("basic", 4, {"bo": ["red-draw-two", "red-2"]}, house_rules=SAME), TWO)
    match = match.when(told("uno_caught", player="bo", by="ann"), play("cy", TWO))
    assert owing(match) == [("di", 4, "V-STACK-SAME")]


@pytest.mark.clause("H-ACCUSE", "V-STACK-SAME")
def test_what_the_hit_player_owes_since_does_not_close_it():
    match = hit_by(start("hello-kitty", 4, house_rules=SAME), TWO)
    match = match.when(told("accusation_made", by="cy", player="di"), play("cy", TWO))
    assert owing(match) == [("cy", 2, "H-ACCUSE"), ("di", 4, "V-STACK-SAME")]
    assert counts(match)["cy"] == 6
    match = match.when(play("ann", "blue-1"))
    assert match.types == ["cards_drawn", "cards_drawn", "card_played"]
    assert counts(match) == {"ann": 6, "bo": 6, "cy": 8, "di": 11}


@pytest.mark.clause("V-STACK-SAME", "M-STAR", "X-TURN")
@pytest.mark.breach("X-TURN")
@pytest.mark.parametrize(("card", "color"), [("blue-draw-two", None), ("super-star", "red")])
@pytest.mark.parametrize("player", ["ann", "bo"])
def test_nobody_but_whom_a_penalty_hits_answers_it(player, card, color):
    match = hit_by(stacked("same", "mario"), "red-draw-two")
    assert broken(match.refuses(play(player, card, color))) == ["X-TURN"]
