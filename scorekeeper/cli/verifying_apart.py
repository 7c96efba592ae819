"""Verifying with all processors: each league by one of several processes, a large one by two."""

import asyncio
import multiprocessing
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures import wait as wait_for
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing.sharedctypes import Synchronized
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from sqlalchemy import Connection

from scorekeeper.cli.terminal.failures import Failure
from scorekeeper.ledger.integrity.checking import Flaw
from scorekeeper.ledger.integrity.raw_rows import consistent_snapshot
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.integrity.signed import SignedLogs
from scorekeeper.service.integrity.verifying import (
    OnProgress,
    Verified,
    VerifiedLedger,
    VerifiedMatches,
    joined,
    verify_league,
    verify_ledger,
    verify_matches,
)
from scorekeeper.service.worker_processes import begin_worker

MANY_ENTRIES: Final = 100_000
"""Fewer are checked before the processes have started."""
_STEP_SECONDS: Final = 0.2

Found: TypeAlias = list[Flaw | Verified]
Part: TypeAlias = Flaw | Verified | VerifiedLedger | VerifiedMatches
Counted: TypeAlias = "Synchronized[int]"
"""How many entries all of the processes have checked."""


class Work(Struct, frozen=True):
    """A check of a league; `half`: only of its ledger, or only of its matches."""

    league: str
    signed: SignedLogs
    half: Literal["ledger", "matches"] | None = None

    def __call__(self, connection: Connection, progress: OnProgress) -> Iterator[Part]:
        match self.half:
            case None:
                return verify_league(connection, self.league, progress, self.signed)
            case "matches":
                return verify_matches(connection, self.league, progress)
            case "ledger":  # of the same entries, which are counted once
                return verify_ledger(connection, self.league, self.signed)


def processes_for(leagues: int, entries: int) -> int:
    """How many pay off for so much; 1: this one alone."""
    return min(max(2, leagues), os.cpu_count() or 1) if entries > MANY_ENTRIES else 1


def verify_apart(
    url: str, sizes: Mapping[str, int], signed: SignedLogs, processes: int, progress: OnProgress
) -> Iterator[tuple[str, Found]]:
    """What is found in each league, in their order; `sizes`: how many entries each has.

    A league with more than one process's share is done in two halves, each as of a moment of its
    own. Raises Failure where a process is killed, and whatever else one of them raises.
    """
    context = multiprocessing.get_context("spawn")
    counted = context.Value("q", 0)
    share = sum(sizes.values()) / processes
    with ProcessPoolExecutor(
        processes, mp_context=context, initializer=_begin, initargs=(counted,)
    ) as executor:
        try:
            begun = {
                league: [
                    executor.submit(_verified, url, work)
                    for work in (_halves if size > share else _whole)(league, signed)
                ]
                for league, size in sizes.items()
            }
            for league, parts in begun.items():
                found = [_result(each, counted, progress) for each in parts]
                yield league, _joined(league, found)
        except BrokenProcessPool as error:
            raise Failure("A process was killed: is there memory enough?") from error
        finally:
            executor.shutdown(wait=False, cancel_futures=True)


def _whole(league: str, signed: SignedLogs) -> list[Work]:
    return [Work(league, signed)]


def _halves(league: str, signed: SignedLogs) -> list[Work]:
    """The longer one first."""
    return [Work(league, signed, "matches"), Work(league, signed, "ledger")]


def _joined(league: str, parts: Sequence[Sequence[Part]]) -> Found:
    """All that was found in a league, the ledger's flaws before those of its matches."""
    found = [each for part in reversed(parts) for each in part]
    flaws: Found = [each for each in found if isinstance(each, Flaw)]
    match [each for each in found if not isinstance(each, Flaw)]:
        case [VerifiedLedger() as ledger, VerifiedMatches() as matches]:
            return [*flaws, joined(league, ledger, matches)]
        case [Verified() as verified]:
            return [*flaws, verified]
        case others:
            raise AssertionError(others)


def _result(future: "Future[list[Part]]", counted: Counted, progress: OnProgress) -> list[Part]:
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
    begin_worker()


def _verified(url: str, work: Work) -> list[Part]:
    return asyncio.run(_read(url, work))


async def _read(url: str, work: Work) -> list[Part]:
    ledger = await Ledger.open_to_read(url)
    try:
        return await ledger.read(partial(_all_found, work=work))
    finally:
        await ledger.close()


def _all_found(connection: Connection, work: Work) -> list[Part]:
    """It is called again where the connection is lost, and takes back what it has counted then."""
    checked = 0

    def count(entries: int) -> None:
        nonlocal checked
        checked += entries
        _count(entries)

    try:
        with consistent_snapshot(connection):
            return list(work(connection, count))
    except Exception:
        _count(-checked)
        raise


def _count(entries: int) -> None:
    assert _counted is not None
    with _counted.get_lock():
        _counted.value += entries
