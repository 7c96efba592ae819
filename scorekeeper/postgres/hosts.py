"""Connecting to that of a PostgreSQL's hosts which is the primary."""

import asyncio
from collections.abc import Sequence
from functools import cache, partial
from typing import Any

from sqlalchemy import URL
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from scorekeeper.postgres.address import Host, read_address
from scorekeeper.postgres.connection import PostgresConnection, open_connection

_ONLY_HOST_SECONDS = 10
# For each of several: one that does not answer keeps the others waiting no longer.
_HOST_SECONDS = 3


class NotPrimary(ConnectionError):
    """A host answers, and is none that may be written to or read from."""


class PostgresHosts:
    """The hosts of one address, and what was learnt of them."""

    def __init__(self, hosts: Sequence[Host]) -> None:
        self._hosts = hosts
        self._primary: Host | None = None
        self._timelines: dict[int, int] = {}

    async def connect(self, *, standby: bool, **options: Any) -> PostgresConnection:  # noqa: ANN401
        """A connection to the primary, or with `standby` to the first host that answers.

        The hosts are tried one by one, the last primary first. Raises what the driver raises, and
        OSError.
        """
        failures: list[tuple[Host, Exception]] = []
        for host in sorted(self._hosts, key=lambda each: each != self._primary):
            try:
                return await self._connect_to(host, standby, options)
            except Exception as error:  # noqa: BLE001 drivers raise what they like
                failures.append((host, error))
        if len(failures) == 1:
            raise failures[0][1]
        told = "; ".join(
            f"{host}: {str(error) or type(error).__name__}" for host, error in failures
        )
        raise NotPrimary(f"no host is the primary ({told})")

    async def _connect_to(
        self, host: Host, standby: bool, options: dict[str, Any]
    ) -> PostgresConnection:
        seconds = _ONLY_HOST_SECONDS if len(self._hosts) == 1 else _HOST_SECONDS
        async with asyncio.timeout(seconds):
            connection = await open_connection(host, **options)
            connection.superseded = partial(self._is_not_primary, host)
            if standby:
                return connection
            try:
                await self._check_primary(connection)
            except BaseException:
                connection.terminate()
                raise
        self._primary = host
        return connection

    def _is_not_primary(self, host: Host) -> bool:
        """Whether another one was when a connection was made last.

        This one may have been frozen meanwhile, and believe that it still is.
        """
        return self._primary not in {None, host}

    async def _check_primary(self, connection: PostgresConnection) -> None:
        """Raises NotPrimary, also for a former primary that came back and knows of no other."""
        if await connection.is_standby():
            raise NotPrimary("it is a standby")
        found = await connection.timeline() if len(self._hosts) > 1 else None
        if found is not None:
            # Each promotion begins a timeline, of a higher number.
            cluster, timeline = found
            newest = self._timelines.get(cluster, timeline)
            if timeline < newest:
                told = f"it is a former primary, on timeline {timeline}"
                raise NotPrimary(f"{told}; timeline {newest} has begun")
            self._timelines[cluster] = timeline


def postgres_engine(url: URL, *, standby: bool = False, **options: object) -> AsyncEngine:
    """An engine whose connections lead to the primary; each is closed after its use.

    `standby`: where the address allows it, they may lead to a standby. `options` are the driver's.
    """
    address = read_address(url)
    connect = partial(_known(address.hosts).connect, standby=standby and address.standby)
    return create_async_engine(
        address.url,
        hide_parameters=True,  # errors are logged, and names and digests are no matter for logs
        poolclass=NullPool,
        connect_args={"async_creator_fn": connect, **options},
    )


# What one connection of a process learns of the hosts, all others know.
_known = cache(PostgresHosts)
