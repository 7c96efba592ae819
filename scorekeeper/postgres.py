"""Connecting to PostgreSQL: to the one of the hosts of an address that is primary."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import Any
from uuid import uuid4

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import URL
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from scorekeeper.postgres_address import Host, read_address

# A machine that lost its power, or its network, closes no connection. The process that waits for it
# has to notice this alone. By default systems take a quarter of an hour.
_SILENT_SECONDS = 10
_SOCKET_OPTIONS = {
    "TCP_KEEPIDLE": _SILENT_SECONDS,
    "TCP_KEEPINTVL": 2,
    "TCP_KEEPCNT": 3,
    "TCP_USER_TIMEOUT": _SILENT_SECONDS * 1000,
}

_ONLY_HOST_SECONDS = 10
# For each of several hosts. If one does not answer, the next one is tried after this time.
_HOST_SECONDS = 3


# The driver has no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false


class PostgresConnection(asyncpg.Connection):  # type: ignore[misc]
    """The driver's connection. `superseded` tells whether another host is the primary by now."""

    superseded: Callable[[], bool]

    def __init__(
        self,
        protocol: object,
        transport: asyncio.Transport,
        *args: Any,  # noqa: ANN401 the driver's own
    ) -> None:
        super().__init__(protocol, transport, *args)
        self._name = uuid4().hex[:16]
        _notice_silence(transport.get_extra_info("socket"))

    async def is_standby(self) -> bool:
        """Return whether the server is a standby.

        Asking once for each connection is enough: a primary that becomes a standby ends them all.
        """
        answer: Any = await self.fetchval("SELECT pg_is_in_recovery()")
        return bool(answer)

    async def timeline(self) -> tuple[int, int] | None:
        """Return a primary's cluster, and the number of the cluster's timeline that it writes.

        None if the server does not tell, as some others that speak PostgreSQL's protocol.
        """
        with contextlib.suppress(asyncpg.SyntaxOrAccessError, asyncpg.FeatureNotSupportedError):
            row: Any = await self.fetchrow(
                "SELECT system_identifier, pg_walfile_name(pg_current_wal_lsn()) AS file"
                " FROM pg_control_system()"
            )
            return row["system_identifier"], int(row["file"][:8], 16)
        return None

    @asynccontextmanager
    async def reading(self) -> AsyncGenerator[None]:
        """Open a transaction that can't write.

        A setting of the session would remain on the connection that a pooler lends only for a
        transaction.
        """
        await self.execute("BEGIN READ ONLY")
        try:
            yield
        finally:
            # SQLAlchemy closes the connection of a statement that was given up.
            if not self.is_closed():
                await self.execute("ROLLBACK")

    def _get_unique_id(self, prefix: str) -> str:
        """Return a name, such as a prepared statement's, that no other process uses.

        The driver's names count from 1 in each process, and a pooler lends the same connection to
        several processes in turn.
        """
        return f"{super()._get_unique_id(prefix)}{self._name}"


async def open_connection(host: Host, **options: Any) -> PostgresConnection:  # noqa: ANN401
    """Open a connection to a host, a primary or not. Raises what the driver raises, and OSError."""
    opened: PostgresConnection = await asyncpg.connect(
        host=host.name,
        port=host.port,
        connection_class=PostgresConnection,
        target_session_attrs="any",  # whatever the environment says
        **options,
    )
    return opened


def _notice_silence(connected: socket.socket) -> None:
    """Have the system notice a peer that has fallen silent, as far as it has options for this."""
    if connected.family not in {socket.AF_INET, socket.AF_INET6}:
        return
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _SOCKET_OPTIONS.items():
        if hasattr(socket, name):
            connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


class PrimaryUnavailable(ConnectionError):
    """The host that answers is not the primary, or none of several hosts is known to be."""


class PostgresHosts:
    """The hosts of one address, and what was learnt about them: the primary, and the timelines."""

    def __init__(self, hosts: Sequence[Host]) -> None:
        self._hosts = hosts
        self._primary: Host | None = None
        self._timelines: dict[int, int] = {}

    async def connect(self, *, standby: bool, **options: Any) -> PostgresConnection:  # noqa: ANN401
        """Return a connection to the primary, or with `standby` to the first host that answers.

        The hosts are tried one by one, the last known primary first. Raises what the driver raises,
        and OSError.
        """
        failures: list[tuple[Host, Exception]] = []
        for host in sorted(self._hosts, key=lambda each: each != self._primary):
            try:
                return await self._connect_to(host, standby, options)
            except Exception as error:  # noqa: BLE001 drivers raise what they like
                failures.append((host, error))
        if len(failures) == 1:
            raise failures[0][1]
        reasons = "; ".join(
            f"{host}: {str(error) or type(error).__name__}" for host, error in failures
        )
        raise PrimaryUnavailable(f"no host is the primary ({reasons})")

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
        """Return whether another host was the primary when a connection was made last.

        This host may have been frozen meanwhile, and believe that it is still the primary.
        """
        return self._primary not in {None, host}

    async def _check_primary(self, connection: PostgresConnection) -> None:
        """Raise PrimaryUnavailable unless a host is the primary.

        A former primary that came back and knows of no other one is not.
        """
        if await connection.is_standby():
            raise PrimaryUnavailable("it is a standby")
        found = await connection.timeline() if len(self._hosts) > 1 else None
        if found is not None:
            # Each promotion begins a timeline, of a higher number.
            cluster, timeline = found
            newest = self._timelines.get(cluster, timeline)
            if timeline < newest:
                why = f"it is a former primary, on timeline {timeline}"
                raise PrimaryUnavailable(f"{why}; timeline {newest} has begun")
            self._timelines[cluster] = timeline


def in_own_words(error: Exception) -> str:
    """Return why there is no connection, in the server's words, without what libraries add."""
    return str(getattr(error, "orig", None) or error) or type(error).__name__


def postgres_engine(url: URL, *, standby: bool = False, **options: object) -> AsyncEngine:
    """Return an engine whose connections lead to the primary. Each is closed after its use.

    `standby`: if the address allows it, they may lead to a standby. `options` are the driver's.
    """
    address = read_address(url)
    connect = partial(_hosts_of(address.hosts).connect, standby=standby and address.standby)
    return create_async_engine(
        address.url,
        hide_parameters=True,  # errors are logged, and logs must not have names and digests
        poolclass=NullPool,
        connect_args={"async_creator_fn": connect, **options},
    )


# Cached, so that all connections of a process know what one of them has learnt about the hosts.
_hosts_of = cache(PostgresHosts)
