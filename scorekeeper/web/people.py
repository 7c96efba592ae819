"""Names of people on a page."""

from collections.abc import Iterable, Mapping

from scorekeeper.projections.scoreboard import Scoreboard
from scorekeeper.service.services import Services
from scorekeeper.texts.language import Language


async def names_in(services: Services, league: str) -> dict[str, str]:
    """Slug to name, by slug; an erased name leaves the slug. Raises Refused (`not-found`)."""
    found = await services.players.everybody(league)
    return {each.player: each.name or each.player for each in found}


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
    return ("、" if language == "zh-TW" else ", ").join(told)
