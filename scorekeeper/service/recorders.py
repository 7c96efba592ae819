"""The names of those who recorded something: of tokens, which outlive them."""

from collections import OrderedDict
from collections.abc import Iterable, Mapping

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.access import ADMIN_ID
from scorekeeper.store import tokens

_REMEMBERED_NAMES = 10_000


class Recorders:
    """Asks for a name once, since a token is named when it is made and never again.

    So what is read of a log has the same names in every process, and a tag needs not speak of them.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._remembered: OrderedDict[tuple[str, str], str] = OrderedDict()

    async def names(self, league: str, token_ids: Iterable[str]) -> Mapping[str, str]:
        """By token, in the order of their ids.

        The admin token is of no league and has no name: it goes by its id, and so does a token that
        the database lacks.
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
            self._remember((league, token_id), name)
        return names

    def _remember(self, token: tuple[str, str], name: str) -> None:
        self._remembered[token] = name
        if len(self._remembered) > _REMEMBERED_NAMES:
            self._remembered.popitem(last=False)
