"""What was probably meant by a name in an address, or by one in a body that is no slug."""

from collections.abc import Mapping
from typing import Any, Final

from litestar.types import Scope

from scorekeeper.editions.registry import edition_ids
from scorekeeper.service.nearest import near
from scorekeeper.service.refused import Refused
from scorekeeper.service.services import Services
from scorekeeper.store.slugs import Named

_IN_ADDRESSES: Final[Mapping[str | None, Named]] = {
    "match": "match",
    "player": "player",
    "tournament": "tournament",
}
_NEW_CARDS: Final = "options.extra_cards."


async def with_nearest(scope: Scope, refused: Refused) -> Refused:
    """The refusal with its fact `nearest`, out of what the caller may know to exist."""
    nearest = await _nearest(scope, refused)
    if nearest is None:
        return refused
    facts = {name: fact for name, fact in (refused.facts or {}).items() if name != "nearest"}
    return refused.telling({**facts, **nearest} or None)


async def _nearest(scope: Scope, refused: Refused) -> Mapping[str, object] | None:
    """None where nothing is to be found out."""
    if refused.code == "not-found":
        return await _nearest_in_address(scope, refused.reason)
    if refused.code == "malformed" and refused.reason == "no-slug":
        return await _nearest_in_body(scope, refused.facts or {})
    return None


async def _nearest_in_address(scope: Scope, sought: str | None) -> Mapping[str, object] | None:
    names: dict[str, Any] = scope["path_params"]
    if sought == "edition":
        return near(names["edition"], edition_ids())
    named = _IN_ADDRESSES.get(sought)
    if named is None or "caller" not in scope["state"]:
        return None
    return await _services(scope).names.near(names[named], names["league"], named)


async def _nearest_in_body(scope: Scope, facts: Mapping[str, Any]) -> Mapping[str, object] | None:
    """Of a name that says who or what is meant; one that is new may be spelled as is proposed."""
    place: str = facts["at"]
    field = place.rpartition(".")[2]
    if "nearest" not in facts or field in {"league", "match", "tournament"}:
        return None
    (proposed,) = facts["nearest"]
    if field == "edition":
        return near(proposed, edition_ids())
    league: str | None = scope["path_params"].get("league")
    is_new = place == "player" or place.startswith(_NEW_CARDS)
    if is_new or league is None or "caller" not in scope["state"]:
        return None
    return await _services(scope).names.near(proposed, league, "player")


def _services(scope: Scope) -> Services:
    services: Services = scope["litestar_app"].state.services
    return services
