"""A player as one page: who it is, what was won, and how well it was played."""

from functools import partial

import msgspec
from sqlalchemy import Connection

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.projections.statistics import Statistics
from scorekeeper.service.refused import not_found
from scorekeeper.service.table.rating import Ratings, RatingView, rating_view
from scorekeeper.service.table.reading import statistics_of
from scorekeeper.store import players, ratings, standings


class PlayerPage(msgspec.Struct, frozen=True):
    """`name` is null once it has been erased; `rating` until a match was finished."""

    player: str
    name: str | None
    statistics: Statistics
    rating: RatingView | None


class PlayerPages:
    """Reads all of a page at once, since each reading costs more than what is read."""

    def __init__(self, ledger: Ledger, ratings: Ratings) -> None:
        self._ledger = ledger
        self._ratings = ratings

    async def read(self, league: str, player: str) -> PlayerPage:
        """Raises Refused (`not-found`)."""
        read = partial(_page, league=league, player=player)
        page, behind = await self._ledger.read(read)
        if behind:
            await self._ratings.catch_up(league)
            page, _ = await self._ledger.read(read)
        if page is None:
            raise not_found("player")
        return page


def _page(connection: Connection, *, league: str, player: str) -> tuple[PlayerPage | None, bool]:
    """The page, and whether matches were won that are not in the ratings yet."""
    found = players.find(connection, league, player)
    if found is None:
        return None, False
    as_of = ratings.as_of(connection, league)
    page = PlayerPage(
        player=found.player,
        name=found.name,
        statistics=statistics_of(standings.line(connection, league, player)),
        rating=rating_view(ratings.latest(connection, league, [player]), as_of),
    )
    return page, ratings.end_of_next(connection, league, after=as_of, matches=1) is not None
