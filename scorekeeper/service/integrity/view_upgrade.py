"""Rebuilding the views that an upgrade has left stale: their derivation is not today's any more."""

from collections.abc import Callable
from secrets import SystemRandom

from sqlalchemy import Connection

from scorekeeper.ledger.integrity.raw_rows import leagues_with_a_head
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.integrity.rebuilding import Rebuilding
from scorekeeper.service.integrity.verifying import OnProgress
from scorekeeper.service.refused import Refused
from scorekeeper.store import views


def stale_leagues(connection: Connection) -> list[str]:
    """Return the leagues whose views were not written with today's derivation, sorted by slug."""
    up_to_date = views.up_to_date(connection)
    return [league for league in leagues_with_a_head(connection) if league not in up_to_date]


class ViewUpgrade:
    """Rebuilds league by league. Each league is noted when it is done, so the work can be resumed.

    Several processes may work at once and share the leagues. Each takes them in a random order, and
    skips those that another process has finished meanwhile. If two rebuild the same league, the
    second one finds nothing left to write.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._rebuilding = Rebuilding(ledger)

    async def stale(self) -> dict[str, int]:
        """Return how many entries each stale league has."""
        leagues = await self._ledger.read(stale_leagues)
        heads = await self._ledger.heads() if leagues else {}
        return {league: heads[league].size for league in leagues}

    async def run(
        self, stale: dict[str, int], progress: OnProgress, on_stale: Callable[[str, str], None]
    ) -> None:
        """Rebuild the views of these leagues.

        `progress` is called with numbers that add up to all their entries, those of skipped leagues
        included. `on_stale` is called with each league that stays stale, and the reason. Raises
        LedgerUnavailable.
        """
        order = list(stale)
        SystemRandom().shuffle(order)
        for league in order:
            reported = 0

            def count(entries: int) -> None:
                nonlocal reported
                reported += entries
                progress(entries)

            if not await self._rebuilding.is_up_to_date(league):
                await self._rebuild(league, count, on_stale)
            progress(max(0, stale[league] - reported))

    async def _rebuild(
        self, league: str, progress: OnProgress, on_stale: Callable[[str, str], None]
    ) -> None:
        try:
            rebuilt = await self._rebuilding.rebuild(league, progress)
        except Refused as error:
            on_stale(league, str(error))
            return
        if rebuilt.left:
            on_stale(league, f"These can't be replayed: {', '.join(rebuilt.left)}.")
