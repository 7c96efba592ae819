"""Many leagues, or a large one, are verified by several processes, and the report is the same."""

import multiprocessing
import sqlite3

import pytest
from click.testing import CliRunner
from databases import sqlite_engine
from sqlalchemy import make_url

from scorekeeper.cli import verifying_apart
from scorekeeper.cli.main import scorekeeper
from scorekeeper.ledger.database_errors import LedgerUnavailable
from tests.api.serving import note, serving
from tests.forked_programs import instead_of_new_ones

LEAGUES = 3


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


def begin_two_processes(monkeypatch, *, forked=True):
    """For as little as there is to verify. New ones take most of a second to read their modules."""
    monkeypatch.setattr(verifying_apart, "MANY_ENTRIES", 0)
    monkeypatch.setattr(verifying_apart.os, "cpu_count", lambda: 2)
    if forked:
        monkeypatch.setattr(multiprocessing, "get_context", instead_of_new_ones)


@pytest.mark.parametrize("more", [(), ("--json",)], ids=["lines", "json"])
def test_several_processes_find_what_one_finds(filled, monkeypatch, more):
    one = verified(filled, *more)
    begin_two_processes(monkeypatch, forked=bool(more))
    several = verified(filled, *more)
    assert (several.exit_code, several.output) == (one.exit_code, one.output)
    assert one.exit_code == 1
    assert "a fresh fold has 'open'" in one.output


@pytest.mark.parametrize("more", [(), ("--json",)], ids=["lines", "json"])
def test_two_processes_find_in_one_league_what_one_finds(filled, monkeypatch, more):
    """One of them reads by the rules what the other one has found to be damaged."""
    with sqlite3.connect(str(make_url(filled).database)) as connection:
        ((league,),) = connection.execute("SELECT league FROM matches WHERE status = 'won'")
        last = "league = ? AND position = (SELECT max(position) FROM events WHERE league = ?)"
        changed = f"UPDATE events SET header = ? WHERE {last}"
        connection.execute(changed, (b"no header", league, league))
    connection.close()
    one = verified(filled, league, *more)
    begin_two_processes(monkeypatch)
    two = verified(filled, league, *more)
    assert (two.exit_code, two.output) == (one.exit_code, one.output)
    assert one.exit_code == 1
    for found in ("can't be read", "a fresh fold has 'open'"):
        assert found in one.output


@pytest.mark.parametrize(
    ("leagues", "entries", "processes"), [(1, 10**9, 2), (5, 10, 1), (5, 10**9, 4), (2, 10**9, 2)]
)
def test_processes_are_started_where_they_pay_off(monkeypatch, leagues, entries, processes):
    monkeypatch.setattr(verifying_apart.os, "cpu_count", lambda: 4)
    assert verifying_apart.processes_for(leagues, entries) == processes


def test_all_entries_are_counted(filled, monkeypatch):
    counted = []
    begin_two_processes(monkeypatch)
    advance = verifying_apart._advance
    monkeypatch.setattr(
        verifying_apart, "_advance", lambda value, _: advance(value, counted.append)
    )
    verified(filled)
    with sqlite3.connect(str(make_url(filled).database)) as connection:
        assert sum(counted) == connection.execute("SELECT count(*) FROM events").fetchone()[0]
    connection.close()


def test_what_is_checked_again_is_counted_once(sqlite_url, monkeypatch):
    """The connection is lost after some entries, and the work is done again."""
    counted = multiprocessing.get_context("spawn").Value("q", 0)
    monkeypatch.setattr(verifying_apart, "_counted", counted)
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
