"""What can't have happened is refused with a reason, and with the facts that contradict it."""

import ast
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from scorekeeper.match.events.refusal import Reason
from tests.match.story import given
from tests.match.table import (
    challenge,
    counts,
    draw,
    first,
    names,
    owing,
    passes,
    play,
    shows,
    start,
    told,
)
from tests.syntax_trees import syntax_tree

TESTS = Path(__file__).parents[2]


def gives(player, to, card=None):
    return told("card_given", player=player, to=to, card=card)


class TestGifts:
    @pytest.mark.clause("H-TWO", "H-RIBBON")
    @pytest.mark.breach("H-TWO")
    def test_a_card_is_given_only_after_a_ribbon_among_two_once_and_by_its_player(self):
        match = start("hello-kitty", 2)
        refused = match.refuses(gives("bo", "ann"))
        assert (refused.code, refused.reason) == ("impossible-event", "no-gift-owed")
        assert refused.facts == {"player": "bo", "to": "ann"}

        owed = match.when(play("bo", "red-ribbon", "red"))
        assert owed.refuses(gives("ann", "bo")).reason == "no-gift-owed"
        assert owed.refuses(gives("bo", "bo")).reason == "no-gift-owed"
        given_away = owed.when(gives("bo", "ann", "green-1"))
        assert (owing(given_away), counts(given_away)) == ([], {"ann": 8, "bo": 5})
        assert given_away.state.hands["ann"].known == ("green-1",)
        assert given_away.refuses(gives("bo", "ann", "green-2")).reason == "no-gift-owed"

    @pytest.mark.clause("H-RIBBON")
    def test_among_three_a_ribbon_brings_no_gift(self):
        match = start("hello-kitty", 3).when(play("bo", "red-ribbon", "red"))
        refused = match.refuses(gives("bo", "cy", "green-1"))
        assert refused.reason == "no-gift-owed"
        assert refused.facts == {"player": "bo", "to": "cy"}


def block(**effect):
    return play("bo", "question-block", "red", effects=[effect])


class TestStrangers:
    @pytest.mark.parametrize(
        "event",
        [
            play("zoe", "red-1"),
            draw("zoe"),
            passes("zoe"),
            names("zoe", "red"),
            challenge("zoe", guilty=True),
            shows("zoe", "red-1"),
            gives("zoe", "ann"),
            gives("ann", "zoe"),
            told("uno_called", player="zoe"),
            told("uno_caught", player="zoe", by="ann"),
            told("uno_caught", player="ann", by="zoe"),
            told("misplay_called", by="zoe"),
            block(type="discard", player="zoe", cards=["red-1"]),
            block(type="give", to="ann", count=1, **{"from": "zoe"}),
            block(type="give", to="zoe", count=1, **{"from": "ann"}),
            block(type="draw", player="zoe"),
            block(type="skip", player="zoe"),
        ],
    )
    def test_whoever_is_not_in_the_match_neither_acts_nor_is_acted_on(self, event):
        match = start("mario", options={"question_block": "Anything."})
        refused = match.refuses(event)
        assert (refused.reason, refused.facts["player"]) == ("player-not-in-match", "zoe")

    @pytest.mark.parametrize(
        ("edition", "called"), [("basic", "advice_called"), ("hello-kitty", "accusation_made")]
    )
    @pytest.mark.parametrize(
        "names", [{"player": "zoe", "by": "ann"}, {"player": "ann", "by": "zoe"}]
    )
    def test_nor_are_they_called_out_nor_call(self, edition, called, names):
        refused = start(edition).refuses(told(called, **names))
        assert (refused.reason, refused.facts["player"]) == ("player-not-in-match", "zoe")

    @pytest.mark.breach("M-DECK")
    @pytest.mark.parametrize(
        "event",
        [
            play("bo", "pink-1"),
            draw("bo", cards=["pink-1"]),
            challenge("cy", hand=["pink-1"]),
            shows("bo", "pink-1"),
            told("pile_reshuffled", draw_pile=["pink-1"]),
            block(type="discard", player="cy", cards=["pink-1"]),
            block(type="give", to="ann", cards=["pink-1"], **{"from": "cy"}),
            block(type="draw", player="cy", cards=["pink-1"]),
        ],
    )
    def test_a_card_of_another_box_is_nowhere(self, event):
        match = start("mario", options={"question_block": "Anything."})
        refused = match.refuses(event)
        assert (refused.reason, refused.facts["card"]) == ("card-not-in-box", "pink-1")

    @pytest.mark.breach("M-DECK")
    def test_a_hand_does_not_hold_more_of_a_card_than_the_box(self):
        hand = ["red-0", "red-0", *(f"red-{number}" for number in (1, 2, 3, 4))]
        assert start("mario").refuses(shows("bo", *hand, "red-6")).reason == "too-many-of-card"
        match = start("mario").when(play("bo", "wild-draw-four", "blue"))
        assert match.refuses(challenge("cy", hand=hand)).reason == "too-many-of-card"


class TestPiles:
    def test_a_pile_that_is_told_with_the_first_card_is_told_whole(self):
        match = start("basic", 2, turned=None)
        refused = match.refuses(first("red-1", draw_pile=["red-2"]))
        assert (refused.reason, refused.facts) == ("draw-pile-not-whole", {"cards": 1, "whole": 93})

    @pytest.mark.clause("B-FIRST")
    def test_a_pile_told_twice_is_told_the_same(self):
        """The draw pile is told with the deal, and again with the first card."""
        whole = sorted(Counter(given("basic", 2).state.box.counts).elements())
        hands = {"ann": whole[:7], "bo": whole[7:14]}
        turned, *pile = whole[14:]
        match = start("basic", 2, hands, draw_pile=[turned, *pile], turned=None)

        turned_over = [*reversed(pile)]
        refused = match.refuses(first(turned, draw_pile=turned_over))
        assert (refused.code, refused.reason) == ("impossible-event", "pile-contradicts-book")
        assert refused.facts == {"cards": tuple(turned_over)}
        match.when(first(turned, draw_pile=pile)).then(draw_pile_count=len(pile))


def reasons_in_tests():
    """Return every string constant in the tests, except in tests/texts, which words them."""
    sources = [path for path in TESTS.rglob("*.py") if "texts" not in path.parts]
    trees = (syntax_tree(path) for path in sources)
    constants = (
        node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)
    )
    return {node.value for node in constants if isinstance(node.value, str)}


def reasons_in_golden_rounds():
    said = "".join(path.read_text(encoding="utf-8") for path in (TESTS / "golden").rglob("*.txt"))
    return {line.partition(" ")[0].strip(";\n") for line in said.split("refused impossible-event ")}


def test_every_reason_is_shown():
    assert sorted({*get_args(Reason)} - reasons_in_tests() - reasons_in_golden_rounds()) == []
