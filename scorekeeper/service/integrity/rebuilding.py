"""Making the stored views of a league anew beside the old ones, while appends go on."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from typing import TypeAlias

import msgspec
from sqlalchemy import Connection

from scorekeeper.ledger.integrity.raw_rows import (
    PART,
    leagues_with_a_head,
    lock_head,
    read_head,
    read_stored,
)
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.writing.append import NothingToWrite, Seen
from scorekeeper.service.command import Command, IdempotencyKey, Outcome
from scorekeeper.service.identity.access import Caller
from scorekeeper.service.integrity.fresh_rows import Comparison, Difference, FreshView
from scorekeeper.service.integrity.fresh_views import LogUnsound, SoundFold, fresh_ratings
from scorekeeper.service.integrity.verifying import OnProgress
from scorekeeper.service.refused import Refused, not_found
from scorekeeper.service.streams import STREAM
from scorekeeper.store import ratings, tables, views
from scorekeeper.store.views import (
    RATINGS,
    RESULTS,
    VIEWS,
    Row,
    StoredView,
    add,
    change,
    drop,
    leagues_in,
    part_of,
    rows_about,
    rows_of,
)

_Suspects: TypeAlias = dict[StoredView, set[str]]
"""Subjects whose rows may not be as they should be."""

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
        return await self._ledger.read(partial(views.is_up_to_date, league=league))

    async def size(self, league: str) -> int:
        """Raises Refused (`not-found`)."""
        head = await self._ledger.head(league)
        if head is None:
            raise not_found("league")
        return head.size

    async def rebuild(self, league: str, progress: OnProgress = lambda _: None) -> RebuiltView:
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

        def decide(_: Seen) -> Outcome | NothingToWrite[Outcome | None]:
            return NothingToWrite(None) if outcome is None else outcome

        command = Command(
            league=league,
            actor=caller.token_id,
            about=STREAM,
            keys=(key,),
            decide=decide,
            value=_known,
        )
        return await command.carry_out(self._ledger)

    async def _rebuild(self, league: str, progress: OnProgress) -> RebuiltView:
        fold = await self._folded(league, progress)
        suspects = await self._suspects(fold, league)
        # Comparing took its time: all but the latest few entries again.
        await self._fold_on(fold, league, progress)
        _add(suspects, await asyncio.to_thread(fold.fresh.bring_up))
        swap = partial(_swap, fold, suspects, league)
        rebuilt, ratings_dropped = await self._ledger.transact(league, swap)
        if not ratings_dropped and await self._ratings_differ(league):
            dropped = await self._ledger.transact(league, partial(_forget, league=league))
            rebuilt = msgspec.structs.replace(rebuilt, views={**rebuilt.views, **dropped})
        if not rebuilt.left and not await self.is_up_to_date(league):
            # Last, so that whoever is interrupted before it begins again.
            await self._ledger.transact(league, partial(views.made_anew, league=league))
        return rebuilt

    async def _suspects(self, fold: SoundFold, league: str) -> _Suspects:
        """Compared without a lock, part by part."""
        await asyncio.to_thread(fold.fresh.bring_up)
        suspects: _Suspects = {}
        for fresh in await asyncio.to_thread(_rebuilt, fold):
            comparison = Comparison(fresh)
            found: list[Difference] = []
            async for rows in self._parts(fresh.view, league):
                found += await asyncio.to_thread(_taken, comparison, rows)
            found += await asyncio.to_thread(_ended, comparison)
            suspects[fresh.view] = {fresh.view.subject_of(each.key) for each in found}
        return suspects

    async def _parts(self, view: StoredView, league: str) -> AsyncIterator[list[Row]]:
        """The stored rows of a view, some hundreds at a time."""
        last: Row | None = None
        while True:
            read = partial(part_of, view=view, league=league, last=last)
            rows = await self._ledger.read(read)
            if not rows:
                return
            yield rows
            last = rows[-1]

    async def _ratings_differ(self, league: str) -> bool:
        """Looked at without a lock first, and with one if anything seems wrong."""
        rows = [row async for part in self._parts(RATINGS, league) for row in part]
        until = await self._ledger.read(lambda c: ratings.as_of(c, league))
        on = await self._ledger.read(lambda c: ratings.played(c, league, after=0, until=until))
        if not await asyncio.to_thread(_rated_wrong, on, rows):
            return False
        held = await self._ledger.transact(league, partial(_held_ratings, league=league))
        return await asyncio.to_thread(_rated_wrong, *held)

    async def _folded(self, league: str, progress: OnProgress) -> SoundFold:
        """All but the latest few entries, whatever is appended meanwhile."""
        head = await self._ledger.read(lambda c: read_head(c, league))
        if head is None:
            raise not_found("league")
        fold = SoundFold(head)
        await self._fold_to(fold, league, head.size, progress)
        await self._fold_on(fold, league, progress)
        return fold

    async def _fold_on(self, fold: SoundFold, league: str, progress: OnProgress) -> None:
        while True:
            head = await self._ledger.read(lambda c: read_head(c, league))
            if head is None or head.size - fold.size <= _FEW:
                return
            await self._fold_to(fold, league, head.size, progress)

    async def _fold_to(self, fold: SoundFold, league: str, size: int, progress: OnProgress) -> None:
        """Up to a size that was committed, where no match lacks what belongs to its last entry."""
        parts = (
            partial(read_stored, league=league, after=after, until=min(after + PART, size))
            for after in range(fold.size, size, PART)
        )
        async with aclosing(self._ledger.each(parts)) as read:
            async for rows in read:
                await asyncio.to_thread(fold.take, rows)
                progress(len(rows))
        fold.reach(size)


def _rebuilt(fold: SoundFold) -> list[FreshView]:
    return [each for each in fold.fresh.views() if each.view.rebuilt]


def _taken(comparison: Comparison, rows: Sequence[Row]) -> list[Difference]:
    return list(comparison.take(rows))


def _ended(comparison: Comparison) -> list[Difference]:
    return list(comparison.end())


def _compared(fresh: FreshView, rows: Sequence[Row]) -> list[Difference]:
    comparison = Comparison(fresh)
    return [*comparison.take(rows), *comparison.end()]


def _rated_wrong(on: Sequence[ratings.RankedPlayer], rows: Sequence[Row]) -> bool:
    """Whether the ratings are not those that follow from the results."""
    return bool(_compared(fresh_ratings(on), rows))


def _outcome(rebuilt: RebuiltView) -> Outcome:
    return Outcome(body=msgspec.json.encode(rebuilt), created=False)


def _known(outcome: Outcome) -> Outcome | None:
    return outcome


def _swap(
    fold: SoundFold, suspects: _Suspects, league: str, connection: Connection
) -> tuple[RebuiltView, bool]:
    """Write what differs of these rows and of those that changed since; no append comes between.

    Whether results changed on which ratings rest, which were dropped with them.
    """
    head = lock_head(connection, league)
    if head is None:
        raise not_found("league")
    while rows := read_stored(connection, league, fold.size):
        fold.take(rows)
    fold.end(head)
    _add(suspects, fold.fresh.bring_up())
    found = {
        fresh.view: _compared(
            fresh.only(suspects.get(fresh.view, set())),
            list(rows_about(connection, fresh.view, league, suspects.get(fresh.view, set()))),
        )
        for fresh in _rebuilt(fold)
    }
    ratings_dropped = any(_rated_otherwise(each) for each in found.get(RESULTS, ()))
    dropped = (
        _forget(connection, league)
        if ratings_dropped
        else {tables.ratings.name: RowCounts(), tables.rating_progress.name: RowCounts()}
    )
    counts = {
        view.name: _put_right(connection, view, league, differences)
        for view, differences in found.items()
    }
    return RebuiltView(league, head.size, counts | dropped, fold.fresh.left), ratings_dropped


def _put_right(
    connection: Connection, view: StoredView, league: str, found: Sequence[Difference]
) -> RowCounts:
    missing = [
        each.fresh.columns
        for each in found
        if each.stored is None and each.fresh is not None and view.is_whole(each.fresh.columns)
    ]
    changed = [(each.key, each.changed) for each in found if each.changed]
    unknown = [each.key for each in found if each.fresh is None]
    drop(connection, view, league, unknown)
    change(connection, view, league, changed)
    add(connection, view.table, league, missing)
    return RowCounts(inserted=len(missing), updated=len(changed), deleted=len(unknown))


def _rated_otherwise(found: Difference) -> bool:
    """Whether this is another result to whoever rates it: who played, when, and who won."""
    return not found.changed or bool(_RATED & found.changed.keys())


def _add(suspects: _Suspects, touched: Mapping[str, set[str]]) -> None:
    for view in VIEWS:
        suspects[view] = suspects.get(view, set()) | touched.get(view.subject, set())


def _held_ratings(
    connection: Connection, league: str
) -> tuple[Sequence[ratings.RankedPlayer], list[Row]]:
    until = ratings.held_as_of(connection, league)
    on = ratings.played(connection, league, after=0, until=until)
    return on, list(rows_of(connection, RATINGS, league))


def _strangers(connection: Connection) -> list[str]:
    known = set(leagues_with_a_head(connection))
    swept = (*(view.table for view in VIEWS if not view.given), tables.stored_views)
    found = {each for table in swept for each in leagues_in(connection, table)}
    return sorted(found - known)


def _sweep(connection: Connection, league: str) -> RebuiltView:
    found = {
        view: [view.key(row) for row in rows_of(connection, view, league)]
        for view in VIEWS
        if not view.given
    }
    # Only now: what was read before the ledger was opened is none of its rows.
    if read_head(connection, league) is not None:
        return RebuiltView(league, 0, {}, [])
    for view, keys in found.items():
        drop(connection, view, league, keys)
    views.forget(connection, league)
    counts = {view.name: RowCounts(deleted=len(keys)) for view, keys in found.items()}
    return RebuiltView(league, 0, counts, [])


def _forget(connection: Connection, league: str) -> dict[str, RowCounts]:
    """To be computed again when somebody asks."""
    reset, dropped = ratings.forget(connection, league)
    return {
        tables.ratings.name: RowCounts(deleted=dropped),
        tables.rating_progress.name: RowCounts(updated=int(reset)),
    }
