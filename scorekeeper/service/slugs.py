"""Slugs: made of a name where none is given, and the nearest to one that nothing has."""

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
"""Characters, so that a number, or the name of a tournament's table, can follow."""
_COUNTED: Final = 9
"""So many of one name are counted."""

# Latin letters that Unicode does not take apart into a plain one and its marks.
_LETTERS: Final = str.maketrans(
    {"æ": "ae", "ð": "d", "đ": "d", "ħ": "h", "ı": "i", "ł": "l", "ø": "o", "œ": "oe", "þ": "th"}
)
_APOSTROPHES: Final = str.maketrans(dict.fromkeys("'’ʼ`´"))
_BETWEEN: Final = re.compile("[^a-z0-9]+")


def in_slug(name: str) -> str | None:
    """What a slug can keep of a name: its Latin letters without accents, and its digits.

    None where that is nothing, or only the digits among letters of another script.
    """
    letters = name.translate(_APOSTROPHES).casefold().translate(_LETTERS)
    plain = "".join(each for each in normalize("NFKD", letters) if category(each)[0] != "M")
    kept = _BETWEEN.sub("-", plain.casefold()).strip("-")[:_MOST_OF_NAME].rstrip("-")
    lost = any(category(each)[0] == "L" for each in plain) and not re.search("[a-z]", kept)
    return None if lost else kept or None


def slug_candidates(
    opened: Opened, given: str | None, name: str | None, key: IdempotencyKey | None
) -> tuple[str, ...]:
    """The given slug, or else those that are made of the name; the first that is free is taken."""
    return (given,) if given is not None else tuple(slugs_for(opened, name, key))


def slugs_for(opened: Opened, name: str | None, key: IdempotencyKey | None) -> Iterator[str]:
    """Slugs for something of this name, to be tried in this order; the last one is surely free.

    The last one is random. If the request has a key, it follows from the key instead, so that the
    same request opens the same thing.
    """
    kept = None if name is None else in_slug(name)
    if kept is not None:
        yield kept
        yield from (f"{kept}-{number}" for number in range(2, _COUNTED + 1))
    made = secrets.token_hex(_DIGITS // 2) if key is None else key.key.hex()[:_DIGITS]
    yield f"{kept or opened}-{made}"


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

    async def near(
        self,
        name: str,
        league: str,
        named: Named,
        *,
        among: Collection[str] | None = None,
        beside: Collection[str] = (),
    ) -> Mapping[str, object]:
        """What was probably meant by the name of a player, a match or a tournament.

        `among`: what it has to be one of, None: anything; `beside`: what it can't be.
        """
        known = await self._ledger.read(lambda c: slugs(c, league, named, most=MOST_COMPARED))
        fitting = (each for each in known if among is None or each in among)
        return near(name, (each for each in fitting if each not in beside))

    async def seated(self, league: str, named: WithPlayers, slug: str) -> frozenset[str]:
        """Who plays in a match or a tournament, by the columns; nobody where there is none."""
        return await self._ledger.read(lambda c: players_of(c, league, named, slug))


def _spelled(name: str) -> str:
    return name.strip().casefold().replace(" ", "-").replace("_", "-")
