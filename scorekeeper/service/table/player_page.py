"""A player as one page: who it is, what was won, and how well it was played."""

import msgspec

from scorekeeper.projections.statistics import Statistics
from scorekeeper.service.table.rating import RatingView


class PlayerPage(msgspec.Struct, frozen=True):
    """`name` is null once it has been erased; `rating` until a match was finished."""

    player: str
    name: str | None
    statistics: Statistics
    rating: RatingView | None
