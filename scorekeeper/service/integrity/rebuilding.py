"""Rebuilding the stored views of a league from its log, while appends go on."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial
from typing import TypeAlias

import msgspec
from sqlalchemy import Connection

from scorekeeper.ledger.integrity.raw_rows import (
    leagues_with_a_head,
    lock_head,
    read_head,
    stored_since,
)
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.writing.append import NothingToWrite, Seen
from scorekeeper.ledger.writing.long_decisions import LeagueQueue
from scorekeeper.ledger.writing.write_batch import at_once, on_a_thread
from scorekeeper.service.command import Command, IdempotencyKey, Outcome
from scorekeeper.service.identity.access import Caller
from scorekeeper.service.integrity.fresh_rows import Difference
from scorekeeper.service.integrity.fresh_views import LogUnsound
from scorekeeper.service.integrity.rebuild_fold import Folding, RebuildFold, rated_wrong
from scorekeeper.service.integrity.verifying import OnProgress
from scorekeeper.service.refused import Refused, not_found
from scorekeeper.service.streams import LEAGUE_STREAM
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
    rows_about,
    rows_of,
)

FoldOf: TypeAlias = Callable[[str], AbstractAsyncContextManager[Folding]]
"""Returns a context manager for the fold of a league, which is held until the context is left."""

_RATED = frozenset({"finished", "side", "seat", "rank"})


class RowCounts(msgspec.Struct, frozen=True):
    """How many rows of a view were written."""

    inserted: int = 0
    updated: int = 0
    deleted: int = 0

    @property
    def sum(self) -> int:
        return self.inserted + self.updated + self.deleted


class RebuiltView(msgspec.Struct, frozen=True):
    """How many rows were corrected in each view. They now follow from the first `size` entries.

    `left` names the matches and tournaments that can't be replayed. Their rows stay as they were.
    While there is such a match, the league's table also stays as it was. Ratings are only deleted.
    They are computed again when somebody asks for them.
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
    """Rebuilds one league at a time, since a rebuild occupies a processor for as long as it lasts.

    A league that is to be rebuilt often waits for itself, and lets other leagues come in between.
    `fold_of` begins the fold of a league. If it is None, leagues are folded in this process.
    """

    def __init__(self, ledger: Ledger, fold_of: FoldOf | None = None) -> None:
        self._ledger = ledger
        self._fold_of = fold_of or self._fold_here
        self._turn = asyncio.Lock()
        self._turns_of_leagues = LeagueQueue()

    async def leagues(self) -> list[str]:
        return await self._ledger.read(leagues_with_a_head)

    async def strangers(self) -> list[str]:
        """Leagues that have rows in views, and no ledger."""
        return await self._ledger.read(_strangers)

    async def sweep(self, league: str) -> RebuiltView:
        """Delete the rows in views of a league that has no ledger."""
        return await self._ledger.transact(league, partial(_sweep, league=league))

    async def is_up_to_date(self, league: str) -> bool:
        """Return whether the league's views were written with today's derivation."""
        return await self._ledger.read(partial(views.is_up_to_date, league=league))

    async def size(self, league: str) -> int:
        """Return how many entries the league has. Raises Refused (`not-found`)."""
        head = await self._ledger.head(league)
        if head is None:
            raise not_found("league")
        return head.size

    async def rebuild(self, league: str, progress: OnProgress = lambda _: None) -> RebuiltView:
        """Fold the log without a lock, then write what differs in one short transaction.

        Raises Refused (`not-found`, or `log-forked` if the log itself is not as it was recorded),
        and LedgerOverloaded if too many rebuilds of the league wait.
        """
        async with self._turns_of_leagues.of(league), self._turn:
            try:
                return await self._rebuild(league, progress)
            except LogUnsound as error:
                raise Refused(
                    "log-forked",
                    reason="log-unsound",
                    facts={"position": error.flaw.position, "flaw": error.flaw.code},
                ) from error

    async def answer(self, caller: Caller, league: str, key: IdempotencyKey | None) -> Outcome:
        """Rebuild a league for a client. A request repeated under its key gets the first answer.

        Raises Refused as `rebuild` does, and `idempotency-key-reused`.
        """
        if key is None:
            return _outcome(await self.rebuild(league))
        known = await self._keep(caller, league, key, None)
        if known is not None:
            return known
        outcome = _outcome(await self.rebuild(league))
        return await self._keep(caller, league, key, outcome) or outcome

    def _fold_here(self, league: str) -> AbstractAsyncContextManager[Folding]:
        return nullcontext(RebuildFold(self._ledger, league))

    async def _keep(
        self, caller: Caller, league: str, key: IdempotencyKey, outcome: Outcome | None
    ) -> Outcome | None:
        """Return the answer that is kept under the key. If there is none, keep `outcome` under it.

        If `outcome` is None, nothing is kept.
        """

        def decide(_: Seen) -> Outcome | NothingToWrite[Outcome | None]:
            return NothingToWrite(None) if outcome is None else outcome

        command = Command(
            league=league,
            actor=caller.token_id,
            about=LEAGUE_STREAM,
            keys=(key,),
            decide=decide,
        )
        return await command.carry_out(self._ledger)

    async def _rebuild(self, league: str, progress: OnProgress) -> RebuiltView:
        async with self._fold_of(league) as fold:
            size = await fold.begin(progress)
            swap = partial(_swap, fold, size, league)
            rebuilt, ratings_dropped = await self._ledger.transact(league, swap)
            if not ratings_dropped and await fold.ratings_differ():
                rebuilt = await self._without_wrong_ratings(league, rebuilt)
        if not rebuilt.left and not await self.is_up_to_date(league):
            # Noted last, so that an interrupted rebuild is done again.
            await self._ledger.transact(league, partial(views.made_anew, league=league))
        return rebuilt

    async def _without_wrong_ratings(self, league: str, rebuilt: RebuiltView) -> RebuiltView:
        """Read the ratings once more under a lock, and delete them if they are still wrong."""
        held = await self._ledger.transact(league, partial(_held_ratings, league=league))
        if not await asyncio.to_thread(rated_wrong, *held):
            return rebuilt
        dropped = await self._ledger.transact(league, partial(_forget, league=league))
        return msgspec.structs.replace(rebuilt, views={**rebuilt.views, **dropped})


def _outcome(rebuilt: RebuiltView) -> Outcome:
    return Outcome(body=msgspec.json.encode(rebuilt), created=False)


def _swap(
    fold: Folding, size: int, league: str, connection: Connection
) -> tuple[RebuiltView, bool]:
    """Correct the rows that differ, with the ledger's head locked, so that nothing is appended.

    Return also whether results changed on which ratings rest. If so, the ratings were deleted.
    """
    head = lock_head(connection, league)
    if head is None:
        raise not_found("league")
    aside = at_once if connection.dialect.name == "sqlite" else on_a_thread
    since = stored_since(connection, league, size)
    subjects = aside(partial(fold.end, head, since))
    stored = {
        view.name: list(rows_about(connection, view, league, subjects[view.name]))
        for view in VIEWS
        if view.name in subjects
    }
    found = aside(partial(fold.compare, stored))
    ratings_dropped = any(map(_rated_otherwise, found.differences.get(RESULTS.name, ())))
    dropped = (
        _forget(connection, league)
        if ratings_dropped
        else {tables.ratings.name: RowCounts(), tables.rating_progress.name: RowCounts()}
    )
    counts = {
        view.name: _put_right(connection, view, league, found.differences[view.name])
        for view in VIEWS
        if view.name in subjects
    }
    return RebuiltView(league, head.size, counts | dropped, found.unreplayable), ratings_dropped


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
    """Return whether a changed result affects ratings, which rest on who played, when and how."""
    return not found.changed or bool(_RATED & found.changed.keys())


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
    # Checked after the rows were read. If there is still no ledger, none of them belongs to one.
    if read_head(connection, league) is not None:
        return RebuiltView(league, 0, {}, [])
    for view, keys in found.items():
        drop(connection, view, league, keys)
    views.forget(connection, league)
    counts = {view.name: RowCounts(deleted=len(keys)) for view, keys in found.items()}
    return RebuiltView(league, 0, counts, [])


def _forget(connection: Connection, league: str) -> dict[str, RowCounts]:
    """Delete the league's ratings, which are computed again when somebody asks for them."""
    reset, dropped = ratings.forget(connection, league)
    return {
        tables.ratings.name: RowCounts(deleted=dropped),
        tables.rating_progress.name: RowCounts(updated=int(reset)),
    }
