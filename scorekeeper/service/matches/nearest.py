"""What was probably meant by a name that nothing has."""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Final

from rapidfuzz import process
from rapidfuzz.distance import OSA

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.store.slugs import Named, slugs

MOST_COMPARED: Final = 2_000
"""Names; to compare with so many takes about a millisecond."""

_MOST_NAMED: Final = 3
_LONGEST: Final = 120
_ALIKE: Final = 0.6
_AS_GOOD: Final = 0.9


def nearest(name: str, names: Iterable[str]) -> list[str]:
    """The names that take the fewest changes of a letter, at most three, the best first.

    Empty where each takes too many. Case, spaces and underscores make no difference. Names beyond
    the first 2,000 are not looked at.
    """
    known = {_spelled(each): each for each in islice(names, MOST_COMPARED)}
    spelled = _spelled(name[:_LONGEST])
    if spelled in known:
        return [known[spelled]]
    found = process.extract(
        spelled,
        list(known),
        scorer=OSA.normalized_similarity,
        score_cutoff=_ALIKE,
        limit=_MOST_NAMED,
    )
    return [known[each] for each, likeness, _ in found if likeness >= _AS_GOOD * found[0][1]]


def near(name: str, names: Iterable[str]) -> Mapping[str, object]:
    """The same as the fact `nearest`, which is absent where nothing is near."""
    found = nearest(name, names)
    return {"nearest": found} if found else {}


class LeagueNames:
    """What has a name in a league, for those who may read it."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def near(self, name: str, league: str, named: Named) -> Mapping[str, object]:
        """What was probably meant by the name of a player, a match or a tournament."""
        known = await self._ledger.read(lambda c: slugs(c, league, named, most=MOST_COMPARED))
        return near(name, known)


def _spelled(name: str) -> str:
    return name.strip().casefold().replace(" ", "-").replace("_", "-")
