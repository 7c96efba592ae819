"""Which points some cards of a box can be worth, by how many they are.

Exact, and quick enough for every tally: all pairs of points and count that can be had are the bits
of one integer, and a group of cards of the same value is a few shifts of it.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import TypeAlias

from scorekeeper.rules.box import Box
from scorekeeper.rules.cards import Card

Groups: TypeAlias = tuple[tuple[int, int], ...]
"""Points and how many cards are worth that, by points."""


def groups(box: Box, taken: Mapping[Card, int]) -> Groups:
    """What is left of a box once some cards lie elsewhere."""
    left: dict[int, int] = {}
    for card, count in box.counts.items():
        points = box.points[card]
        left[points] = left.get(points, 0) + count - taken.get(card, 0)
    return tuple(sorted((points, count) for points, count in left.items() if count))


def can_be_worth(cards: Groups, points: int, *, at_least: int, at_most: int | None) -> bool:
    """Whether so many of the cards can be worth exactly `points`; `at_most` None: any number."""
    size = sum(count for _, count in cards)
    if points > sum(value * count for value, count in cards) or at_least > size:
        return False
    counts = _pairs(cards) >> points * (size + 1) & ((1 << size + 1) - 1)
    if at_most is not None:
        counts &= (1 << at_most + 1) - 1
    return counts >> at_least != 0


@lru_cache(maxsize=64)
def _pairs(cards: Groups) -> int:
    """Bit `points * (size + 1) + count` is set where so many cards can be worth that."""
    width = sum(count for _, count in cards) + 1
    pairs = 1
    for value, count in cards:
        step, left = 1, count
        while left:
            taken = min(step, left)
            pairs |= pairs << taken * (value * width + 1)
            left -= taken
            step *= 2
    return pairs
