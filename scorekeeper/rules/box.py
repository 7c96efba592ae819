"""The contents of a box."""

from collections.abc import Mapping

import msgspec

from scorekeeper.rules.cards import Card


class ExtraCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card that the booklet does not name but the table's own box holds."""

    count: int
    points: int


class Box(msgspec.Struct, frozen=True):
    """`counts` and `points` name the same cards; counts are at least 1.

    `by_points`: points, in their order, and how many cards are worth that; `last_first`: the cards
    from the last one named, which puts the wilds first. Both follow from the other two, and are
    made once because they are asked for all the time.
    """

    counts: Mapping[Card, int]
    points: Mapping[Card, int]
    by_points: tuple[tuple[int, int], ...] = ()
    last_first: tuple[Card, ...] = ()

    def __post_init__(self) -> None:
        worth: dict[int, int] = {}
        for card, count in self.counts.items():
            worth[self.points[card]] = worth.get(self.points[card], 0) + count
        msgspec.structs.force_setattr(self, "by_points", tuple(sorted(worth.items())))
        msgspec.structs.force_setattr(self, "last_first", tuple(self.counts)[::-1])

    @property
    def size(self) -> int:
        """Cards in all."""
        return sum(self.counts.values())

    @property
    def total_points(self) -> int:
        """The value of all cards together: more than this no round can score."""
        return sum(count * self.points[card] for card, count in self.counts.items())
