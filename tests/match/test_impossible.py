"""What can't have happened is refused with a reason, and with the facts that speak against it."""

import ast
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest
from story import given
from table import counts, first, owing, play, start, told

from scorekeeper.match.events.refusal import Reason

TESTS = Path(__file__).parents[1]


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


class TestPiles:
    @pytest.mark.clause("B-FIRST")
    def test_a_pile_told_twice_is_told_the_same(self):
        """With the deal, and then with the first card."""
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
    """Strings of the tests that are nothing but a reason, but for those of the texts alone."""
    sources = [path for path in TESTS.rglob("*.py") if "texts" not in path.parts]
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in sources)
    constants = (
        node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)
    )
    return {node.value for node in constants if isinstance(node.value, str)}


def reasons_in_golden_rounds():
    said = "".join(path.read_text(encoding="utf-8") for path in (TESTS / "golden").rglob("*.txt"))
    return {line.partition(" ")[0].strip(";\n") for line in said.split("refused impossible-event ")}


def test_every_reason_is_shown():
    assert sorted({*get_args(Reason)} - reasons_in_tests() - reasons_in_golden_rounds()) == []
