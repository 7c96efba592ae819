"""Which points some cards of a box can be worth, by how many they are.

Exact, and quick enough for every tally: all pairs of points and count are worked out once for what
is left of a box, and looked up from then on.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct

from scorekeeper.rules.box import Box
from scorekeeper.rules.cards import Card

CardGroups: TypeAlias = tuple[tuple[int, int], ...]
"""Points and how many cards are worth that, by points."""


class Reach(Struct, frozen=True, gc=False):
    """`rows` has for each number of points `width` bytes, little-endian.

    Bit `count` of a row: so many cards can be worth that.
    """

    size: int
    most_points: int
    width: int
    rows: bytes

    def holds(self, points: int, *, at_least: int, at_most: int | None) -> bool:
        """Whether so many of the cards can be worth exactly `points`; None: any number."""
        if points > self.most_points or at_least > self.size:
            return False
        width = self.width
        counts = int.from_bytes(self.rows[points * width : (points + 1) * width], "little")
        if at_most is not None:
            counts &= (1 << at_most + 1) - 1
        return counts >> at_least != 0


def groups(box: Box, taken: Mapping[Card, int]) -> CardGroups:
    """What is left of a box once some cards lie elsewhere."""
    if not taken:
        return box.by_points
    left = dict(box.by_points)
    for card, count in taken.items():
        left[box.points[card]] -= count
    # A log that is read otherwise may show more of a card than the box has, and then none is left.
    return tuple((points, count) for points, count in left.items() if count > 0)


@lru_cache(maxsize=64)
def reach(cards: CardGroups) -> Reach:
    """What some of these cards can be worth."""
    size = sum(count for _, count in cards)
    most_points = sum(value * count for value, count in cards)
    width = size // 8 + 1
    # All rows are one integer, and a group of cards of the same value is a few shifts of it.
    rows = 1
    for value, count in cards:
        step, left = 1, count
        while left:
            taken = min(step, left)
            rows |= rows << taken * (value * width * 8 + 1)
            left -= taken
            step *= 2
    return Reach(size, most_points, width, rows.to_bytes((most_points + 1) * width, "little"))
