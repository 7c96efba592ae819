"""Names of people on a page."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final
from unicodedata import bidirectional, combining, normalize

from markupsafe import Markup, escape

from scorekeeper.projections.scoreboard import Scoreboard
from scorekeeper.service.services import Services
from scorekeeper.service.views import PlayerView
from scorekeeper.texts.language import Language
from scorekeeper.texts.words import COMMA

_FROM_THE_RIGHT: Final = frozenset(
    {"R", "AL", "AN", "LRE", "LRO", "RLE", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
)
"""Classes of letters and signs after which a sentence would go on in another direction (UAX 9)."""


async def names_in(services: Services, league: str) -> dict[str, str]:
    """Slug to name, by name; an erased name leaves the slug. Raises Refused (`not-found`)."""
    return {each.player: each.name or each.player for each in await people_in(services, league)}


async def people_in(services: Services, league: str) -> list[PlayerView]:
    """Everybody, by name. Raises Refused (`not-found`)."""
    return sorted(await services.players.everybody(league), key=_by_name)


def _by_name(person: PlayerView) -> tuple[bytes, str]:
    """Latin letters by the alphabet, then Chinese ones by their strokes, which Big5 goes by."""
    letters = normalize("NFKD", person.name or person.player)
    bare = "".join(letter for letter in letters if not combining(letter))
    return b"".join(map(_place_of, bare.casefold())), person.player


def _place_of(letter: str) -> bytes:
    """Behind all others, by its code point, where Big5 does not have it."""
    try:
        return letter.encode("big5")
    except UnicodeEncodeError:
        return b"\xff" + letter.encode()


def people_of(board: Scoreboard) -> list[str]:
    """The players, and whoever sits in for them."""
    return list(dict.fromkeys([*board.players, *(board.substitutes or {}).values()]))


def called(player: str, names: Mapping[str, str]) -> str:
    """The name of a player, or else the slug."""
    return names.get(player, player)


def sitting(players: Iterable[str], substitutes: Mapping[str, str]) -> list[str]:
    """Who plays in the seats of the players."""
    return [substitutes.get(player, player) for player in players]


def listed(players: Iterable[str], names: Mapping[str, str], language: Language) -> str:
    """Names in the order of the slugs, as the language lists them."""
    told = [called(player, names) for player in players]
    return COMMA[language].join(told)


def apart(text: str, names: Iterable[str]) -> Markup:
    """A sentence in which names that are written from right to left leave the rest in its order."""
    found = sorted(filter(_turns, names), key=len, reverse=True)
    if not found:
        return escape(text)
    parts = re.split(f"({'|'.join(map(re.escape, found))})", text)
    return Markup("").join(
        Markup("<bdi>{}</bdi>").format(part) if part in found else escape(part) for part in parts
    )


@lru_cache(maxsize=4096)
def _turns(name: str) -> bool:
    return not _FROM_THE_RIGHT.isdisjoint(map(bidirectional, name))
