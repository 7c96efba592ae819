"""Making the stored views of a league anew beside the old ones, while appends go on."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import asdict
from sqlalchemy import Connection, Table

from scorekeeper.ledger.append import Answered, Seen
from scorekeeper.ledger.columns import (
    PART,
    leagues_with_a_head,
    lock_head,
    read_head,
    read_stored,
)
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.answers import IdempotencyKey, Outcome
from scorekeeper.service.command import Command
from scorekeeper.service.identity.access import Caller
from scorekeeper.service.integrity.fresh_views import FreshViews, Keys, LogUnsound, missing
from scorekeeper.service.integrity.verifying import Progress
from scorekeeper.service.league_events import STREAM
from scorekeeper.service.refused import Refused, not_found
from scorekeeper.service.standings.rating import rated_after
from scorekeeper.store import ratings, stored_views, tables
from scorekeeper.store.put_right import (
    Difference,
    Key,
    by_key,
    difference,
    differing,
    put_right,
    view,
)
from scorekeeper.store.ratings import RankedPlayer
from scorekeeper.store.rows_of_league import leagues_in, part_of, rows_of

_VIEWS = (
    tables.matches,
    tables.tournaments,
    tables.tournament_tables,
    tables.results,
    tables.meetings,
    tables.standings,
    tables.ratings,
)
_RATED = frozenset({"finished", "side", "seat", "rank"})
# So many entries may be left for the transaction that swaps; more are folded before it.
_FEW = 500


class RowCounts(msgspec.Struct, frozen=True):
    """How many rows of a view were written."""

    inserted: int = 0
    updated: int = 0
    deleted: int = 0

    @property
    def sum(self) -> int:
        return self.inserted + self.updated + self.deleted


class RebuiltView(msgspec.Struct, frozen=True):
    """What was put right, by view; the views are now as the ledger of `size` entries has them.

    `left` names the matches and tournaments that can't be replayed, whose rows stay as they were;
    while there is such a match, the league's table stays too. Ratings are only deleted: they are
    computed again when somebody asks.
    """

    league: str
    size: int
    views: Mapping[str, RowCounts]
    left: list[str]

    @property
    def sum(self) -> int:
        """How many rows were written."""
        return sum(each.sum for each in self.views.values())


class Rebuilding:
    """One league at a time in a process, since it takes a processor for as long as it lasts."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._turn = asyncio.Lock()

    async def leagues(self) -> list[str]:
        return await self._ledger.read(leagues_with_a_head)

    async def strangers(self) -> list[str]:
        """Leagues that have rows in views, and no ledger."""
        return await self._ledger.read(_strangers)

    async def sweep(self, league: str) -> RebuiltView:
        """Delete the rows in views of a league that has no ledger."""
        return await self._ledger.transact(league, partial(_sweep, league=league))

    async def is_up_to_date(self, league: str) -> bool:
        """Whether the league's views were written with today's derivation."""
        return await self._ledger.read(partial(stored_views.is_up_to_date, league=league))

    async def size(self, league: str) -> int:
        """Raises Refused (`not-found`)."""
        head = await self._ledger.head(league)
        if head is None:
            raise not_found("league")
        return head.size

    async def rebuild(self, league: str, progress: Progress = lambda _: None) -> RebuiltView:
        """Fold the log without a lock, then write what differs in one short transaction.

        Raises Refused (`not-found`, `log-forked` where the log itself is not as it was recorded).
        """
        async with self._turn:
            try:
                return await self._rebuild(league, progress)
            except LogUnsound as error:
                raise Refused(
                    "log-forked",
                    reason="log-unsound",
                    facts={"position": error.flaw.position, "flaw": error.flaw.code},
                ) from error

    async def answer(self, caller: Caller, league: str, key: IdempotencyKey | None) -> Outcome:
        """Rebuild a league for a client, who gets the answer of the first time under one key.

        Raises Refused as `rebuild` does, and `idempotency-key-reused`.
        """
        if key is None:
            return _outcome(await self.rebuild(league))
        known = await self._keep(caller, league, key, None)
        if known is not None:
            return known
        outcome = _outcome(await self.rebuild(league))
        return await self._keep(caller, league, key, outcome) or outcome

    async def _keep(
        self, caller: Caller, league: str, key: IdempotencyKey, outcome: Outcome | None
    ) -> Outcome | None:
        """The answer that is kept under the key, else `outcome`, which is kept from now on."""

        def decide(_: Seen) -> Outcome | Answered[Outcome | None]:
            return Answered(None) if outcome is None else outcome

        command = Command(
            league=league,
            actor=caller.token_id,
            about=STREAM,
            keys=(key,),
            decide=decide,
            value=_known,
        )
        return await command.carry_out(self._ledger)

    async def _rebuild(self, league: str, progress: Progress) -> RebuiltView:
        fresh = await self._folded(league, progress)
        keys = await self._suspects(fresh, league)
        # Comparing took its time: all but the latest few entries again.
        await self._fold_on(fresh, league, progress)
        _add(keys, await asyncio.to_thread(fresh.bring_up))
        swap = partial(_swap, fresh, keys, league)
        rebuilt, ratings_dropped = await self._ledger.transact(league, swap)
        if not ratings_dropped and await self._ratings_differ(league):
            dropped = await self._ledger.transact(league, partial(_forget, league=league))
            rebuilt = msgspec.structs.replace(rebuilt, views={**rebuilt.views, **dropped})
        if not rebuilt.left and not await self.is_up_to_date(league):
            # Last, so that whoever is interrupted before it begins again.
            await self._ledger.transact(league, partial(stored_views.made_anew, league=league))
        return rebuilt

    async def _suspects(self, fresh: FreshViews, league: str) -> dict[Table, set[Key]]:
        """Rows that are not as they should be, or have changed since, compared without a lock."""
        await asyncio.to_thread(fresh.bring_up)
        suspects: dict[Table, set[Key]] = {}
        for each in await asyncio.to_thread(fresh.views):
            missing = set(each.whole)
            own = suspects[each.table] = set()
            async for rows in self._parts(each.table, league):
                keys, others = await asyncio.to_thread(differing, each, rows)
                missing -= keys
                own |= others
            own |= missing
        return suspects

    async def _parts(self, table: Table, league: str) -> AsyncIterator[list[dict[str, Any]]]:
        """The stored rows of a view, some hundreds at a time."""
        last: dict[str, Any] | None = None
        while True:
            read = partial(part_of, table=table, league=league, last=last)
            rows = await self._ledger.read(read)
            if not rows:
                return
            yield rows
            last = rows[-1]

    async def _ratings_differ(self, league: str) -> bool:
        """Looked at without a lock first, and with one if anything seems wrong."""
        rows = [row async for part in self._parts(tables.ratings, league) for row in part]
        until = await self._ledger.read(lambda c: ratings.as_of(c, league))
        on = await self._ledger.read(lambda c: ratings.played(c, league, after=0, until=until))
        if not await asyncio.to_thread(_Rated(on, rows).differ):
            return False
        held = await self._ledger.transact(league, partial(_held_ratings, league=league))
        return await asyncio.to_thread(held.differ)

    async def _folded(self, league: str, progress: Progress) -> FreshViews:
        """All but the latest few entries, whatever is appended meanwhile."""
        head = await self._ledger.read(lambda c: read_head(c, league))
        if head is None:
            raise not_found("league")
        fresh = FreshViews(head)
        await self._fold_to(fresh, league, head.size, progress)
        await self._fold_on(fresh, league, progress)
        return fresh

    async def _fold_on(self, fresh: FreshViews, league: str, progress: Progress) -> None:
        while True:
            head = await self._ledger.read(lambda c: read_head(c, league))
            if head is None or head.size - fresh.size <= _FEW:
                return
            await self._fold_to(fresh, league, head.size, progress)

    async def _fold_to(self, fresh: FreshViews, league: str, size: int, progress: Progress) -> None:
        """Up to a size that was committed, where no match lacks what belongs to its last entry."""
        parts = (
            partial(read_stored, league=league, after=after, until=min(after + PART, size))
            for after in range(fresh.size, size, PART)
        )
        async with aclosing(self._ledger.each(parts)) as read:
            async for rows in read:
                await asyncio.to_thread(fresh.take, rows)
                progress(len(rows))
        if fresh.size < size:
            raise missing(league, fresh.size + 1)


class _Rated(msgspec.Struct, frozen=True):
    """The ratings as they stand, and the results that they rest on."""

    on: Sequence[RankedPlayer]
    rows: Sequence[Mapping[str, object]]

    def differ(self) -> bool:
        """Whether they are not those that follow from the results."""
        table = tables.ratings
        fresh = by_key(table, (asdict(each) for each in rated_after((), self.on)))
        stand = by_key(
            table,
            ({name: said for name, said in row.items() if name != "league"} for row in self.rows),
        )
        return fresh != stand


def _outcome(rebuilt: RebuiltView) -> Outcome:
    return Outcome(body=msgspec.json.encode(rebuilt), created=False)


def _known(outcome: Outcome) -> Outcome | None:
    return outcome


def _swap(
    fresh: FreshViews, keys: dict[Table, set[Key]], league: str, connection: Connection
) -> tuple[RebuiltView, bool]:
    """Write what differs of these rows and of those that changed since; no append comes between.

    Whether results changed on which ratings rest, which were dropped with them.
    """
    head = lock_head(connection, league)
    if head is None:
        raise not_found("league")
    while rows := read_stored(connection, league, fresh.size):
        fresh.take(rows)
    fresh.end(head)
    _add(keys, fresh.bring_up())
    found = [
        difference(connection, league, each, keys.get(each.table, set())) for each in fresh.views()
    ]
    counts = {each.table.name: _counts(each) for each in found}
    ratings_dropped = any(_rated_otherwise(each) for each in found if each.table is tables.results)
    if ratings_dropped:
        counts |= _forget(connection, league)
    else:
        counts |= {tables.ratings.name: RowCounts(), tables.rating_progress.name: RowCounts()}
    for each in found:
        put_right(connection, each)
    return RebuiltView(league, head.size, counts, fresh.left), ratings_dropped


def _rated_otherwise(found: Difference) -> bool:
    """Whether these are other results to whoever rates them: who played, when, and who won."""
    changed = any(_RATED & other.keys() for _, other in found.changed)
    return changed or bool(found.missing or found.unknown)


def _add(keys: dict[Table, set[Key]], more: Keys) -> None:
    for table, own in more.items():
        keys[table] = keys.get(table, set()) | own


def _held_ratings(connection: Connection, league: str) -> _Rated:
    until = ratings.held_as_of(connection, league)
    on = ratings.played(connection, league, after=0, until=until)
    return _Rated(on, list(rows_of(connection, tables.ratings, league)))


def _strangers(connection: Connection) -> list[str]:
    known = set(leagues_with_a_head(connection))
    tables_of_views = (*_VIEWS, tables.stored_views)
    found = {each for table in tables_of_views for each in leagues_in(connection, table)}
    return sorted(found - known)


def _sweep(connection: Connection, league: str) -> RebuiltView:
    found = [difference(connection, league, view(table, ())) for table in _VIEWS]
    # Only now: what was read before the ledger was opened is none of its rows.
    if read_head(connection, league) is not None:
        return RebuiltView(league, 0, {}, [])
    for each in found:
        put_right(connection, each)
    stored_views.forget(connection, league)
    return RebuiltView(league, 0, {each.table.name: _counts(each) for each in found}, [])


def _forget(connection: Connection, league: str) -> dict[str, RowCounts]:
    """To be computed again when somebody asks."""
    reset, dropped = ratings.forget(connection, league)
    return {
        tables.ratings.name: RowCounts(deleted=dropped),
        tables.rating_progress.name: RowCounts(updated=int(reset)),
    }


def _counts(found: Difference) -> RowCounts:
    return RowCounts(
        inserted=len(found.missing), updated=len(found.changed), deleted=len(found.unknown)
    )
