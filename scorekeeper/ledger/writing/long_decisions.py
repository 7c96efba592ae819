"""Decisions that take long are made on a thread, outside of the commit queue.

The queue hands out what it saw. The decision is made on that and handed back. It counts if the
queue still sees the same, and is made again if not. So neither the event loop nor other requests
wait for it. Long decisions do wait for each other: all are made on one thread, one after the other.
A league has one decision there at a time, so that a league with many does not keep the others out.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeVar

from msgspec.structs import replace

from scorekeeper.ledger.database_errors import CLOSING, LedgerOverloaded, LedgerUnavailable
from scorekeeper.ledger.entry import Entry
from scorekeeper.ledger.writing.append import (
    AppendResult,
    Decision,
    NothingToWrite,
    Request,
    Seen,
    Tail,
)
from scorekeeper.ledger.writing.commit_queue import CommitQueue
from scorekeeper.ledger.writing.write_batch import TakesLong

MOST_WAITING = 100
"""How many may wait in a LeagueQueue for one league, the one that has the turn included."""

T = TypeVar("T")

# If others append to the same stream all the time, the queue finally waits for the decision.
_ATTEMPTS = 5


class LeagueQueue:
    """Gives each league one turn at a time, in order of arrival.

    Leagues don't wait for each other here.
    """

    def __init__(self) -> None:
        self._locks: dict[str, asyncio.Lock] = {}
        self._waiting: Counter[str] = Counter()

    def __bool__(self) -> bool:
        """Return whether anybody waits, or has a turn."""
        return bool(self._locks)

    @asynccontextmanager
    async def of(self, league: str) -> AsyncGenerator[None]:
        """Wait for a turn of the league, and hold it. Raises LedgerOverloaded if too many wait."""
        if self._waiting[league] >= MOST_WAITING:
            raise LedgerOverloaded(f"too much is asked of {league} at once")
        self._waiting[league] += 1
        try:
            async with self._locks.setdefault(league, asyncio.Lock()):
                yield
        finally:
            self._waiting[league] -= 1
            if not self._waiting[league]:
                del self._waiting[league], self._locks[league]


async def unless_closed(computed: asyncio.Future[T]) -> T:
    """Return the result of work in an executor. Raises LedgerUnavailable if it was closed first.

    A closed executor cancels the work. The task that waits is not cancelled by that, and has to
    answer its client.
    """
    try:
        await asyncio.wait([computed])
        if not computed.cancelled():
            return computed.result()
    finally:
        # If the task that waits is cancelled, so is the work. A result that is there is kept.
        computed.cancel()
        # An error's traceback holds this frame, which must not hold the error in turn.
        del computed
    raise LedgerUnavailable(CLOSING)


class LongDecisions:
    """Appends requests, and makes long decisions on a thread.

    `read` returns the entries of a league's stream, oldest first.
    """

    def __init__(self, read: Callable[[str, str], Coroutine[Any, Any, Sequence[Entry]]]) -> None:
        self._read = read
        self._turns = LeagueQueue()
        # A second thread would compete with the first one for the interpreter.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="decision")
        self._closed = False

    async def append(
        self, queue: CommitQueue, request: Request[T]
    ) -> AppendResult[T] | NothingToWrite[T]:
        """Append through the queue, and decide on the thread if that takes long.

        Also raises LedgerOverloaded if too many long decisions of the league wait, and
        LedgerUnavailable if this was closed before the decision was made.
        """
        try:
            return await queue.append(request)
        except TakesLong as error:
            seen = _seen(error)
        async with self._turns.of(request.league):
            for _ in range(_ATTEMPTS):
                made = await self._made(request, seen)
                try:
                    return await queue.append(_handed_in(request, seen, made))
                except TakesLong as error:
                    seen = _seen(error)
            return await queue.append(replace(request, takes_long=None))

    def close(self) -> None:
        """Give up the decisions that wait."""
        self._closed = True
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _made(
        self, request: Request[T], seen: Seen
    ) -> Decision[T] | NothingToWrite[T] | Exception:
        loop = asyncio.get_running_loop()

        def whole(stream: str) -> Sequence[Entry]:
            reading = self._read(request.league, stream)
            entries = asyncio.run_coroutine_threadsafe(reading, loop).result()
            return [entry for entry in entries if entry.position <= seen.size]

        if self._closed:
            raise LedgerUnavailable(CLOSING)
        decide = partial(_decided, request, replace(seen, whole=whole))
        return await unless_closed(loop.run_in_executor(self._thread, decide))


def _seen(error: TakesLong) -> Seen:
    """Return what was seen, and drop the error's traceback.

    The traceback refers to the future that raised the error. The cycle would keep the request in
    memory.
    """
    error.__traceback__ = None
    return error.seen


def _decided(request: Request[T], seen: Seen) -> Decision[T] | NothingToWrite[T] | Exception:
    """Return the decision or its exception. Both count only if the queue still sees the same."""
    try:
        return request.decide(seen)
    except Exception as error:  # noqa: BLE001 whatever it raises is what it came to
        return error


def _handed_in(
    request: Request[T], then: Seen, made: Decision[T] | NothingToWrite[T] | Exception
) -> Request[T]:
    def decide(now: Seen) -> Decision[T] | NothingToWrite[T]:
        if not _is_same(then, now):
            raise TakesLong(now)
        if isinstance(made, Exception):
            raise made
        return made

    return replace(request, decide=decide, takes_long=None)


def _is_same(then: Seen, now: Seen) -> bool:
    return (
        then.exists == now.exists
        and then.known == now.known
        and then.answers == now.answers
        and _are_same(then.tails, now.tails)
    )


def _are_same(then: Mapping[str, Tail], now: Mapping[str, Tail]) -> bool:
    """Return whether streams hold the same as before.

    Comparing so little is enough: a stream only grows, and an erasure drops the carried value.
    """
    return all(
        tail.version == now[stream].version
        and tail.carried is now[stream].carried
        and _erased(tail) == _erased(now[stream])
        for stream, tail in then.items()
    )


def _erased(tail: Tail) -> int:
    return sum(entry.body is None for entry in tail.entries)
