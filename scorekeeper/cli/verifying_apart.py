"""Verifying many leagues with all processors: each league by one of several processes."""

import asyncio
import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures import wait as wait_for
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing.sharedctypes import Synchronized
from typing import Final, TypeAlias

from sqlalchemy import Connection

from scorekeeper.cli.terminal.failures import Failure
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.reading.checking import Flaw
from scorekeeper.ledger.reading.snapshot import consistent_snapshot
from scorekeeper.service.integrity.signed import SignedLogs
from scorekeeper.service.integrity.verifying import OnProgress, Verified, verify_league
from scorekeeper.service.offload.worker import begin

MANY_ENTRIES: Final = 100_000
"""Fewer are checked before the processes have started."""
_STEP_SECONDS: Final = 0.2

Found: TypeAlias = list[Flaw | Verified]
Counted: TypeAlias = "Synchronized[int]"
"""How many entries all of the processes have checked."""


def processes_for(leagues: int, entries: int) -> int:
    """How many pay off for so much; 1: this one alone."""
    return min(leagues, os.cpu_count() or 1) if entries > MANY_ENTRIES else 1


def verify_apart(
    url: str, leagues: Sequence[str], signed: SignedLogs, processes: int, progress: OnProgress
) -> Iterator[tuple[str, Found]]:
    """What is found in each league, in their order, each as of a moment of its own.

    Raises Failure where a process is killed, and whatever else one of them raises.
    """
    context = multiprocessing.get_context("spawn")
    counted = context.Value("q", 0)
    with ProcessPoolExecutor(
        min(processes, len(leagues)),
        mp_context=context,
        initializer=_begin,
        initargs=(counted,),
    ) as executor:
        try:
            found = [executor.submit(_verified, url, league, signed) for league in leagues]
            for league, future in zip(leagues, found, strict=True):
                yield league, _result(future, counted, progress)
        except BrokenProcessPool as error:
            raise Failure("A process was killed: is there memory enough?") from error
        finally:
            executor.shutdown(wait=False, cancel_futures=True)


def _result(future: "Future[Found]", counted: Counted, progress: OnProgress) -> Found:
    while not wait_for([future], timeout=_STEP_SECONDS).done:
        _advance(counted, progress)
    _advance(counted, progress)
    return future.result()


def _advance(counted: Counted, progress: OnProgress) -> None:
    with counted.get_lock():
        new, counted.value = counted.value, 0
    progress(new)


_counted: "Counted | None" = None


def _begin(counted: Counted) -> None:
    global _counted  # noqa: PLW0603 what a process is given when it starts
    _counted = counted
    begin()


def _verified(url: str, league: str, signed: SignedLogs) -> Found:
    return asyncio.run(_read(url, partial(_all_found, league=league, signed=signed)))


async def _read(url: str, work: Callable[[Connection], Found]) -> Found:
    ledger = await Ledger.open_to_read(url)
    try:
        return await ledger.read(work)
    finally:
        await ledger.close()


def _all_found(connection: Connection, league: str, signed: SignedLogs) -> Found:
    with consistent_snapshot(connection):
        return list(verify_league(connection, league, _count, signed))


def _count(entries: int) -> None:
    assert _counted is not None
    with _counted.get_lock():
        _counted.value += entries
