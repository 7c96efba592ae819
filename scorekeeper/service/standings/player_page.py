"""A player as one page: who it is, what was won, and how well it was played."""

import msgspec

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.projections.statistics import Statistics
from scorekeeper.service.refused import not_found
from scorekeeper.service.standings.rating import Ratings, RatingView, rating_view
from scorekeeper.service.standings.reading import statistics_of
from scorekeeper.store import player_pages
from scorekeeper.store.player_pages import StoredPage


class PlayerPage(msgspec.Struct, frozen=True):
    """`name` is null once it has been erased; `rating` until a match was finished."""

    player: str
    name: str | None
    statistics: Statistics
    rating: RatingView | None


class PlayerPages:
    """Reads all of a page at once, and again where the ratings were behind."""

    def __init__(self, ledger: Ledger, ratings: Ratings) -> None:
        self._ledger = ledger
        self._ratings = ratings

    async def read(self, league: str, player: str) -> PlayerPage:
        """Raises Refused (`not-found`)."""
        page, _ = await self.read_with_lag(league, player)
        return page

    async def read_with_lag(self, league: str, player: str) -> tuple[PlayerPage, bool]:
        """The page, and whether its rating is behind the log. Raises Refused (`not-found`)."""
        stored = await self._read(league, player)
        if stored is not None and stored.behind:
            await self._ratings.catch_up(league)
            stored = await self._read(league, player)
        if stored is None:
            raise not_found("player")
        page = PlayerPage(
            player=player,
            name=stored.name,
            statistics=statistics_of(stored.line),
            rating=rating_view(stored),
        )
        return page, stored.behind

    async def _read(self, league: str, player: str) -> StoredPage | None:
        return await self._ledger.read(lambda c: player_pages.find(c, league, player))
