"""Verifying with all processors: each league by one of several processes, a large one by more."""

import asyncio
import multiprocessing
import os
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures import wait as wait_for
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from itertools import chain, pairwise, repeat
from typing import Final, NamedTuple, Self, TypeAlias

from msgspec import Struct
from sqlalchemy import Connection

from scorekeeper.cli.terminal.failures import NotChecked
from scorekeeper.ledger.integrity.checking import Flaw
from scorekeeper.ledger.integrity.raw_rows import consistent_snapshot, last_position
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.integrity.replayed_matches import ReplayedShare, Share, ShareReplay
from scorekeeper.service.integrity.signed import SignedLogs
from scorekeeper.service.integrity.verifying import (
    OnProgress,
    Verified,
    VerifiedLedger,
    VerifiedMatches,
    joined,
    replay_share,
    verify_league,
    verify_ledger,
    verify_matches,
)
from scorekeeper.service.worker_start import Counted, begin_counting, count

# Checking fewer entries takes less time than starting another process.
_ENTRIES_EACH: Final = 50_000
_STEP_SECONDS: Final = 0.2
# The time that chain, tree and columns of a ledger take, as a share of the replay of its matches.
_LEDGER: Final = 0.47
# The time until another process begins, as the number of entries that are replayed in it.
_START: Final = 20_000

Findings: TypeAlias = list[Flaw | Verified]
Part: TypeAlias = Flaw | Verified | VerifiedLedger | ReplayedShare
Work: TypeAlias = Callable[[Connection, OnProgress], Iterator[Part]]


class Meanwhile(NamedTuple):
    """Further work; `share`: the time that it takes, as a share of the replay of all matches."""

    work: Callable[[], None]
    share: float


class WholeLeague(Struct, frozen=True):
    """A league that one process checks alone."""

    league: str
    signed: SignedLogs

    def __call__(self, connection: Connection, progress: OnProgress) -> Iterator[Part]:
        return verify_league(connection, self.league, progress, self.signed)


class LeaguePart(Struct, frozen=True):
    """A share of a league's matches up to the position `until`; its ledger, too, if `signed`."""

    league: str
    until: int
    share: Share
    signed: SignedLogs | None

    def __call__(self, connection: Connection, progress: OnProgress) -> Iterator[Part]:
        replay = ShareReplay(self.league, self.share, progress)
        if self.signed is None:
            replay_share(connection, self.league, replay, self.until)
        else:
            yield from verify_ledger(connection, self.league, self.signed, replay, self.until)
        yield replay.end()


def processes_for(entries: int) -> int:
    """Return how many processes are worth their start for so many entries; 1: this one alone."""
    return max(1, min(os.cpu_count() or 1, entries // _ENTRIES_EACH))


def shares_for(others: int, own: float) -> list[Share]:
    """Return the shares of a league's matches that the other processes replay, one for each.

    `others`: how many other processes there are. `own`: the part that this process replays, from 0
    to 1. The first of the others checks the ledger as well, so its share is smaller.
    """
    first = max(0.0, (1 - own + _LEDGER) / others - _LEDGER) if others > 1 else 1 - own
    even = (1 - own - first) / max(1, others - 1)
    marks = [0.0, *(first + even * each for each in range(others - 1)), 1 - own]
    return [Share(begin, end) for begin, end in pairwise(marks)]


def verify_apart(
    connection: Connection,
    url: str,
    sizes: Mapping[str, int],
    signed: SignedLogs,
    processes: int,
    progress: OnProgress,
    meanwhile: Meanwhile,
) -> Iterator[tuple[str, Findings]]:
    """Yield what is found in each league, in the order of `sizes`: the entries of each league.

    A league with more than one process's share is checked by several. This process reads it through
    `connection` and checks its stored views. Another one checks its ledger, in a snapshot of its
    own. `meanwhile` is done by this process as soon as the others have their work. Raises
    NotChecked if a process is killed, and any exception that one of them raises.
    """
    entries = sum(sizes.values())
    even = entries / processes
    large = [league for league, size in sizes.items() if size > even]
    with _others(url, processes - 1 if large else processes, progress) as others:
        split: dict[str, _Split] = {}
        if large:
            # In units of one entry's replay. Each process takes as long as every other one.
            costs = entries * (1 + _LEDGER + meanwhile.share) + _START * (processes - 1)
            own = costs / processes - entries * meanwhile.share
            own = min(1.0, max(0.0, own / sum(sizes[league] for league in large)))
            shares = shares_for(processes - 1, own)
            for league in large:
                split[league] = _Split.begin(others, connection, league, signed, shares)
        whole = {
            league: others.begin(WholeLeague(league, signed))
            for league in sizes
            if league not in split
        }
        others.no_more()
        meanwhile.work()
        done = {league: each.found(others, connection) for league, each in split.items()}
        for league in sizes:
            yield league, done[league] if league in done else _whole(others.result(whole[league]))


class _Others(NamedTuple):
    """The other processes; `progress` is called with how many entries they have checked."""

    executor: ProcessPoolExecutor
    url: str
    counted: Counted
    progress: OnProgress

    def begin(self, work: Work) -> "Future[list[Part]]":
        """Queue work, which runs as soon as one of the processes is free."""
        return self.executor.submit(_verified, self.url, work)

    def no_more(self) -> None:
        """Have the processes end, and free their memory, as soon as all that was begun is done."""
        self.executor.shutdown(wait=False)

    def result(self, future: "Future[list[Part]]") -> list[Part]:
        """Wait for a result and return it, reporting the progress meanwhile."""
        while not wait_for([future], timeout=_STEP_SECONDS).done:
            _advance(self.counted, self.progress)
        _advance(self.counted, self.progress)
        return future.result()


@contextmanager
def _others(url: str, processes: int, progress: OnProgress) -> Generator[_Others]:
    """Start other processes, and end them when the context ends, at once if it raises something.

    Raises NotChecked if one of them is killed.
    """
    context = multiprocessing.get_context("spawn")
    counted = context.Value("q", 0)
    strangers = set(multiprocessing.active_children())
    with ProcessPoolExecutor(
        processes, mp_context=context, initializer=begin_counting, initargs=(counted,)
    ) as executor:
        try:
            yield _Others(executor, url, counted, progress)
        except BaseException as error:
            executor.shutdown(wait=False, cancel_futures=True)
            for each in {*multiprocessing.active_children()} - strangers:
                each.terminate()
            if isinstance(error, BrokenProcessPool):
                raise NotChecked("A process was killed: is there memory enough?") from error
            raise


class _Split(NamedTuple):
    """A league that is split: other processes check its ledger and its matches of these shares."""

    league: str
    shares: Sequence[Share]
    begun: "Sequence[Future[list[Part]]]"

    @classmethod
    def begin(
        cls,
        others: _Others,
        connection: Connection,
        league: str,
        signed: SignedLogs,
        shares: Sequence[Share],
    ) -> Self:
        """Queue the shares, up to the last position that this connection sees."""
        until = last_position(connection, league)
        signers = chain((signed,), repeat(None))
        parts = map(partial(LeaguePart, league, until), shares, signers)
        return cls(league, shares, [others.begin(each) for each in parts])

    def found(self, others: _Others, connection: Connection) -> Findings:
        """Return all that is found in it, the flaws of the ledger before those of the matches."""
        parts: list[Part] = []

        def replayed() -> list[ReplayedShare]:
            for each in self.begun:
                parts.extend(others.result(each))
            return [each for each in parts if isinstance(each, ReplayedShare)]

        found = list(
            verify_matches(connection, self.league, others.progress, self.shares, replayed)
        )
        *flaws, matches = found
        (ledger,) = (each for each in parts if isinstance(each, VerifiedLedger))
        assert isinstance(matches, VerifiedMatches)
        return [
            *(each for each in (*parts, *flaws) if isinstance(each, Flaw)),
            joined(self.league, ledger, matches),
        ]


def _whole(parts: Sequence[Part]) -> Findings:
    return [each for each in parts if isinstance(each, Flaw | Verified)]


def _advance(counted: Counted, progress: OnProgress) -> None:
    with counted.get_lock():
        new, counted.value = counted.value, 0
    progress(new)


def _verified(url: str, work: Work) -> list[Part]:
    return asyncio.run(_read(url, work))


async def _read(url: str, work: Work) -> list[Part]:
    async with await Ledger.open_to_read(url) as ledger:
        return await ledger.read(partial(_all_found, work=work))


def _all_found(connection: Connection, work: Work) -> list[Part]:
    """Do the work in one snapshot. If it fails, take back what was counted.

    It is called again if the connection is lost.
    """
    checked = 0

    def advance(entries: int) -> None:
        nonlocal checked
        checked += entries
        count(entries)

    try:
        with consistent_snapshot(connection):
            return list(work(connection, advance))
    except Exception:
        count(-checked)
        raise
