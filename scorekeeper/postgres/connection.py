"""One connection to a PostgreSQL: what it leads to, and what a pooler must not be troubled with."""

# The driver has no types.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

import asyncio
import contextlib
import socket
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import asyncpg  # type: ignore[import-untyped]

from scorekeeper.postgres.address import Host

# A machine that lost its power, or its network, closes no connection: whoever waits for it has to
# notice by itself. By default systems take a quarter of an hour.
_SILENT_SECONDS = 10
_SOCKET_OPTIONS = {
    "TCP_KEEPIDLE": _SILENT_SECONDS,
    "TCP_KEEPINTVL": 2,
    "TCP_KEEPCNT": 3,
    "TCP_USER_TIMEOUT": _SILENT_SECONDS * 1000,
}


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
        """Asked once: a primary that becomes a standby ends all its connections."""
        answer: Any = await self.fetchval("SELECT pg_is_in_recovery()")
        return bool(answer)

    async def timeline(self) -> tuple[int, int] | None:
        """Of a primary: its cluster, and which of the cluster's timelines it writes.

        None where the server keeps that to itself, as some do that speak PostgreSQL's protocol.
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
        """A transaction that can't write.

        As a setting of the session it would stay behind on what a pooler lends for a transaction.
        """
        await self.execute("BEGIN READ ONLY")
        try:
            yield
        finally:
            # SQLAlchemy closes the connection of a statement that was given up.
            if not self.is_closed():
                await self.execute("ROLLBACK")

    def _get_unique_id(self, prefix: str) -> str:
        """Each process counts from 1, and a pooler lends them the same connections in turn."""
        return f"{super()._get_unique_id(prefix)}{self._name}"


async def open_connection(host: Host, **options: Any) -> PostgresConnection:  # noqa: ANN401
    """Raises what the driver raises, and OSError."""
    opened: PostgresConnection = await asyncpg.connect(
        host=host.name,
        port=host.port,
        connection_class=PostgresConnection,
        target_session_attrs="any",  # nothing in the environment has a say in this
        **options,
    )
    return opened


def _notice_silence(connected: socket.socket) -> None:
    """As far as the system can."""
    if connected.family not in {socket.AF_INET, socket.AF_INET6}:
        return
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _SOCKET_OPTIONS.items():
        if hasattr(socket, name):
            connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
