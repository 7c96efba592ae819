"""Reading on PostgreSQL: a few connections, each lent to one reader after the other."""

import asyncio
from collections.abc import Iterator

import pytest
from sqlalchemy import func, literal, make_url, select
from sqlalchemy.util import await_only

from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.ledger.integrity.raw_rows import consistent_snapshot
from scorekeeper.ledger.postgres_database import PostgresDatabase
from scorekeeper.ledger.reading import RowQuery

BACKEND = select(func.pg_backend_pid())
LONG = select(func.pg_sleep(60))


def one_reader(url: str, queues: int = 0) -> PostgresDatabase:
    """Return a database with a single connection for reading."""
    return PostgresDatabase(make_url(url), queues=queues, readers=1)


@pytest.fixture(params=[0, 1], ids=["to-be-read", "to-be-written"])
def alone(postgresql_url, run, request) -> Iterator[PostgresDatabase]:
    database = one_reader(postgresql_url, request.param)
    yield database
    run(database.close())


def backend(connection):
    return connection.execute(BACKEND).scalar_one()


def test_readers_come_by_turns_on_one_connection(alone, run):
    async def all_at_once():
        return await asyncio.gather(*(alone.read(backend) for _ in range(5)))

    assert len(set(run(all_at_once()))) == 1


def in_sqlalchemys_way(connection):
    connection.execute(LONG)


def in_the_drivers_way(connection):
    RowQuery(LONG).rows(connection)


def in_a_moment_of_its_own(connection):
    with consistent_snapshot(connection):
        RowQuery(LONG).rows(connection)


@pytest.mark.parametrize("way", [in_sqlalchemys_way, in_the_drivers_way, in_a_moment_of_its_own])
def test_after_a_reader_who_went_away_the_next_one_reads(alone, run, way):
    async def go_away():
        begun = asyncio.Event()

        def work(connection):
            begun.set()
            way(connection)

        reading = asyncio.create_task(alone.read(work))
        await begun.wait()
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading

    for _ in range(3):
        run(go_away())
        assert run(alone.read(RowQuery(select(literal(1))).rows)) == [(1,)]
        # A database opened only for reading has a transaction around each read.
        assert run(alone.read(is_in_transaction)) is not bool(alone.writers)


def is_in_transaction(connection):
    return connection.connection.driver_connection.is_in_transaction()


def test_who_waits_too_long_for_a_connection_is_told_so_after_one_wait(alone, run, monkeypatch):
    """A second attempt is for a lost connection, not for a busy one."""
    waits = []
    timeout = asyncio.timeout

    def counted(seconds):
        waits.append(seconds)
        return timeout(seconds)

    async def read_beside_another():
        gate = asyncio.Event()
        other = asyncio.create_task(alone.read(lambda _: await_only(gate.wait())))
        await asyncio.sleep(0)
        monkeypatch.setattr("scorekeeper.ledger.postgres_database._IN_TURN_SECONDS", 0)
        monkeypatch.setattr("asyncio.timeout", counted)
        with pytest.raises(LedgerUnavailable):
            await alone.read(backend)
        gate.set()
        await other

    run(read_beside_another())
    assert waits.count(0) == 1


def test_closing_waits_for_who_is_reading(postgresql_url, run):
    async def close_beside_a_reader():
        database = one_reader(postgresql_url)
        gate = asyncio.Event()

        def work(connection):
            await_only(gate.wait())
            return backend(connection)

        reading = asyncio.create_task(database.read(work))
        await asyncio.sleep(0)
        closing = asyncio.create_task(database.close())
        await asyncio.sleep(0)
        gate.set()
        assert await reading
        await closing

    run(close_beside_a_reader())
