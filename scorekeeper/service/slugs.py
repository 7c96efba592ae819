"""Slugs: making one from a name if none is given, and finding the nearest to an unknown one."""

import re
import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Final
from unicodedata import category, normalize

from rapidfuzz import process
from rapidfuzz.distance import OSA

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.command import IdempotencyKey, Opened
from scorekeeper.store.names import Named, WithPlayers, players_of, slugs

_DIGITS: Final = 10
_MOST_OF_NAME: Final = 40
"""The most characters of a name in a slug, so that a number or a tournament's table can follow."""
_COUNTED: Final = 9
"""The last number that is added to the slug of a name; further ones get random digits."""

# Latin letters that Unicode does not decompose into a plain letter and its marks.
_LETTERS: Final = str.maketrans(
    {"æ": "ae", "ð": "d", "đ": "d", "ħ": "h", "ı": "i", "ł": "l", "ø": "o", "œ": "oe", "þ": "th"}
)
_APOSTROPHES: Final = str.maketrans(dict.fromkeys("'’ʼ`´"))
_BETWEEN: Final = re.compile("[^a-z0-9]+")


def in_slug(name: str) -> str | None:
    """Return what a slug can keep of a name: its Latin letters without accents, and its digits.

    Return None if nothing is left, or only digits of a name that has letters of another script.
    """
    kept = _BETWEEN.sub("-", _plain(name)).strip("-")[:_MOST_OF_NAME].rstrip("-")
    lost = bool(out_of_slug(name)) and not re.search("[a-z]", kept)
    return None if lost else kept or None


def out_of_slug(name: str) -> str:
    """Return the letters of a name that no slug can keep, such as those of Chinese."""
    return "".join(each for each in _plain(name) if not each.isascii() and category(each)[0] == "L")


def _plain(name: str) -> str:
    """Return a name without capitals, accents and apostrophes."""
    letters = name.translate(_APOSTROPHES).casefold().translate(_LETTERS)
    # Letter by letter: a whole name would take the square of its accents.
    parts = (part for letter in letters for part in normalize("NFKD", letter))
    return "".join(part for part in parts if category(part)[0] != "M").casefold()


def slug_candidates(
    opened: Opened, given: str | None, name: str | None, key: IdempotencyKey | None
) -> tuple[str, ...]:
    """Return the given slug, or else those made from the name, of which the first free is taken."""
    return (given,) if given is not None else tuple(slugs_for(opened, name, key))


def slugs_for(opened: Opened, name: str | None, key: IdempotencyKey | None) -> Iterator[str]:
    """Yield slugs for something of this name, to be tried in this order.

    The last one is random, and so surely free. If the request has a key, the last slug follows from
    the key instead, so that the same request opens the same thing.
    """
    kept = None if name is None else in_slug(name)
    if kept is not None:
        yield kept
        yield from (f"{kept}-{number}" for number in range(2, _COUNTED + 1))
    made = secrets.token_hex(_DIGITS // 2) if key is None else key.key.hex()[:_DIGITS]
    yield f"{kept or opened}-{made}"


MOST_COMPARED: Final = 2_000
"""The most names to compare with. So many take about a millisecond."""

_MOST_NAMED: Final = 3
_LONGEST: Final = 120
_ALIKE: Final = 0.6
_AS_GOOD: Final = 0.9


def nearest(name: str, names: Iterable[str]) -> list[str]:
    """Return the names that differ from `name` in the fewest letters, at most three, best first.

    The list is empty if all names differ too much. Case makes no difference, and spaces and
    underscores count as hyphens. Names beyond the first 2,000 are not looked at.
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
    """Return the nearest names as the fact `nearest`, which is absent if there are none."""
    found = nearest(name, names)
    return {"nearest": found} if found else {}


class LeagueNames:
    """Finds names in a league. Only for callers who may read the league."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def near(
        self,
        name: str,
        league: str,
        named: Named,
        *,
        among: Collection[str] | None = None,
        beside: Collection[str] = (),
    ) -> Mapping[str, object]:
        """Return, as the fact `nearest`, which players, matches or tournaments a name may mean.

        `among`: the slugs that fit; None: all. `beside`: slugs that don't fit.
        """
        known = await self._ledger.read(lambda c: slugs(c, league, named, most=MOST_COMPARED))
        fitting = (each for each in known if among is None or each in among)
        return near(name, (each for each in fitting if each not in beside))

    async def seated(self, league: str, named: WithPlayers, slug: str) -> frozenset[str]:
        """Return the columns of a match or a tournament; an empty set if it does not exist."""
        return await self._ledger.read(lambda c: players_of(c, league, named, slug))


def _spelled(name: str) -> str:
    return name.strip().casefold().replace(" ", "-").replace("_", "-")
