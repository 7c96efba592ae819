"""Notifying other processes on the same PostgreSQL of a commit, and being notified by them.

Wake-ups are hints. If one is lost, the poll of the log still finds the new entries.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any

import structlog
from sqlalchemy import make_url

from scorekeeper.ledger.writing.commit_queue import OnCommit
from scorekeeper.postgres import postgres_engine

_CHANNEL = "scorekeeper"
_COMMAND_SECONDS = 10

# Commits that are closer together than this share one notification.
_TOGETHER_SECONDS = 0.01
_FIRST_WAIT_SECONDS = 0.5
_LONGEST_WAIT_SECONDS = 30.0


class Wakeups:
    """One connection, apart from those that read and write, that listens and notifies.

    `heard` is called with the league and the size of its ledger for each commit that another
    process announces. `url` must lead to the server itself: a pooler that lends connections passes
    on no notifications. `wait` is the time in seconds before a lost connection is opened again. It
    doubles each time that this fails, up to 30 seconds.
    """

    def __init__(self, url: str, heard: OnCommit, *, wait: float = _FIRST_WAIT_SECONDS) -> None:
        self._engine = postgres_engine(make_url(url), command_timeout=_COMMAND_SECONDS)
        self._heard = heard
        self._wait = wait
        self._unannounced: dict[str, int] = {}
        self._wake = asyncio.Event()

    def announce(self, league: str, size: int) -> None:
        """Announce a commit of this process to the others. Returns at once and raises nothing."""
        # The commit queue for large requests may announce a commit before an earlier one is.
        self._unannounced[league] = max(size, self._unannounced.get(league, 0))
        self._wake.set()

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Announce and hear of commits while the context is open.

        A connection that is lost is opened again.
        """
        task = asyncio.create_task(self._run())
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            await self._engine.dispose()

    async def _run(self) -> None:
        wait = self._wait
        while True:
            try:
                async with self._engine.connect() as connection:
                    raw = await connection.get_raw_connection()
                    wait = self._wait
                    await self._notify(raw.driver_connection)
            except Exception as error:  # noqa: BLE001 - whatever it is, polls go on meanwhile
                structlog.get_logger().warning("wake-ups interrupted", error=str(error))
            await asyncio.sleep(wait)
            wait = min(2 * wait, _LONGEST_WAIT_SECONDS)

    async def _notify(self, driver: Any) -> None:  # noqa: ANN401 asyncpg's connection
        """Announce and listen until the connection is lost or another host is the primary."""
        driver.add_termination_listener(self._end)
        await driver.add_listener(_CHANNEL, self._hear)
        while not (driver.is_closed() or driver.superseded()):
            await self._wake.wait()
            self._wake.clear()
            if self._unannounced:
                untold, self._unannounced = self._unannounced, {}
                payloads = [f"{league} {size}" for league, size in untold.items()]
                await driver.execute(
                    "SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload",
                    _CHANNEL,
                    payloads,
                )
                await asyncio.sleep(_TOGETHER_SECONDS)

    def _end(self, _: object) -> None:
        self._wake.set()

    def _hear(self, driver: Any, process: int, _: str, payload: str) -> None:  # noqa: ANN401
        if process != driver.get_server_pid():
            league, _, size = payload.partition(" ")
            if size.isdecimal():
                self._heard(league, int(size))
