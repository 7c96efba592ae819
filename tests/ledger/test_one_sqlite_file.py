"""A ledger in a SQLite file: how it is written, and what happens if others open the file."""

import asyncio
import sqlite3
from contextlib import closing

import pytest
from sqlalchemy import make_url
from sqlalchemy.exc import OperationalError

from scorekeeper.ledger.integrity.raw_rows import consistent_snapshot
from tests.ledger.asking import LEAGUE, check_whole, noting, opening

MATCH = "match:one"


@pytest.fixture
def ledger(opened, sqlite_url, run):
    ledger = opened(sqlite_url)
    run(ledger.append(opening()))
    return ledger


def test_what_is_acknowledged_is_on_the_disk(ledger, run):
    """WAL with synchronous=FULL (2): a commit returns after the write-ahead log was synced."""

    def settings(connection):
        asked = ("journal_mode", "synchronous", "secure_delete")
        return [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in asked]

    assert run(ledger.transact(LEAGUE, settings)) == ["wal", 2, 1]


def test_a_transaction_that_somebody_else_holds_open_is_waited_for(ledger, sqlite_url, run):
    """Another program has a transaction open. Two appends wait, and a reader sees neither."""

    async def hold():
        with closing(sqlite3.connect(make_url(sqlite_url).database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            appends = [asyncio.create_task(ledger.append(noting(MATCH))) for _ in range(2)]
            assert len((await ledger.part(LEAGUE, 0, 10)).entries) == 1
            other.execute("ROLLBACK")
            return [outcome.value for outcome in await asyncio.gather(*appends)]

    assert run(hold()) == [[1], [2]]
    assert len(run(check_whole(ledger))) == 3


def test_after_a_check_a_connection_reads_text_as_before(ledger, run):
    """During a check, bytes that are no UTF-8 are spelled out. Otherwise they are an error."""

    def read(connection):
        return connection.exec_driver_sql("SELECT CAST(x'ff' AS TEXT)").scalar()

    def check(connection):
        with consistent_snapshot(connection):
            assert read(connection) == r"\xff"
        with pytest.raises(OperationalError, match="UTF-8"):
            read(connection)

    run(ledger.read(check))
