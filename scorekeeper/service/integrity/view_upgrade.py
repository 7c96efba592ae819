"""Making anew what an upgrade has left stale: views that follow another derivation than today's."""

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
    """Leagues whose views were not written with today's derivation, by slug."""
    up_to_date = views.up_to_date(connection)
    return [league for league in leagues_with_a_head(connection) if league not in up_to_date]


class ViewUpgrade:
    """Rebuilds league by league, each noted when it is done, so that an interrupted one goes on.

    Several processes may do it at once. Each takes the leagues in an order of its own and passes
    over those that another has done meanwhile, so that they share the work; what two do at the same
    time the second finds done when it comes to write.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._rebuilding = Rebuilding(ledger)

    async def stale(self) -> dict[str, int]:
        """How many entries each stale league has."""
        leagues = await self._ledger.read(stale_leagues)
        heads = await self._ledger.heads() if leagues else {}
        return {league: heads[league].size for league in leagues}

    async def run(
        self, stale: dict[str, int], progress: OnProgress, left: Callable[[str, str], None]
    ) -> None:
        """Make the views of these leagues anew.

        `progress` is told of all their entries, those of leagues that are passed over included;
        `left` of a league that stays stale, and why. Raises LedgerUnavailable.
        """
        order = list(stale)
        SystemRandom().shuffle(order)
        for league in order:
            told = 0

            def count(entries: int) -> None:
                nonlocal told
                told += entries
                progress(entries)

            if not await self._rebuilding.is_up_to_date(league):
                await self._rebuild(league, count, left)
            progress(max(0, stale[league] - told))

    async def _rebuild(
        self, league: str, progress: OnProgress, left: Callable[[str, str], None]
    ) -> None:
        try:
            rebuilt = await self._rebuilding.rebuild(league, progress)
        except Refused as error:
            left(league, str(error))
            return
        if rebuilt.left:
            left(league, f"These can't be replayed: {', '.join(rebuilt.left)}.")
