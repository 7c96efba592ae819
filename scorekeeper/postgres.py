"""Connecting to PostgreSQL: its address, and connections to the one of its hosts that is primary.

An address names one host or several.
"""

import asyncio
import contextlib
import re
import socket
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import Any, Final, NamedTuple
from urllib.parse import quote
from uuid import uuid4

import asyncpg  # type: ignore[import-untyped]
from msgspec import Struct
from sqlalchemy import URL
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

_DRIVER: Final = "postgresql+asyncpg"
_TARGET: Final = "target_session_attrs"
_PRIMARY, _ANY = "primary", "any"
# Several hosts between user and path, which SQLAlchemy can't read.
_LISTED = re.compile(
    rf"(?P<begin>{re.escape(_DRIVER)}://(?:[^@]*@)?)(?P<hosts>[^/?@]*,[^/?@]*)"
    r"(?P<path>/[^?]*)?(?:\?(?P<query>.*))?"
)

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


class Host(NamedTuple):
    """A host's name, IP address or socket folder, and its port. The driver decides what is None."""

    name: str | None
    port: int | None

    def __str__(self) -> str:
        return ":".join(str(part) for part in self if part is not None) or "the default host"


class PostgresAddress(Struct, frozen=True):
    """An address of PostgreSQL. `url` is the address without its hosts.

    `hosts` are in the order in which they are tried. `standby`: processes that only read may do so
    from a standby, which can lag behind.
    """

    url: URL
    hosts: tuple[Host, ...]
    standby: bool


def hosts_in_query(text: str) -> str:
    """Return an address that lists hosts as `a:5432,b:5432` in the form with `?host=`.

    Other addresses are returned as they are.
    """
    found = _LISTED.fullmatch(text)
    if found is None:
        return text
    named = [f"host={quote(each, safe='')}" for each in found["hosts"].split(",")]
    query = "&".join([*named, *filter(None, [found["query"]])])
    return f"{found['begin']}{found['path'] or '/'}?{query}"


def read_address(url: URL) -> PostgresAddress:
    """Return the parts of an address.

    The hosts may be given as libpq takes them: `user@a/db`, `?host=a,b&port=1,2`,
    `?host=a:1&host=b:2`. Raises ArgumentError. Its message has no part of the address that may be
    a secret.
    """
    query = dict(url.query)
    names = _listed(query.pop("host", url.host or ""))
    ports = _listed(query.pop("port", str(url.port or "")))
    target = query.pop(_TARGET, _PRIMARY)
    if target not in {_PRIMARY, _ANY}:
        raise ArgumentError(
            f"{_TARGET} must be {_PRIMARY}, which is the default, or {_ANY}, not {target!r}: "
            "everything is written to the primary, and read from it"
        )
    hosts = [_host(name) for name in names]
    if len(ports) not in {1, len(hosts)}:
        raise ArgumentError(f"{len(hosts)} hosts and {len(ports)} ports are named")
    numbers = [_port(port) for port in ports] * (len(hosts) // len(ports))
    return PostgresAddress(
        url=URL.create(
            url.drivername,
            username=url.username,
            password=url.password,
            database=url.database,
            query=query,
        ),
        hosts=tuple(
            host if host.port is not None else Host(host.name, number)
            for host, number in zip(hosts, numbers, strict=True)
        ),
        standby=target == _ANY,
    )


def _listed(values: str | Sequence[str]) -> list[str]:
    named = [values] if isinstance(values, str) else values
    return [part.strip() for value in named for part in value.split(",")]


def _host(text: str) -> Host:
    if text.startswith("["):
        name, _, rest = text[1:].partition("]")
        port = rest.removeprefix(":")
    elif text.count(":") > 1:  # an IPv6 address
        name, port = text, ""
    else:
        name, _, port = text.partition(":")
    return Host(name or None, _port(port))


def _port(text: str) -> int | None:
    if not text:
        return None
    if not text.isdecimal():
        raise ArgumentError("a port must be a number")
    return int(text)


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
        """Whether another host was the primary when a connection was made last.

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
