"""Ratings that follow the log, and the page of a player that shows one.

Ratings catch up with the log when somebody asks for them, a few matches at a time. The page shows a
player's name, statistics and rating.
"""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby

import msgspec

from scorekeeper.ledger.database_errors import CLOSING, LedgerUnavailable
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.projections.ratings import RatedSide, Rating, rated
from scorekeeper.projections.statistics import Statistics
from scorekeeper.service.refused import not_found
from scorekeeper.service.standings.league_table import statistics_of
from scorekeeper.store import players
from scorekeeper.store import ratings as stored
from scorekeeper.store.players import StoredPage, find_page
from scorekeeper.store.ratings import RankedPlayer, RatedPlayer

_MATCHES_AT_ONCE = 100
_SECONDS_WAITED = 1.0
_MILLION = 1_000_000


class RatingView(msgspec.Struct, frozen=True, kw_only=True):
    """How well somebody plays (`mu`), and how uncertain that is (`sigma`), by Plackett-Luce.

    `ordinal` is mu - 3 sigma. `as_of`: results up to this position of the ledger are included.
    """

    mu: float
    sigma: float
    ordinal: float
    as_of: int


class RatedMatchView(msgspec.Struct, frozen=True, kw_only=True):
    """A rating after a match, which was won at `position`."""

    match: str
    position: int
    mu: float
    sigma: float
    ordinal: float


class Ratings:
    """The ratings of all leagues; one task in a process catches up with each."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._following: dict[str, asyncio.Task[None]] = {}

    async def history(
        self, league: str, player: str, *, after: int, limit: int
    ) -> list[RatedMatchView]:
        """Return a player's ratings in log order, those behind the position `after`.

        Raises Refused (`not-found`).
        """
        if await self._ledger.read(lambda c: players.find(c, league, player)) is None:
            raise not_found("player")
        await self.catch_up(league)
        found = await self._ledger.read(
            lambda c: stored.history(c, league, player, after=after, limit=limit)
        )
        return [_view(each) for each in found]

    async def recent(self, league: str, player: str, *, limit: int) -> list[RatedMatchView]:
        """Return a player's last ratings in log order, without catching up with the log."""
        found = await self._ledger.read(lambda c: stored.recent(c, league, player, limit=limit))
        return [_view(each) for each in found]

    async def catch_up(self, league: str) -> None:
        """Rate the matches that were won since the last time.

        This waits for a second at most, or two if a catch-up is under way. If there are very many
        matches, the rest is rated in the background, and `as_of` tells how far the ratings have
        come.
        """
        under_way = self._following.get(league)
        if under_way is not None and not await self._wait(under_way):
            return
        # What was under way may have looked for the last time before the caller's match was won.
        await self._wait(self._following.get(league) or self._begin(league))

    async def stop(self) -> None:
        """Stop catching up, in all leagues."""
        tasks = list(self._following.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begin(self, league: str) -> asyncio.Task[None]:
        task = self._following[league] = asyncio.create_task(self._follow(league))
        task.add_done_callback(partial(self._ended, league))
        return task

    def _ended(self, league: str, task: asyncio.Task[None]) -> None:
        del self._following[league]
        if not task.cancelled():
            # Retrieve the error, or asyncio logs it if nobody waited until the end.
            task.exception()

    async def _wait(self, task: asyncio.Task[None]) -> bool:
        """Return whether the task ended in time.

        Raises what the task raised, and LedgerUnavailable if it was stopped: whoever waits was not.
        """
        done, _ = await asyncio.wait({task}, timeout=_SECONDS_WAITED)
        for each in done:
            if each.cancelled():
                raise LedgerUnavailable(CLOSING)
            each.result()
        return bool(done)

    async def _follow(self, league: str) -> None:
        while await self._step(league):
            pass

    async def _step(self, league: str) -> bool:
        """Rate the next matches, and return whether there may be more."""
        seen = await self._ledger.read(lambda c: stored.as_of(c, league))
        to = await self._ledger.read(
            lambda c: stored.end_of_next(c, league, after=seen, matches=_MATCHES_AT_ONCE)
        )
        if to is None:
            return False
        on = await self._ledger.read(lambda c: stored.played(c, league, after=seen, until=to))
        names = {each.player for each in on}
        before = await self._ledger.read(lambda c: stored.latest(c, league, names))
        new = await asyncio.to_thread(rated_after, before, on)
        await self._ledger.transact(
            league,
            lambda c: stored.advance(c, league, new, before=before, on=on, seen=seen, to=to),
        )
        return True


def rating_view(stored: StoredPage) -> RatingView | None:
    """Return a player's latest rating; None if there is none."""
    if stored.mu is None or stored.sigma is None:
        return None
    rating = Rating(stored.mu, stored.sigma)
    return RatingView(
        mu=rating.mu / _MILLION,
        sigma=rating.sigma / _MILLION,
        ordinal=rating.ordinal / _MILLION,
        as_of=stored.as_of,
    )


def rated_after(before: Sequence[RatedPlayer], played: Sequence[RankedPlayer]) -> list[RatedPlayer]:
    """Return the ratings after each match in `played`, which is in log order.

    `before`: the latest ratings of these players.
    """
    known: dict[str, Rating] = {each.player: Rating(each.mu, each.sigma) for each in before}
    found: list[RatedPlayer] = []
    for (finished, match), own in groupby(played, key=lambda each: (each.finished, each.match)):
        after = rated(known, _sides(list(own)))
        known |= after
        found.extend(
            RatedPlayer(player, finished, match, rating.mu, rating.sigma)
            for player, rating in after.items()
        )
    return found


def _sides(played: Sequence[RankedPlayer]) -> Sequence[RatedSide]:
    sides: Mapping[int, list[RankedPlayer]] = {
        side: list(own) for side, own in groupby(played, key=lambda each: each.side)
    }
    return [RatedSide(tuple(each.player for each in own), own[0].rank) for own in sides.values()]


def _view(each: RatedPlayer) -> RatedMatchView:
    rating = Rating(each.mu, each.sigma)
    return RatedMatchView(
        match=each.match,
        position=each.finished,
        mu=rating.mu / _MILLION,
        sigma=rating.sigma / _MILLION,
        ordinal=rating.ordinal / _MILLION,
    )


class PlayerPage(msgspec.Struct, frozen=True):
    """`name` is null once it has been erased, `rating` until the player has finished a match."""

    player: str
    name: str | None
    statistics: Statistics
    rating: RatingView | None


class PlayerPages:
    """Reads a player's page at once, and again if the ratings were behind the log."""

    def __init__(self, ledger: Ledger, ratings: Ratings) -> None:
        self._ledger = ledger
        self._ratings = ratings

    async def read(self, league: str, player: str) -> PlayerPage:
        """Return the page. Raises Refused (`not-found`)."""
        page, _ = await self.read_with_lag(league, player)
        return page

    async def read_with_lag(self, league: str, player: str) -> tuple[PlayerPage, bool]:
        """Return the page, and whether its rating is still behind the log.

        Raises Refused (`not-found`).
        """
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
        return await self._ledger.read(lambda c: find_page(c, league, player))
