"""A database that goes away and comes back."""

import asyncio
import socket
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from sqlalchemy import column, func, make_url, select, table, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from scorekeeper.ledger.database_errors import LedgerUnavailable, is_unavailable
from scorekeeper.ledger.integrity.raw_rows import write_entries
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.reading import RowQuery
from scorekeeper.store import leagues
from tests.ledger.asking import LEAGUE, check_whole, noting, opening
from tests.ledger.outside import CUT

MATCH = "match:one"
CUT_MYSELF = text("SELECT pg_terminate_backend(pg_backend_pid())")


@pytest.fixture
def ledger(opened, postgresql_url, run):
    ledger = opened(postgresql_url)
    run(ledger.append(opening()))
    return ledger


def test_a_connection_cut_while_nobody_used_it_is_made_anew(ledger, run):
    run(ledger.append(noting(MATCH)))
    run(ledger.read(lambda connection: connection.execute(text(CUT)).scalar()))
    assert run(ledger.append(noting(MATCH))).value == [2]
    run(check_whole(ledger))


def test_a_connection_cut_in_the_middle_says_so_and_the_next_append_goes_on(ledger, run):
    with pytest.raises(LedgerUnavailable):
        run(ledger.append(noting(MATCH, rows=[(CUT_MYSELF, {})])))
    assert run(ledger.append(noting(MATCH))).value == [1]
    with pytest.raises(LedgerUnavailable):
        run(ledger.transact(LEAGUE, lambda connection: connection.execute(CUT_MYSELF).all()))
    assert run(ledger.append(noting(MATCH))).value == [2]
    run(check_whole(ledger))


@pytest.mark.parametrize("count", [1, 300])
def test_a_connection_cut_before_new_rows_says_so_and_the_next_append_goes_on(
    ledger, opened, postgresql_url, run, count
):
    entries = run(ledger.append(noting(MATCH, count))).entries

    def cut_and_write(connection):
        mine = connection.execute(text("SELECT pg_backend_pid()")).scalar_one()
        with ThreadPoolExecutor(1) as elsewhere:
            elsewhere.submit(asyncio.run, cut(postgresql_url, mine)).result()
        write_entries(connection, entries)

    with pytest.raises(LedgerUnavailable):
        run(ledger.transact("another", cut_and_write))
    assert run(ledger.append(noting(MATCH))).value == [count + 1]
    run(check_whole(ledger))


async def cut(url, backend):
    engine = create_async_engine(url, poolclass=NullPool)
    async with engine.connect() as connection:
        await connection.execute(text(f"SELECT pg_terminate_backend({backend}, 10000)"))


def test_reading_outlives_a_cut_of_all_connections(ledger, opened, postgresql_url, run):
    run(ledger.part(LEAGUE, 0, 10))
    other = opened(postgresql_url)
    run(other.read(lambda connection: connection.execute(text(CUT)).scalar()))
    assert len(run(ledger.part(LEAGUE, 0, 10)).entries) == 1


def test_folding_outlives_a_cut_of_all_connections(ledger, opened, postgresql_url, run):
    """Several reads are made, since the first that fails empties the pool for the others."""
    run(ledger.append(noting(MATCH, 2)))

    async def all_at_once():
        await asyncio.gather(*(ledger.contents(LEAGUE, MATCH, until=9) for _ in range(3)))

    run(all_at_once())
    other = opened(postgresql_url)
    run(other.read(lambda connection: connection.execute(text(CUT)).scalar()))
    for _ in range(3):
        assert run(ledger.contents(LEAGUE, MATCH, until=9)).version == 2


def test_rows_that_break_off_each_time_say_so_and_the_next_are_read(ledger, run):
    cut = RowQuery(select(func.pg_terminate_backend(func.pg_backend_pid())))
    with pytest.raises(LedgerUnavailable):
        run(ledger.read(cut.rows))
    assert run(ledger.contents(LEAGUE, "league", until=9)).version == 1


def test_rows_that_can_t_be_read_are_an_error_of_the_database(opened, database_url, run):
    ledger = opened(database_url)
    asked = RowQuery(select(column("nothing")).select_from(table("nowhere")))
    with pytest.raises(DBAPIError, match="nowhere") as raised:
        run(ledger.read(asked.rows))
    assert not is_unavailable(raised.value)
    assert run(ledger.part(LEAGUE, 0, 1)).entries == []


def test_a_server_that_can_t_be_reached(opened, run):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        ledger: Ledger = opened(f"postgresql+asyncpg://nobody@127.0.0.1:{port}/nothing")
        with pytest.raises(LedgerUnavailable):
            run(ledger.append(noting(MATCH)))
        with pytest.raises(LedgerUnavailable):
            run(ledger.part(LEAGUE, 0, 1))


def test_a_sqlite_file_that_can_t_be_written(opened, sqlite_url, run):
    ledger = opened(sqlite_url)
    run(ledger.append(opening()))
    run(ledger.transact(LEAGUE, lambda c: c.exec_driver_sql("SELECT 1").all()))
    run(ledger._queues[0]._writer.run(lambda c: c.exec_driver_sql("PRAGMA max_page_count=1")))
    run(ledger._queues[0]._writer.run(lambda c: c.rollback()))
    with pytest.raises(LedgerUnavailable):
        run(ledger.append(noting(MATCH, 2_000)))
    assert len(run(check_whole(ledger))) == 1


def test_after_a_locked_file_a_group_is_written_whole_or_not_at_all(
    opened, sqlite_url, run, monkeypatch
):
    """After a transaction could not begin, the next ones must be real transactions again."""
    monkeypatch.setattr("scorekeeper.ledger.sqlite_database._BUSY_SECONDS", 0.05)
    ledger = opened(sqlite_url)
    run(ledger.append(opening()))
    with closing(sqlite3.connect(make_url(sqlite_url).database, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(LedgerUnavailable):
            run(ledger.append(noting(MATCH)))
        other.execute("ROLLBACK")
    with pytest.raises(DBAPIError):
        run(ledger.append(noting(MATCH, rows=[leagues.added("bad", None)])))
    assert len(run(check_whole(ledger))) == 1
    assert run(ledger.append(noting(MATCH))).value == [1]
    run(check_whole(ledger))
