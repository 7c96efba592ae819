"""PostgreSQL: a few held connections for writing, and a few for reading.

When several reads follow one another, the server already runs the next one while this process
handles the result of the present one.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable
from contextlib import nullcontext
from typing import Any, TypeVar

from sqlalchemy import URL, Connection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from scorekeeper.ledger.database_errors import LedgerUnavailable, is_unavailable
from scorekeeper.postgres import PostgresConnection, in_own_words, postgres_engine

T = TypeVar("T")

_READERS = 8
_COMMAND_SECONDS = 30
_IN_TURN_SECONDS = 10


async def prefetch(reads: Iterable[Coroutine[Any, Any, T]]) -> AsyncGenerator[T]:
    """Yield the results of these reads in order; each is started before its result is asked for.

    Close the generator if you stop early: reads that were started are cancelled then.
    """
    under_way: deque[asyncio.Task[T]] = deque()
    try:
        for read in reads:
            under_way.append(asyncio.create_task(read))
            await asyncio.sleep(0)  # let it begin, even if the result before it is there already
            if len(under_way) > 1:
                yield await under_way.popleft()
        if under_way:
            yield await under_way.popleft()
    finally:
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)


class PostgresDatabase:
    """A database that any number of processes may have open.

    `queues`: the number of writing connections. With 0 the database is only read. `standby`: read
    from a standby, too, if the address allows it.
    """

    def __init__(
        self, url: URL, *, queues: int, readers: int = _READERS, standby: bool = False
    ) -> None:
        self._engine = postgres_engine(
            url,
            standby=standby,
            command_timeout=_COMMAND_SECONDS,
            # No limit: the statements for most events are long and have to stay prepared.
            max_cacheable_statement_size=0,
        )
        self.writers = [_HeldConnection(self._engine) for _ in range(queues)]
        reading = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        self._readers = readers
        # Last in, first out: the connection used last is open, and others may never be needed.
        self._idle = asyncio.LifoQueue[_HeldConnection]()
        for _ in range(readers):
            self._idle.put_nowait(_HeldConnection(reading, read_only=not queues))

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run `work` on a reading connection. Each statement sees the latest commit."""
        try:
            async with asyncio.timeout(_IN_TURN_SECONDS):
                reader = await self._idle.get()
        except TimeoutError as error:
            raise LedgerUnavailable("too many are reading") from error
        try:
            return await reader.run(work)
        except LedgerUnavailable:
            # The server may have been restarted. A second attempt opens a new connection.
            return await reader.run(work)
        finally:
            self._idle.put_nowait(reader)

    def each(self, works: Iterable[Callable[[Connection], T]]) -> AsyncGenerator[T]:
        """Run `works` as `read` does. Each one is started before its result is asked for."""
        return prefetch(self.read(work) for work in works)

    async def close(self) -> None:
        for _ in range(self._readers):
            # A read that still uses the connection ends first.
            await (await self._idle.get()).close()
        for writer in self.writers:
            await writer.close()
        await self._engine.dispose()


class _HeldConnection:
    """One connection, which is kept until it fails.

    It is not pinged before its use, which would cost each append a round trip. A connection that
    the server has closed is noticed without one. Where one was lost in silence, a read is repeated
    and an append is answered 503, after which the next one opens another.

    `read_only`: each piece of work is a transaction that can't write.
    """

    def __init__(self, engine: AsyncEngine, *, read_only: bool = False) -> None:
        self._engine = engine
        self._read_only = read_only
        self._connection: AsyncConnection | None = None
        self._driver: PostgresConnection | None = None

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run `work` on the connection. Raises LedgerUnavailable."""
        try:
            connection, driver = await self._open()
            async with driver.reading() if self._read_only else nullcontext():
                return await connection.run_sync(work)
        except LedgerUnavailable:
            await self._drop()
            raise
        except Exception as error:
            if not is_unavailable(error):
                raise
            await self._drop()
            raise _away(error) from error

    async def close(self) -> None:
        if self._connection is not None:
            await self._connection.close()
            self._connection = None

    async def _open(self) -> tuple[AsyncConnection, PostgresConnection]:
        if self._driver is not None and (self._driver.is_closed() or self._driver.superseded()):
            await self._drop()
        if self._connection is None or self._driver is None:
            try:
                self._connection = await self._engine.connect()
            except Exception as error:
                # For any reason: a database that refuses connections is unavailable.
                raise _away(error) from error
            raw = await self._connection.get_raw_connection()
            assert isinstance(raw.driver_connection, PostgresConnection)
            self._driver = raw.driver_connection
        return self._connection, self._driver

    async def _drop(self) -> None:
        connection, self._connection, self._driver = self._connection, None, None
        if connection is not None:
            await connection.invalidate()
            await connection.close()


def _away(error: Exception) -> LedgerUnavailable:
    return LedgerUnavailable(f"the database can't be reached: {in_own_words(error)}")
