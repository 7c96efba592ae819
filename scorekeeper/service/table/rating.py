"""Ratings that follow the log: caught up when somebody asks, a few matches at a time."""

import asyncio
from collections.abc import Mapping, Sequence
from itertools import groupby

import msgspec

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.projections.ratings import Rating, Side, rated
from scorekeeper.service.refused import not_found
from scorekeeper.store import players
from scorekeeper.store import ratings as stored
from scorekeeper.store.player_pages import StoredPage
from scorekeeper.store.ratings import RankedPlayer, RatedPlayer

_MATCHES_AT_ONCE = 100
_STEPS_WAITED_FOR = 20
_MILLION = 1_000_000


class RatingView(msgspec.Struct, frozen=True, kw_only=True):
    """How well somebody plays: `mu`, and how uncertain that is: `sigma` (Plackett-Luce).

    `ordinal` is mu - 3 sigma. `as_of`: results up to that position of the ledger are in it.
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
        self._following: dict[str, asyncio.Lock] = {}

    async def history(
        self, league: str, player: str, *, after: int, limit: int
    ) -> list[RatedMatchView]:
        """In log order, from behind the position `after`. Raises Refused (`not-found`)."""
        if await self._ledger.read(lambda c: players.find(c, league, player)) is None:
            raise not_found("player")
        await self.catch_up(league)
        found = await self._ledger.read(
            lambda c: stored.history(c, league, player, after=after, limit=limit)
        )
        return [_view(each) for each in found]

    async def catch_up(self, league: str) -> None:
        """Take in what was won since; of very many matches only the next ones."""
        lock = self._following.setdefault(league, asyncio.Lock())
        async with lock:
            for _ in range(_STEPS_WAITED_FOR):
                if not await self._step(league):
                    break
        if not lock.locked():
            self._following.pop(league, None)

    async def _step(self, league: str) -> bool:
        """Whether there may be more to take in."""
        seen = await self._ledger.read(lambda c: stored.as_of(c, league))
        to = await self._ledger.read(
            lambda c: stored.end_of_next(c, league, after=seen, matches=_MATCHES_AT_ONCE)
        )
        if to is None:
            return False
        on = await self._ledger.read(lambda c: stored.played(c, league, after=seen, until=to))
        names = {each.player for each in on}
        before = await self._ledger.read(lambda c: stored.latest(c, league, names))
        new = rated_after(before, on)
        await self._ledger.transact(
            league, lambda c: stored.advance(c, league, new, on=on, seen=seen, to=to)
        )
        return True


def rating_view(stored: StoredPage) -> RatingView | None:
    """Somebody's latest rating; None where there is none."""
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
    """The ratings after each of the matches, which follow one another."""
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


def _sides(played: Sequence[RankedPlayer]) -> Sequence[Side]:
    sides: Mapping[int, list[RankedPlayer]] = {
        side: list(own) for side, own in groupby(played, key=lambda each: each.side)
    }
    return [Side(tuple(each.player for each in own), own[0].rank) for own in sides.values()]


def _view(each: RatedPlayer) -> RatedMatchView:
    rating = Rating(each.mu, each.sigma)
    return RatedMatchView(
        match=each.match,
        position=each.finished,
        mu=rating.mu / _MILLION,
        sigma=rating.sigma / _MILLION,
        ordinal=rating.ordinal / _MILLION,
    )
