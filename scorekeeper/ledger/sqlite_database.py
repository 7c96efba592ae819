"""SQLite: one process, one writing connection on its own thread, and a few that read."""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncGenerator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.pool import NullPool

from scorekeeper.files import ProcessLock, real_path
from scorekeeper.ledger.database_errors import LedgerUnavailable, is_unavailable
from scorekeeper.sqlite import begin_at_once

T = TypeVar("T")

_READERS = 4
_BUSY_SECONDS = 5.0
FOLD_AGAIN_SECONDS = 1.0
# Short reads of this process have ended by then. Long reads are not waited for.
_FOLD_PATIENCE_MS = 100
_UNFOLDED = "unfolded"


class SqliteDatabase:
    """An open database file. Raises LedgerInUse if another process has it open for writing.

    `read_only`: neither the file nor its write-ahead log is changed. Another process may have the
    file open, too.
    """

    def __init__(self, url: URL, *, read_only: bool = False) -> None:
        if not url.database or url.database == ":memory:":
            raise ValueError("a ledger on SQLite needs a file")
        self.writers: list[_Writer] = []
        self._lock: ProcessLock | None = None
        if read_only:
            self._readers = _Threads(_read_only_engine(url.database), threads=_READERS)
            return
        self._lock = ProcessLock(Path(url.database))
        self.writers.append(_Writer(_engine(url.database, writing=True)))
        self._readers = _Threads(_engine(url.database, writing=False), threads=_READERS)

    async def read(self, work: Callable[[Connection], T]) -> T:
        return await self._readers.run(work)

    async def each(self, works: Iterable[Callable[[Connection], T]]) -> AsyncGenerator[T]:
        """Run `works` as `read` does, each one when its result is asked for.

        Reading ahead would gain nothing: this very process does the reading.
        """
        for work in works:
            yield await self.read(work)

    async def close(self) -> None:
        # The writer closes last, so that it merges the write-ahead log into the database.
        await self._readers.close()
        for writer in self.writers:
            await writer.close()
        if self._lock is not None:
            self._lock.release()


class _Threads:
    """Threads that each hold one connection and run whole pieces of work on it."""

    def __init__(self, engine: Engine, *, threads: int) -> None:
        self._engine = engine
        self._held = threading.local()
        self._connections: list[Connection] = []
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="ledger")

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run `work` on a connection. Raises LedgerUnavailable."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._executor, self._run, work)
        except Exception as error:
            if is_unavailable(error):
                why = getattr(error, "orig", None) or error
                raise LedgerUnavailable(f"the database file can't be used: {why}") from error
            raise

    async def close(self) -> None:
        await asyncio.to_thread(self._executor.shutdown)
        for connection in self._connections:
            connection.close()
        self._engine.dispose()

    def _run(self, work: Callable[[Connection], T]) -> T:
        connection: Connection | None = getattr(self._held, "connection", None)
        if connection is None or connection.closed or connection.invalidated:
            connection = self._engine.connect()
            self._held.connection = connection
            self._connections.append(connection)
        try:
            return work(connection)
        except StopIteration as error:
            # As from a coroutine. A future takes no StopIteration: who waits would wait for ever.
            raise RuntimeError("the work raised StopIteration") from error


class _Writer(_Threads):
    """The one thread that writes. If `fold_log_in` could not finish, it is tried again later."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine, threads=1)
        self._unfolded = False
        self._folding: asyncio.Task[None] | None = None

    async def run(self, work: Callable[[Connection], T]) -> T:
        done = await super().run(work)
        if self._unfolded and self._folding is None:
            self._folding = asyncio.create_task(self._fold())
        return done

    async def close(self) -> None:
        if self._folding is not None:
            self._folding.cancel()
        await super().close()

    async def _fold(self) -> None:
        """Try every second to fold the log in, until that succeeds.

        The next write would do so, too, but in a small league it may be days away.
        """
        while self._unfolded:
            await asyncio.sleep(FOLD_AGAIN_SECONDS)
            with suppress(LedgerUnavailable):
                await super().run(fold_log_in)
        self._folding = None

    def _run(self, work: Callable[[Connection], T]) -> T:
        done = super()._run(work)
        self._unfolded = self._held.connection.info.get(_UNFOLDED, False)
        return done


def _read_only_engine(database: str) -> Engine:
    """Return an engine that opens the file read-only.

    The last connection to close would otherwise fold the write-ahead log into the file.
    """
    engine = create_engine(
        URL.create(
            "sqlite",
            database=f"file:{quote(str(real_path(Path(database))))}",
            query={"mode": "ro", "uri": "true"},
        ),
        poolclass=NullPool,
        hide_parameters=True,
        connect_args={"check_same_thread": False, "timeout": _BUSY_SECONDS},
    )
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def _engine(database: str, *, writing: bool) -> Engine:
    engine = create_engine(
        URL.create("sqlite", database=database),
        poolclass=NullPool,
        hide_parameters=True,  # errors are logged, and logs must not have names and digests
        connect_args={"check_same_thread": False, "timeout": _BUSY_SECONDS},
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _: object) -> None:  # pyright: ignore[reportUnusedFunction]
        # The driver begins no transaction of its own: `begin_at_once` does. Reading needs none:
        # each statement sees one moment.
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute("PRAGMA synchronous=FULL")
        # Erased content is overwritten in the file, not only unlinked.
        cursor.execute("PRAGMA secure_delete=ON")
        if not writing:
            cursor.execute("PRAGMA query_only=ON")
        cursor.close()

    if writing:
        begin_at_once(engine)
        return engine
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def fold_log_in(connection: Connection) -> None:
    """Copy the write-ahead log into the database file, and truncate it.

    A long read prevents this, and so does a full disk. The writer then tries again until it
    succeeds, and the log keeps its content meanwhile.
    """
    driver = connection.connection.driver_connection
    assert driver is not None
    driver.execute(f"PRAGMA busy_timeout={_FOLD_PATIENCE_MS}").close()
    try:
        (busy, *_) = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.OperationalError:
        # What was written before is committed, and must not be told to have failed.
        busy = True
    finally:
        driver.execute(f"PRAGMA busy_timeout={round(_BUSY_SECONDS * 1_000)}").close()
    connection.info[_UNFOLDED] = bool(busy)
