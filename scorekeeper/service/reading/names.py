"""The names that lie outside the ledger: of those who recorded, and of those who play."""

from collections.abc import Collection, Iterable, Mapping

from cachetools import FIFOCache

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.identity.access import ADMIN_ID
from scorekeeper.service.reading.people import NamesBySlug
from scorekeeper.store import players, tokens

_REMEMBERED_NAMES = 10_000


class NameLookup:
    """Each of its readings is one query at the most."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._remembered: FIFOCache[tuple[str, str], str] = FIFOCache(_REMEMBERED_NAMES)

    async def people(self, league: str, slugs: Collection[str]) -> NamesBySlug:
        """As they are called now, which may be another name than a moment ago, or none."""
        return await self._ledger.read(lambda c: players.names(c, league, slugs))

    async def recorders(self, league: str, token_ids: Iterable[str]) -> Mapping[str, str]:
        """The names of tokens, revoked ones included, in the order of their ids.

        A token is named when it is made and never again: it is asked for once, and what is read of
        a log has the same names in every process. The admin token is of no league and has no name:
        it goes by its id, and so does a token that the database lacks.
        """
        wanted = sorted(set(token_ids))
        unknown = [
            each for each in wanted if each != ADMIN_ID and (league, each) not in self._remembered
        ]
        found: Mapping[str, str] = {}
        if unknown:
            found = await self._ledger.read(lambda c: tokens.names(c, league, unknown))
        names = {
            each: found.get(each) or self._remembered.get((league, each), each) for each in wanted
        }
        for token_id, name in found.items():
            self._remembered[league, token_id] = name
        return names
