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
from scorekeeper.texts.language import CONVENTIONS, Language

_FROM_THE_RIGHT: Final = frozenset(
    {"R", "AL", "AN", "LRE", "LRO", "RLE", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
)
"""Classes of letters and signs after which a sentence would go on in another direction (UAX 9)."""


async def names_in(services: Services, league: str) -> dict[str, str]:
    """Return the names of all players by slug, in the order of the names.

    A player whose name was erased is called by the slug. Raises Refused (`not-found`).
    """
    return {each.player: each.name or each.player for each in await people_in(services, league)}


async def people_in(services: Services, league: str) -> list[PlayerView]:
    """Return all players of a league in the order of their names. Raises Refused (`not-found`)."""
    return sorted(await services.players.everybody(league), key=_by_name)


def _by_name(person: PlayerView) -> tuple[bytes, str]:
    """Return a key that sorts Latin letters by the alphabet, then Chinese ones by their strokes.

    The order by strokes is that of Big5.
    """
    letters = normalize("NFKD", person.name or person.player)
    bare = "".join(letter for letter in letters if not combining(letter))
    return b"".join(map(_place_of, bare.casefold())), person.player


def _place_of(letter: str) -> bytes:
    """Return a letter's place in Big5. A letter that Big5 lacks comes last, by its code point."""
    try:
        return letter.encode("big5")
    except UnicodeEncodeError:
        return b"\xff" + letter.encode()


def people_of(board: Scoreboard) -> list[str]:
    """Return the players, then their substitutes, each once."""
    return list(dict.fromkeys([*board.players, *(board.substitutes or {}).values()]))


def called(player: str, names: Mapping[str, str]) -> str:
    """Return the name of a player, or else the slug."""
    return names.get(player, player)


def sitting(players: Iterable[str], substitutes: Mapping[str, str]) -> list[str]:
    """Return who sits in the players' seats: the substitute of a player who has one."""
    return [substitutes.get(player, player) for player in players]


def listed(players: Iterable[str], names: Mapping[str, str], language: Language) -> str:
    """Return the players' names as a list in a sentence of the language, in the given order."""
    names_of_players = [called(player, names) for player in players]
    return CONVENTIONS[language].comma.join(names_of_players)


def isolate_names(text: str, names: Iterable[str]) -> Markup:
    """Return a sentence as HTML, with each name that is written from right to left in `<bdi>`.

    Such a name would otherwise change the order of the words around it.
    """
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
