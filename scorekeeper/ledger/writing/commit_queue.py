"""A commit queue: requests for some ledgers, and the one connection that writes them."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection

from scorekeeper.ledger.databases.database_errors import LedgerOverloaded, LedgerUnavailable
from scorekeeper.ledger.writing.append import (
    AppendResult,
    NothingToWrite,
    Request,
    RequestOutcome,
)
from scorekeeper.ledger.writing.group_commit import GroupCommit
from scorekeeper.ledger.writing.joint_commit import JointCommit
from scorekeeper.ledger.writing.turns import Group, Turns, Waiting, WaitingRequest, WaitingWork

T = TypeVar("T")

OnCommit = Callable[[str, int], None]
"""Is told of each commit: the ledger that has grown, and its size since."""


class Writer(Protocol):
    """A connection that writes, reopened when it fails."""

    async def run(self, work: Callable[[Connection], T], /) -> T: ...


class CommitQueue:
    """Drains its ledgers turn by turn; all that one of them is given in a turn is one group."""

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
        tell = partial(_settle, future)
        self._add(request.league, WaitingRequest(request, tell, future.cancelled))
        return await future

    async def transact(self, league: str, work: Callable[[Connection], T]) -> T:
        """Run `work` between two groups, in a transaction. Raises LedgerUnavailable."""
        future: asyncio.Future[T] = self._future()
        self._add(league, WaitingWork(work, partial(_settle, future), future.cancelled))
        return await future

    async def close(self) -> None:
        """Write what waits, then stop."""
        self._closing = True
        self._wake.set()
        await self._task

    def _future(self) -> asyncio.Future[Any]:
        if self._closing:
            raise LedgerUnavailable("the ledger is being closed")
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
        """Apart, so that nothing of a turn is held until there is another one."""
        turn = self._turns.take()
        if isinstance(turn, WaitingWork):
            turn.tell(await self._attempt(partial(_in_transaction, turn.work)))
            return
        if len(turn) > 1:
            turn = await self._write_together(turn)
        for league, group in turn.items():
            await self._write(league, group)

    async def _write_together(self, turn: Mapping[str, Group]) -> Mapping[str, Group]:
        """The groups that are left, to be written singly."""
        requests = {
            league: [waiting.request for waiting in group] for league, group in turn.items()
        }
        written = await self._attempt(lambda connection: self._joint.write(connection, requests))
        if isinstance(written, LedgerUnavailable):
            for group in turn.values():
                for waiting in group:
                    waiting.tell(written)
            return {}
        if isinstance(written, Exception):
            return turn
        for league, outcomes in written.items():
            self._tell(league, turn[league], outcomes)
        return {league: group for league, group in turn.items() if league not in written}

    async def _write(self, league: str, group: Group) -> None:
        requests = [waiting.request for waiting in group]
        write: Callable[[Connection], list[RequestOutcome]] = partial(
            self._groups.write, league=league, requests=requests
        )
        outcomes = await self._attempt(write)
        if not isinstance(outcomes, Exception):
            self._tell(league, group, outcomes)
        elif len(group) == 1 or isinstance(outcomes, LedgerUnavailable):
            for waiting in group:
                waiting.tell(outcomes)
        else:
            # A request of the group can't be written. Retried singly, it fails alone.
            for waiting in group:
                await self._write(league, [waiting])

    def _tell(self, league: str, group: Group, outcomes: list[RequestOutcome]) -> None:
        for waiting, outcome in zip(group, outcomes, strict=True):
            waiting.tell(outcome)
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
