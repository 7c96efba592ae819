"""Several processes on one database, and a process that dies in the middle of its work."""

import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import make_url, text

from scorekeeper.files import LedgerInUse
from scorekeeper.ledger.ledger import Ledger
from tests.forked_programs import fork
from tests.ledger.asking import LEAGUE, check_whole
from tests.ledger.writing.writing_process import event_id, write

WRITERS = 8
DEADLOCKS = text("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")


class Writing:
    """A process that appends events. `printed`: lines with the ids that it was acknowledged."""

    def __init__(self, url, run_name, events, writers=WRITERS, leagues=(LEAGUE,)):
        reading, writing = os.pipe()
        self._process = fork(write, (url, run_name, writers, events, leagues), writing)
        os.close(writing)
        self.printed = os.fdopen(reading, encoding="utf-8")

    def kill(self):
        self._process.kill()

    def end(self):
        """Wait for its end. Return the rest of its output and its status.

        The status is 0, or minus the signal that ended the process.
        """
        with self.printed:
            rest = self.printed.read()
        self._process.join()
        return rest, self._process.exitcode


def test_two_processes_write_one_ledger(postgresql_url, run, opened):
    processes = [Writing(postgresql_url, name, 40) for name in ("one", "two")]
    printed, statuses = zip(*(process.end() for process in processes), strict=True)
    acknowledged = [line for lines in printed for line in lines.split()]
    assert statuses == (0, 0)
    entries = run(check_whole(opened(postgresql_url)))
    assert {entry.id for entry in entries[1:]} == set(acknowledged)
    assert len(entries) == 1 + len(acknowledged) == 1 + 2 * WRITERS * 40


@pytest.mark.parametrize("events", [10, pytest.param(100, marks=pytest.mark.slow)])
def test_four_processes_write_the_same_leagues_and_never_wait_in_a_circle(
    postgresql_url, run, opened, events
):
    leagues = [f"league-{number}" for number in range(12)]
    processes = [Writing(postgresql_url, name, events, 32, leagues) for name in "abcd"]
    # All are read from at once: one whose pipe is full would stop, and keep the others waiting.
    with ThreadPoolExecutor(len(processes)) as reading:
        printed, statuses = zip(*reading.map(Writing.end, processes), strict=True)
    acknowledged = [line for lines in printed for line in lines.split()]
    assert statuses == (0, 0, 0, 0)
    assert len(acknowledged) == 4 * 32 * events
    ledger = opened(postgresql_url)
    told = [
        entry.id
        for league in leagues
        for entry in run(check_whole(ledger, league))
        if entry.stream != "league"
    ]
    assert sorted(told) == sorted(acknowledged)
    assert run(ledger.read(lambda connection: connection.execute(DEADLOCKS).scalar_one())) == 0


def test_two_processes_send_the_same_events(postgresql_url, run, opened):
    processes = [Writing(postgresql_url, "same", 40) for _ in range(2)]
    acknowledged = [process.end()[0].split() for process in processes]
    entries = run(check_whole(opened(postgresql_url)))
    assert {entry.id for entry in entries[1:]} == set(acknowledged[0]) == set(acknowledged[1])
    assert len(entries) == 1 + WRITERS * 40


def killed_in_the_middle(url, recorded, after):
    """Kill a process once it acknowledged `after` events that are not yet in `recorded`.

    Returns all that it acknowledged. It sends what was recorded again, before it goes on.
    """
    process = Writing(url, "killed", 1_000_000)
    acknowledged = set()
    while len(acknowledged - recorded) < after:
        acknowledged.add(process.printed.readline().strip())
    process.kill()
    rest, status = process.end()
    assert status == -9
    # The last line may be cut off.
    return acknowledged | set(rest.split("\n")[:-1])


def kill_again_and_again(url, times, run):
    recorded = set()
    for _ in range(times):
        acknowledged = killed_in_the_middle(url, recorded, random.randint(20, 120))

        async def check():
            ledger = await Ledger.open(url)
            entries = await check_whole(ledger)
            await ledger.close()
            return entries

        before, recorded = recorded, {entry.id for entry in run(check())}
        assert before | acknowledged <= recorded


@pytest.mark.parametrize("times", [2, pytest.param(20, marks=pytest.mark.slow)])
def test_kill_9_loses_nothing_doubles_nothing_and_leaves_no_gap(database_url, times, run, opened):
    kill_again_and_again(database_url, times, run)
    # Events that were sent without an answer are sent again, and are recorded once.
    Writing(database_url, "killed", 30).end()
    recorded = {entry.id for entry in run(check_whole(opened(database_url)))}
    assert {
        event_id("killed", writer, n) for writer in range(WRITERS) for n in range(30)
    } <= recorded


def test_a_second_process_is_refused_on_sqlite(sqlite_url, run, opened):
    opened(sqlite_url)
    with pytest.raises(LedgerInUse, match="in use by another process"):
        run(Ledger.open(sqlite_url))
    script = (
        "import asyncio, sys; from scorekeeper.ledger.ledger import Ledger; "
        "asyncio.run(Ledger.open(sys.argv[1]))"
    )
    second = subprocess.run(
        [sys.executable, "-c", script, sqlite_url], capture_output=True, text=True
    )
    assert second.returncode != 0
    assert "SQLite takes one scorekeeper at a time" in second.stderr


def test_a_second_one_is_refused_by_whatever_name_it_opens_the_file(sqlite_url, run, opened):
    opened(sqlite_url)
    other = f"{sqlite_url}-by-another-name"
    Path(str(make_url(other).database)).symlink_to(str(make_url(sqlite_url).database))
    with pytest.raises(LedgerInUse, match="in use by another process"):
        run(Ledger.open(other))


def test_the_next_process_is_let_in_when_the_first_has_closed(sqlite_url, run, opened):
    run(opened(sqlite_url).close())
    opened(sqlite_url)
