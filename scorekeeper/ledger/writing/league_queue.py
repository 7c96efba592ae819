"""A queue for each league: expensive requests of one league wait for each other alone."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from scorekeeper.ledger.databases.database_errors import LedgerOverloaded

MOST_WAITING = 100
"""For one league."""


class LeagueQueue:
    """Leagues do not wait for each other; within one the order is that of coming."""

    def __init__(self) -> None:
        self._locks: dict[str, asyncio.Lock] = {}
        self._waiting: Counter[str] = Counter()

    def __bool__(self) -> bool:
        """Whether anybody waits, or has a turn."""
        return bool(self._locks)

    @asynccontextmanager
    async def of(self, league: str) -> AsyncGenerator[None]:
        """Raises LedgerOverloaded where too many wait."""
        if self._waiting[league] >= MOST_WAITING:
            raise LedgerOverloaded(f"too much is asked of {league} at once")
        self._waiting[league] += 1
        try:
            async with self._locks.setdefault(league, asyncio.Lock()):
                yield
        finally:
            self._waiting[league] -= 1
            if not self._waiting[league]:
                del self._waiting[league], self._locks[league]
