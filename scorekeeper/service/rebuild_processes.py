"""Processes in which large leagues are folded to make their stored views anew.

The fold of a league holds something of each of its matches. In a process of its own that memory
goes when it is done, and the event loop has the interpreter for itself meanwhile.
"""

import asyncio
import multiprocessing
import traceback
from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import cache, partial
from multiprocessing.connection import Connection
from typing import TypeVar

from scorekeeper.ledger.database_errors import CLOSING, LedgerUnavailable
from scorekeeper.ledger.integrity.checking import Stored
from scorekeeper.ledger.integrity.raw_rows import HeadRow
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.integrity.rebuild_fold import Folding, FoundInViews, RebuildFold
from scorekeeper.service.integrity.verifying import OnProgress
from scorekeeper.service.readers import SMALL_LEAGUE
from scorekeeper.service.worker_processes import begin_worker
from scorekeeper.store.views import Row

T = TypeVar("T")


class RebuildProcesses:
    """A process is started for a large league, and ended when that league is done."""

    def __init__(self, ledger: Ledger, url: str) -> None:
        self._ledger = ledger
        self._url = url
        self._running: set[_Process] = set()
        self._closed = False

    @asynccontextmanager
    async def fold_of(self, league: str) -> AsyncGenerator[Folding]:
        """Raises LedgerUnavailable."""
        head = await self._ledger.head(league)
        if head is None or head.size <= SMALL_LEAGUE:
            yield RebuildFold(self._ledger, league)
            return
        if self._closed:
            raise LedgerUnavailable(CLOSING)
        process = _Process(self._url, league)
        self._running.add(process)
        try:
            yield process
        finally:
            self._running.discard(process)
            await process.stop()

    async def close(self) -> None:
        """End what is running; whoever waits for it gets LedgerUnavailable."""
        self._closed = True
        for process in tuple(self._running):
            await process.stop()


class _Process:
    """A league folded in a process of its own. It sees what was committed before it is asked."""

    def __init__(self, url: str, league: str) -> None:
        # A fork would take along threads and connections that are none of its own.
        context = multiprocessing.get_context("spawn")
        self._connection, its_end = context.Pipe()
        self._process = context.Process(target=_fold, args=(its_end, url, league), daemon=True)
        self._process.start()
        its_end.close()

    async def begin(self, progress: OnProgress) -> int:
        """See `Folding.begin`. Progress is told at its end."""
        size = await asyncio.to_thread(self._ask, _begin)
        progress(size)
        return size

    def end(self, head: HeadRow, rows: Sequence[Stored]) -> Mapping[str, Collection[str]]:
        """See `Folding.end`."""
        return self._ask(partial(RebuildFold.end, head=head, rows=rows))

    def compare(self, stored: Mapping[str, Sequence[Row]]) -> FoundInViews:
        """See `Folding.compare`."""
        return self._ask(partial(RebuildFold.compare, stored=stored))

    async def ratings_differ(self) -> bool:
        """See `Folding.ratings_differ`."""
        return await asyncio.to_thread(self._ask, _ratings_differ)

    async def stop(self) -> None:
        """Whoever waits for an answer gets LedgerUnavailable; a second time does nothing."""
        self._process.kill()
        await asyncio.to_thread(self._process.join)

    def _ask(self, work: Callable[[RebuildFold], T]) -> T:
        """Have the process do something of a module with its fold; what that raises is raised."""
        try:
            self._connection.send(work)
            done, answer = self._connection.recv()
        except (EOFError, OSError) as error:
            raise LedgerUnavailable("the process that folded the log was ended") from error
        if not done:
            raise answer
        result: T = answer
        return result


def _fold(connection: Connection, url: str, league: str) -> None:
    """Do what is asked until nobody can ask any more."""
    begin_worker()
    fold = RebuildFold(_runner().run(_open(url)), league)
    with suppress(EOFError):
        while True:
            work = connection.recv()
            try:
                answer = True, work(fold)
            except Exception as error:  # noqa: BLE001 - whatever it is, it is told to who asked
                error.add_note(traceback.format_exc())
                answer = False, error
            connection.send(answer)


async def _open(url: str) -> Ledger:
    return await Ledger.open_to_read(url, standby=False)


def _begin(fold: RebuildFold) -> int:
    return _runner().run(fold.begin(lambda _: None))


def _ratings_differ(fold: RebuildFold) -> bool:
    return _runner().run(fold.ratings_differ())


@cache
def _runner() -> asyncio.Runner:
    return asyncio.Runner()
