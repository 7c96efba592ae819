"""Names of people on a page."""

from collections.abc import Iterable, Mapping

from scorekeeper.service.services import Services
from scorekeeper.texts.language import Language


async def names_in(services: Services, league: str) -> dict[str, str]:
    """Slug to name, by slug; an erased name leaves the slug. Raises Refused (`not-found`)."""
    found = await services.players.everybody(league)
    return {each.player: each.name or each.player for each in found}


def called(player: str, names: Mapping[str, str]) -> str:
    """The name of a player, or else the slug."""
    return names.get(player, player)


def listed(players: Iterable[str], names: Mapping[str, str], language: Language) -> str:
    """Names in the order of the slugs, as the language lists them."""
    told = [names.get(player, player) for player in players]
    return ("、" if language == "zh-TW" else ", ").join(told)
