"""Many leagues, or a large one, are verified by several processes; the report is the same."""

import asyncio
import multiprocessing
import os
import signal
import sqlite3
import threading
from multiprocessing.connection import wait

import pytest
from click.testing import CliRunner
from sqlalchemy import make_url

from scorekeeper.cli import verify, verifying_apart
from scorekeeper.cli.main import scorekeeper
from scorekeeper.cli.terminal.failures import NotChecked
from scorekeeper.cli.terminal.output import Counting
from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.match.events.events import RoundVoided, encode
from scorekeeper.service import worker_start
from scorekeeper.store.migrate import upgrade
from tests.api.serving import note, serving
from tests.databases import sqlite_engine
from tests.forked_programs import instead_of_new_ones
from tests.service.filling import fill_matches

LEAGUES = 3
MATCHES = 12
_PATIENCE = 60


@pytest.fixture
def filled(sqlite_url):
    """Some leagues; the match of one has another status in the list than in the log."""
    with serving(sqlite_url) as served:
        leagues = [served.league() for _ in range(LEAGUES)]
        for league in leagues:
            league.match(match="evening", events=[note()])
    with sqlite3.connect(str(make_url(sqlite_url).database)) as connection:
        changed = "UPDATE matches SET status = 'won' WHERE league = ?"
        connection.execute(changed, (leagues[1].slug,))
    connection.close()
    return sqlite_url


def verified(url, *arguments):
    return CliRunner().invoke(scorekeeper, ["verify", "--database-url", url, *arguments])


def begin_processes(monkeypatch, count=2, *, forked=True):
    """Use processes even for few entries; forked ones, as others need most of a second to start."""
    monkeypatch.setattr(verify, "processes_for", lambda entries: count)
    if forked:
        monkeypatch.setattr(multiprocessing, "get_context", instead_of_new_ones)


@pytest.mark.parametrize("more", [(), ("--json",)], ids=["lines", "json"])
def test_several_processes_find_what_one_finds(filled, monkeypatch, more):
    one = verified(filled, *more)
    begin_processes(monkeypatch, forked=bool(more))
    several = verified(filled, *more)
    assert (several.exit_code, several.output) == (one.exit_code, one.output)
    assert one.exit_code == 1
    assert "a fresh fold has 'open'" in one.output


@pytest.mark.parametrize("count", [1, 2])
def test_a_damaged_file_is_told_once_and_first(filled, monkeypatch, count):
    monkeypatch.setattr(verify, "damage", lambda connection: iter(["Page 7 is never used"]))
    begin_processes(monkeypatch, count)
    first, *others = verified(filled).output.splitlines()
    assert first == "-: The database file is damaged: Page 7 is never used"
    assert not any("damaged" in line for line in others)
    assert any("a fresh fold has 'open'" in line for line in others)


@pytest.fixture(scope="module")
def harmed(tmp_path_factory):
    """A league whose matches all have a wrong status in the list; some have a replaced entry."""
    url = f"sqlite+aiosqlite:///{tmp_path_factory.mktemp('harmed')}/scorekeeper.sqlite3"
    asyncio.run(upgrade(url))
    with serving(url) as served:
        league = served.league()
        for number in range(MATCHES):
            league.match(match=f"evening-{number}", events=[note(), note()])
    with sqlite3.connect(str(make_url(url).database)) as connection:
        connection.execute("UPDATE matches SET status = 'won'")
        some = "version = 3 AND stream GLOB '*evening-?'"
        body = encode(RoundVoided(reason="misdeal", redealt=True))
        connection.execute(f"UPDATE events SET body = ? WHERE {some}", (body,))
        end = "position = (SELECT max(position) FROM events)"
        connection.execute(f"UPDATE events SET header = ? WHERE {end}", (b"no header",))
    connection.close()
    return url


@pytest.mark.parametrize("count", [2, 3, 5])
def test_processes_find_in_one_league_what_one_finds(harmed, monkeypatch, count):
    """Only the order differs: one process reports flaws of ledger and matches in turn."""
    one = verified(harmed)
    begin_processes(monkeypatch, count)
    several = verified(harmed)
    assert (several.exit_code, one.exit_code) == (1, 1)
    *ours, told = several.output.splitlines()
    *theirs, told_by_one = one.output.splitlines()
    assert told == told_by_one
    assert sorted(ours) == sorted(theirs)
    for found in ("can't be read", "holds something else", "a fresh fold has 'open'"):
        assert found in one.output


def test_processes_find_a_league_on_postgresql_sound(postgresql_url, monkeypatch):
    with serving(postgresql_url) as served:
        fill_matches(served.league())
    begin_processes(monkeypatch)
    found = verified(postgresql_url)
    assert (found.exit_code, found.output.splitlines()[-1]) == (0, "All of it agrees.")


@pytest.mark.parametrize("processes", [2, 3, 5, 9])
@pytest.mark.parametrize("own", [0.0, 0.2, 0.65, 1.0])
def test_each_match_is_in_one_share_or_left_to_this_process(processes, own):
    shares = verifying_apart.shares_for(processes - 1, own)
    assert len(shares) == processes - 1
    slugs = [f"evening-{number}" for number in range(2000)]
    holders = [sum(slug in share for share in shares) for slug in slugs]
    assert set(holders) <= {0, 1}
    assert 1 - sum(holders) / len(slugs) == pytest.approx(own, abs=0.05)


@pytest.mark.parametrize(
    ("entries", "processes"), [(99_999, 1), (100_000, 2), (150_000, 3), (10**9, 4)]
)
def test_processes_are_started_where_they_pay_off(monkeypatch, entries, processes):
    monkeypatch.setattr(verifying_apart.os, "cpu_count", lambda: 4)
    assert verifying_apart.processes_for(entries) == processes


def test_all_entries_are_counted(filled, harmed, monkeypatch):
    begin_processes(monkeypatch)
    for url in (filled, harmed):
        counted = []
        monkeypatch.setattr(Counting, "advance", lambda _, entries, to=counted: to.append(entries))
        verified(url)
        with sqlite3.connect(str(make_url(url).database)) as connection:
            assert sum(counted) == connection.execute("SELECT count(*) FROM events").fetchone()[0]
        connection.close()


def test_what_is_checked_again_is_counted_once(sqlite_url, monkeypatch):
    """The connection is lost after some entries, and the work is done again."""
    counted = multiprocessing.get_context("spawn").Value("q", 0)
    monkeypatch.setattr(worker_start, "_counted", counted)
    lost = [True, False]

    def work(connection, progress):
        progress(3)
        if lost.pop(0):
            raise LedgerUnavailable("cut off")
        progress(5)
        yield from ()

    with sqlite_engine(sqlite_url).connect() as connection:
        with pytest.raises(LedgerUnavailable):
            verifying_apart._all_found(connection, work)
        assert counted.value == 0
        assert verifying_apart._all_found(connection, work) == []
    assert counted.value == 8


def never_ends(_connection, _progress):
    """The work of a process whose result nobody waits for any more."""
    threading.Event().wait()


def interrupted(url, more):
    with verifying_apart._others(url, 1, len) as others:
        begun = others.begin(never_ends)
        if not more:
            others.no_more()
        while not begun.running():
            continue
        raise KeyboardInterrupt


@pytest.mark.parametrize("more", [True, False])
def test_whoever_interrupts_waits_for_nobody(sqlite_url, more):
    with pytest.raises(KeyboardInterrupt):
        interrupted(sqlite_url, more)


def is_killed(_connection, _progress):
    os.kill(os.getpid(), signal.SIGKILL)


def killed(url, more):
    with verifying_apart._others(url, 1, lambda _: None) as others:
        begun = others.begin(is_killed)
        if not more:
            others.no_more()
        others.result(begun)


@pytest.mark.parametrize("more", [True, False])
def test_a_process_that_was_killed_is_told(sqlite_url, more):
    with pytest.raises(NotChecked, match="was killed") as stopped:
        killed(sqlite_url, more)
    assert stopped.value.exit_code == 2  # nothing was found that does not agree


def nothing(_connection, _progress):
    return ()


def test_the_processes_end_with_the_last_work(sqlite_url):
    """While the stored views are compared, the memory of the others is free already."""
    before = set(multiprocessing.active_children())
    with verifying_apart._others(sqlite_url, 1, lambda _: None) as others:
        begun = others.begin(nothing)
        (process,) = set(multiprocessing.active_children()) - before
        others.no_more()
        assert others.result(begun) == []
        assert wait([process.sentinel], _PATIENCE) == [process.sentinel]
