"""Processes in which large leagues are folded, to rebuild their stored views.

The fold of a league keeps something of each match in memory. In a process of its own this memory is
freed when the rebuild is done, and the event loop has the interpreter to itself meanwhile.
"""

import asyncio
import multiprocessing
import traceback
from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from multiprocessing.connection import Connection
from typing import TypeVar

from scorekeeper.ledger.database_errors import CLOSING, LedgerUnavailable
from scorekeeper.ledger.integrity.checking import Stored
from scorekeeper.ledger.integrity.raw_rows import HeadRow
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.integrity.rebuild_fold import Folding, FoundInViews, RebuildFold
from scorekeeper.service.integrity.verifying import OnProgress
from scorekeeper.service.readers import SMALL_LEAGUE
from scorekeeper.service.worker_processes import runner
from scorekeeper.service.worker_start import begin_worker
from scorekeeper.store.views import Row

T = TypeVar("T")


class RebuildProcesses:
    """Starts a process to fold a large league, and ends it when that league is done."""

    def __init__(self, ledger: Ledger, url: str) -> None:
        self._ledger = ledger
        self._url = url
        self._running: set[_Process] = set()
        self._closed = False

    @asynccontextmanager
    async def fold_of(self, league: str) -> AsyncGenerator[Folding]:
        """Return the context of a league's fold, in another process if the league is large.

        Raises LedgerUnavailable.
        """
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
        """End all processes. Calls that wait for one raise LedgerUnavailable."""
        self._closed = True
        for process in tuple(self._running):
            await process.stop()


class _Process:
    """A league's fold in a process of its own, which sees all that was committed before a call."""

    def __init__(self, url: str, league: str) -> None:
        # A forked process would inherit threads and connections that it must not use.
        context = multiprocessing.get_context("spawn")
        self._connection, its_end = context.Pipe()
        self._process = context.Process(target=_fold, args=(its_end, url, league), daemon=True)
        self._process.start()
        its_end.close()

    async def begin(self, progress: OnProgress) -> int:
        """See `Folding.begin`. `progress` is called once, at the end."""
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
        """End the process. Calls that wait for it raise LedgerUnavailable.

        A second call does nothing.
        """
        self._process.kill()
        await asyncio.to_thread(self._process.join)

    def _ask(self, work: Callable[[RebuildFold], T]) -> T:
        """Have the process call `work` with its fold. Return its result, or raise what it raises.

        `work` is sent to the process, so it has to be a function of a module.
        """
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
    """Do the work that is asked for, until the connection is closed."""
    begin_worker()
    fold = RebuildFold(runner().run(_open(url)), league)
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
    return runner().run(fold.begin(lambda _: None))


def _ratings_differ(fold: RebuildFold) -> bool:
    return runner().run(fold.ratings_differ())
