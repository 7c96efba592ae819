"""A commit queue: requests for some ledgers, and the one connection that writes them.

Turns decide which of the waiting ledgers are written next, and how much of each. A commit waits for
the disk, so ledgers with small requests share a turn. A ledger with a large request or other work
has a turn alone. After such a turn, a shared one comes first, so that small requests never wait for
several large ones in a row.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, Protocol, TypeAlias, TypeVar

import msgspec
from sqlalchemy import Connection

from scorekeeper.ledger.database_errors import CLOSING, LedgerOverloaded, LedgerUnavailable
from scorekeeper.ledger.writing.append import (
    SMALL_WEIGHT,
    AppendResult,
    NothingToWrite,
    Request,
    RequestOutcome,
)
from scorekeeper.ledger.writing.group_commit import GroupCommit
from scorekeeper.ledger.writing.joint_commit import JointCommit

# A turn ends at about so many events, so that no transaction grows without bounds.
_TURN_WEIGHT: Final = 2_048
_SHARED_LEDGERS: Final = 256

T = TypeVar("T")

OnCommit = Callable[[str, int], None]
"""Called after each commit, with the league and the new size of its ledger."""


class WaitingRequest(msgspec.Struct, eq=False):
    """A request that waits for its turn.

    `deliver` hands the outcome to the caller. `is_abandoned` returns whether the caller has stopped
    waiting.
    """

    request: Request[Any]
    deliver: Callable[[RequestOutcome], object]
    is_abandoned: Callable[[], bool]

    @property
    def is_large(self) -> bool:
        return self.request.is_large


class WaitingWork(msgspec.Struct, eq=False):
    """Work on the connection of a ledger, between two turns."""

    work: Callable[[Connection], Any]
    deliver: Callable[[Any], object]
    is_abandoned: Callable[[], bool]

    @property
    def is_large(self) -> bool:
        return True


Waiting: TypeAlias = WaitingRequest | WaitingWork
Group: TypeAlias = list[WaitingRequest]
"""Requests of one ledger, in order of arrival."""


class Turns:
    """All that waits, by ledger. Its length is the number of requests and works."""

    def __init__(self) -> None:
        self._queues: OrderedDict[str, deque[Waiting]] = OrderedDict()
        self._waiting = 0
        self._was_alone = False

    def __len__(self) -> int:
        return self._waiting

    def add(self, league: str, waiting: Waiting) -> None:
        """Put a request or work behind all others that wait for its ledger."""
        self._queues.setdefault(league, deque()).append(waiting)
        self._waiting += 1

    def take(self) -> WaitingWork | Mapping[str, Group]:
        """Remove and return the next turn: some work, or the groups that are written together.

        Call it only if something waits. The turn may be empty: callers who left are passed over.
        """
        alone: str | None = None
        small: list[str] = []
        for league, queue in self._queues.items():
            if not queue[0].is_large:
                small.append(league)
            elif alone is None:
                alone = league
            if len(small) == _SHARED_LEDGERS:
                break
        self._was_alone = alone is not None and not (small and self._was_alone)
        if alone is not None and self._was_alone:
            return self._alone(alone)
        if len(small) == 1:
            return self._group(small[0], _TURN_WEIGHT)
        turn: dict[str, Group] = {}
        weight = 0
        for league in small:
            if weight >= _TURN_WEIGHT:
                break
            turn |= (group := self._group(league, SMALL_WEIGHT, only_small=True))
            weight += sum(waiting.request.weight for each in group.values() for waiting in each)
        return turn

    def _alone(self, league: str) -> WaitingWork | Mapping[str, Group]:
        queue = self._queues[league]
        first = queue[0]
        if isinstance(first, WaitingRequest):
            return self._group(league, _TURN_WEIGHT)
        queue.popleft()
        self._waiting -= 1
        self._put_behind(league)
        return {} if first.is_abandoned() else first

    def _group(self, league: str, most: int, *, only_small: bool = False) -> dict[str, Group]:
        """Take the requests that waited longest for a ledger, up to the weight `most`.

        If more waits for the ledger, it is put behind the other ledgers.
        """
        queue = self._queues[league]
        group: Group = []
        weight = 0
        while queue and weight < most:
            first = queue[0]
            if isinstance(first, WaitingWork) or (only_small and first.is_large):
                break
            queue.popleft()
            self._waiting -= 1
            if not first.is_abandoned():
                group.append(first)
                weight += first.request.weight
        self._put_behind(league)
        return {league: group} if group else {}

    def _put_behind(self, league: str) -> None:
        if self._queues[league]:
            self._queues.move_to_end(league)
        else:
            del self._queues[league]


class Writer(Protocol):
    """A connection that writes, reopened when it fails."""

    async def run(self, work: Callable[[Connection], T], /) -> T: ...


class CommitQueue:
    """Writes its ledgers turn by turn. The requests of one ledger in a turn are one group."""

    def __init__(
        self, writer: Writer, groups: GroupCommit, joint: JointCommit, *, capacity: int
    ) -> None:
        self.on_commit: OnCommit | None = None
        self._writer = writer
        self._groups = groups
        self._joint = joint
        self._capacity = capacity
        self._turns = Turns()
        self._wake = asyncio.Event()
        self._closing = False
        self._task = asyncio.create_task(self._drain())

    async def append(self, request: Request[T]) -> AppendResult[T] | NothingToWrite[T]:
        """Wait for a place in a group, and for its commit. Raises LedgerUnavailable."""
        future: asyncio.Future[AppendResult[T] | NothingToWrite[T]] = self._future()
        deliver = partial(_resolve, future)
        self._add(request.league, WaitingRequest(request, deliver, future.cancelled))
        return await future

    async def transact(self, league: str, work: Callable[[Connection], T]) -> T:
        """Run `work` between two groups, in a transaction. Raises LedgerUnavailable."""
        future: asyncio.Future[T] = self._future()
        self._add(league, WaitingWork(work, partial(_resolve, future), future.cancelled))
        return await future

    async def close(self) -> None:
        """Write all that waits, then stop."""
        self._closing = True
        self._wake.set()
        await self._task

    def _future(self) -> asyncio.Future[Any]:
        if self._closing:
            raise LedgerUnavailable(CLOSING)
        if len(self._turns) >= self._capacity:
            raise LedgerOverloaded(f"{len(self._turns)} requests wait already")
        return asyncio.get_running_loop().create_future()

    def _add(self, league: str, waiting: Waiting) -> None:
        self._turns.add(league, waiting)
        self._wake.set()

    async def _drain(self) -> None:
        while True:
            while not self._turns:
                if self._closing:
                    return
                self._wake.clear()
                await self._wake.wait()
            await self._take_turn()

    async def _take_turn(self) -> None:
        """Write one turn. As a function of its own, it keeps nothing of the turn in memory."""
        turn = self._turns.take()
        if isinstance(turn, WaitingWork):
            turn.deliver(await self._attempt(partial(_in_transaction, turn.work)))
            return
        if len(turn) > 1:
            turn = await self._write_together(turn)
        for league, group in turn.items():
            await self._write(league, group)

    async def _write_together(self, turn: Mapping[str, Group]) -> Mapping[str, Group]:
        """Write the groups in one commit. Return those that are left to be written singly."""
        requests = {
            league: [waiting.request for waiting in group] for league, group in turn.items()
        }
        written = await self._attempt(lambda connection: self._joint.write(connection, requests))
        if isinstance(written, LedgerUnavailable):
            for group in turn.values():
                for waiting in group:
                    waiting.deliver(written)
            return {}
        if isinstance(written, Exception):
            return turn
        for league, outcomes in written.items():
            self._deliver(league, turn[league], outcomes)
        return {league: group for league, group in turn.items() if league not in written}

    async def _write(self, league: str, group: Group) -> None:
        requests = [waiting.request for waiting in group]
        write: Callable[[Connection], list[RequestOutcome]] = partial(
            self._groups.write, league=league, requests=requests
        )
        outcomes = await self._attempt(write)
        if not isinstance(outcomes, Exception):
            self._deliver(league, group, outcomes)
        elif len(group) == 1 or isinstance(outcomes, LedgerUnavailable):
            for waiting in group:
                waiting.deliver(outcomes)
        else:
            # A request of the group can't be written. Retried singly, it fails alone.
            for waiting in group:
                await self._write(league, [waiting])

    def _deliver(self, league: str, group: Group, outcomes: list[RequestOutcome]) -> None:
        for waiting, outcome in zip(group, outcomes, strict=True):
            waiting.deliver(outcome)
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


def _resolve(future: asyncio.Future[Any], outcome: object) -> None:
    if future.done():  # the caller went away
        return
    if isinstance(outcome, StopIteration):
        # As from a coroutine. A future takes no StopIteration: the queue would stop here for good.
        stopped, outcome = outcome, RuntimeError("a decision raised StopIteration")
        outcome.__cause__ = stopped
    if isinstance(outcome, Exception):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)


def _in_transaction(work: Callable[[Connection], T], connection: Connection) -> T:
    with connection.begin():
        return work(connection)
