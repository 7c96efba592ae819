"""A commit queue: requests for some ledgers, and the one connection that writes them."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol, TypeVar

import msgspec
from sqlalchemy import Connection

from scorekeeper.ledger.databases.database_errors import LedgerOverloaded, LedgerUnavailable
from scorekeeper.ledger.writing.append import AppendResult, NothingToWrite, Request
from scorekeeper.ledger.writing.group_commit import GroupCommit, RequestOutcome

T = TypeVar("T")

# A group ends at about so many events, so that no transaction grows without bounds.
_GROUP_WEIGHT = 2_048


OnCommit = Callable[[str, int], None]
"""Is told of each commit: the ledger that has grown, and its size since."""


class Writer(Protocol):
    """A connection that writes, reopened when it fails."""

    async def run(self, work: Callable[[Connection], T], /) -> T: ...


class _WaitingRequest(msgspec.Struct, eq=False):
    """A request that waits for its turn, and who is told of it, unless they have left."""

    request: Request[Any]
    tell: Callable[[RequestOutcome], object]
    left: Callable[[], bool]


class _WaitingWork(msgspec.Struct, eq=False):
    work: Callable[[Connection], Any]
    tell: Callable[[Any], object]
    left: Callable[[], bool]


class CommitQueue:
    """Drains its ledgers in turn: all that waits for one ledger, up to a bound, is one group."""

    def __init__(self, writer: Writer, groups: GroupCommit, *, capacity: int) -> None:
        self.on_commit: OnCommit | None = None
        self._writer = writer
        self._groups = groups
        self._capacity = capacity
        self._queues: OrderedDict[str, deque[_WaitingRequest | _WaitingWork]] = OrderedDict()
        self._waiting = 0
        self._wake = asyncio.Event()
        self._closing = False
        self._task = asyncio.create_task(self._drain())

    async def append(self, request: Request[T]) -> AppendResult[T] | NothingToWrite[T]:
        """Wait for a place in a group, and for its commit. Raises LedgerUnavailable."""
        future: asyncio.Future[AppendResult[T] | NothingToWrite[T]] = self._future()
        tell = partial(_settle, future)
        self._queue(request.league, _WaitingRequest(request, tell, future.cancelled))
        return await future

    async def transact(self, league: str, work: Callable[[Connection], T]) -> T:
        """Run `work` between two groups, in a transaction. Raises LedgerUnavailable."""
        future: asyncio.Future[T] = self._future()
        self._queue(league, _WaitingWork(work, partial(_settle, future), future.cancelled))
        return await future

    async def close(self) -> None:
        """Write what waits, then stop."""
        self._closing = True
        self._wake.set()
        await self._task

    def _future(self) -> asyncio.Future[Any]:
        if self._closing:
            raise LedgerUnavailable("the ledger is being closed")
        if self._waiting >= self._capacity:
            raise LedgerOverloaded(f"{self._waiting} requests wait already")
        return asyncio.get_running_loop().create_future()

    def _queue(self, league: str, waiting: _WaitingRequest | _WaitingWork) -> None:
        queue = self._queues.get(league)
        if queue is None:
            queue = self._queues[league] = deque()
            self._wake.set()
        queue.append(waiting)
        self._waiting += 1

    async def _drain(self) -> None:
        while True:
            while not self._queues:
                if self._closing:
                    return
                self._wake.clear()
                await self._wake.wait()
            await self._take_turn()

    async def _take_turn(self) -> None:
        """Apart, so that nothing of a turn is held until there is another one."""
        league, turn = self._take()
        if isinstance(turn, _WaitingWork):
            turn.tell(await self._attempt(partial(_in_transaction, turn.work)))
        elif turn:
            await self._write(league, turn)

    def _take(self) -> tuple[str, list[_WaitingRequest] | _WaitingWork]:
        """The next ledger, and what waited for it longest: some work, or a group of requests."""
        league, queue = self._queues.popitem(last=False)
        group: list[_WaitingRequest] = []
        work: _WaitingWork | None = None
        weight = 0
        while queue and weight < _GROUP_WEIGHT:
            if isinstance(queue[0], _WaitingWork) and group:
                break
            waiting = queue.popleft()
            self._waiting -= 1
            if waiting.left():
                continue
            if isinstance(waiting, _WaitingWork):
                work = waiting
                break
            group.append(waiting)
            weight += waiting.request.weight
        if queue:
            self._queues[league] = queue  # behind the other ledgers
        return league, work or group

    async def _write(self, league: str, group: list[_WaitingRequest]) -> None:
        requests = [waiting.request for waiting in group]
        write: Callable[[Connection], list[RequestOutcome]] = partial(
            self._groups.write, league=league, requests=requests
        )
        outcomes = await self._attempt(write)
        if not isinstance(outcomes, Exception):
            for waiting, outcome in zip(group, outcomes, strict=True):
                waiting.tell(outcome)
            self._tell(league, outcomes)
        elif len(group) == 1 or isinstance(outcomes, LedgerUnavailable):
            for waiting in group:
                waiting.tell(outcomes)
        else:
            # A request of the group can't be written. Retried singly, it fails alone.
            for waiting in group:
                await self._write(league, [waiting])

    def _tell(self, league: str, outcomes: list[RequestOutcome]) -> None:
        if self.on_commit is None:
            return
        for outcome in reversed(outcomes):
            if isinstance(outcome, AppendResult) and outcome.entries:
                self.on_commit(league, outcome.size)
                return

    async def _attempt(self, work: Callable[[Connection], T]) -> T | Exception:
        try:
            return await self._writer.run(work)
        except Exception as error:  # noqa: BLE001 - whatever it is, those who wait are told
            return error


def _settle(future: asyncio.Future[Any], outcome: object) -> None:
    if future.done():  # the caller went away
        return
    if isinstance(outcome, Exception):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)


def _in_transaction(work: Callable[[Connection], T], connection: Connection) -> T:
    with connection.begin():
        return work(connection)
