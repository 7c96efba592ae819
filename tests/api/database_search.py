"""Reading everything that a database holds, past the service."""

import asyncio
from collections.abc import Iterator

from sqlalchemy import Connection, inspect, make_url
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from tests.api.serving import Served


def every_value(served: Served) -> Iterator[tuple[str, str, bytes]]:
    """Yield each value as table, column and the value as bytes."""

    def read(connection: Connection) -> list[tuple[str, str, bytes]]:
        found = []
        for name in inspect(connection).get_table_names():
            for row in connection.exec_driver_sql(f'SELECT * FROM "{name}"'):
                found += [
                    (name, column, value if isinstance(value, bytes) else str(value).encode())
                    for column, value in row._mapping.items()
                ]
        return found

    async def read_all() -> list[tuple[str, str, bytes]]:
        url = make_url(served.url)
        if url.get_backend_name() == "sqlite":
            url = url.set(database=f"file:{url.database}", query={"mode": "ro", "uri": "true"})
        engine = create_async_engine(url, poolclass=NullPool)
        try:
            async with engine.connect() as connection:
                return await connection.run_sync(read)
        finally:
            await engine.dispose()

    yield from asyncio.run(read_all())
