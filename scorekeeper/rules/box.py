"""What a box holds."""

from collections.abc import Mapping

import msgspec

from scorekeeper.rules.cards import Card


class ExtraCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card that the booklet does not name but the table's own box holds."""

    count: int
    points: int


class Box(msgspec.Struct, frozen=True):
    """Both mappings name the same cards; `counts` are at least 1."""

    counts: Mapping[Card, int]
    points: Mapping[Card, int]

    @property
    def size(self) -> int:
        """Cards in all."""
        return sum(self.counts.values())

    @property
    def total_points(self) -> int:
        """The value of all cards together: more than this no round can score."""
        return sum(count * self.points[card] for card, count in self.counts.items())
