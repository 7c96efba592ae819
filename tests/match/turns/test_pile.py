"""Draw piles that are known in full, in part or not at all, and hands that are known in part."""

import pytest

from scorekeeper.match.known_cards import (
    Hand,
    Stretch,
    hand_with,
    hand_without,
    hand_without_unseen,
    height,
    known_in,
    known_pile,
    take,
    unknown_pile,
)

UNKNOWN = unknown_pile(3)
ORDERED = known_pile(["red-1", "red-2", "red-3"])
MIXED = known_pile(["red-1", "red-2", "red-3"], ordered=False)


@pytest.mark.parametrize(
    ("pile", "count", "told", "cards", "unknown"),
    [
        (UNKNOWN, 2, (), (), 2),
        (UNKNOWN, 2, ("red-9",), ("red-9",), 1),
        (ORDERED, 2, (), ("red-1", "red-2"), 0),
        (ORDERED, 2, ("red-2", "red-1"), ("red-1", "red-2"), 0),
        (MIXED, 2, ("red-3",), ("red-3",), 1),
        (MIXED, 3, (), ("red-1", "red-2", "red-3"), 0),
        ((*UNKNOWN, *ORDERED), 4, (), ("red-1",), 3),
        ((*UNKNOWN, *MIXED), 4, ("red-1", "red-2"), ("red-1", "red-2"), 2),
    ],
)
def test_what_a_draw_yields(pile, count, told, cards, unknown):
    taken = take(pile, count, told)
    assert taken is not None
    assert (taken.cards, taken.unknown) == (cards, unknown)
    assert height(taken.pile) == height(pile) - count


@pytest.mark.parametrize(
    ("pile", "count", "told"),
    [
        (ORDERED, 1, ("red-2",)),
        (MIXED, 1, ("red-9",)),
        (MIXED, 2, ("red-1", "red-1")),
        ((*UNKNOWN, *MIXED), 4, ("red-7", "red-8", "red-9", "red-9")),
    ],
)
def test_what_a_draw_cannot_yield(pile, count, told):
    assert take(pile, count, told) is None


def test_what_is_left_of_cards_in_an_unknown_order():
    named = take(MIXED, 1, ("red-2",))
    assert named is not None
    assert sorted(known_in(named.pile)) == ["red-1", "red-3"]
    unnamed = take(MIXED, 1, ())
    assert unnamed is not None
    assert unnamed.pile == (Stretch(2),)


def test_a_card_leaves_a_hand_that_can_hold_it():
    hand = Hand(("red-1",), 1)
    assert hand_without(hand, ("red-1",)) == Hand((), 1)
    assert hand_without(hand, ("red-9",)) == Hand(("red-1",), 0)
    assert hand_without(hand, ("red-9", "red-8")) is None
    assert hand_without_unseen(hand, 1) == Hand((), 1)
    assert hand_without_unseen(hand, 3) is None
    assert hand_with(hand, ("red-2",), 2) == Hand(("red-1", "red-2"), 3)
