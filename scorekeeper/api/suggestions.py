"""Suggestions for a misspelled name in an address, or for a name in a body that is no slug."""

from collections.abc import Mapping
from typing import Any, Final

from scorekeeper.editions.registry import edition_ids
from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.service.refused import Refused
from scorekeeper.service.slugs import LeagueNames, near
from scorekeeper.store.names import Named

_IN_ADDRESSES: Final[Mapping[str | None, Named]] = {
    "match": "match",
    "player": "player",
    "tournament": "tournament",
}
_NEW_CARDS: Final = "options.extra_cards."


async def with_nearest(
    refused: Refused, address: Mapping[str, Any], names: LeagueNames | None
) -> Refused:
    """The refusal with its fact `nearest`, or as it is where nobody can say.

    `address` has the names in the path; `names` is None where the caller may not know what exists.
    """
    try:
        nearest = await _nearest(refused, address, names)
    except LedgerUnavailable:
        return refused
    if nearest is None:
        return refused
    facts = {name: fact for name, fact in (refused.facts or {}).items() if name != "nearest"}
    return refused.telling({**facts, **nearest} or None)


async def _nearest(
    refused: Refused, address: Mapping[str, Any], names: LeagueNames | None
) -> Mapping[str, object] | None:
    """None where nothing is to be found out."""
    if refused.code == "not-found":
        return await _nearest_in_address(refused.reason, address, names)
    if refused.code == "malformed" and refused.reason == "no-slug":
        return await _nearest_in_body(refused.facts or {}, address, names)
    return None


async def _nearest_in_address(
    sought: str | None, address: Mapping[str, Any], names: LeagueNames | None
) -> Mapping[str, object] | None:
    if sought == "edition":
        return near(address["edition"], edition_ids())
    named = _IN_ADDRESSES.get(sought)
    if named is None or names is None:
        return None
    return await names.near(address[named], address["league"], named)


async def _nearest_in_body(
    facts: Mapping[str, Any], address: Mapping[str, Any], names: LeagueNames | None
) -> Mapping[str, object] | None:
    """Of a name that says who or what is meant; one that is new may be spelled as is proposed."""
    place: str = facts["at"]
    field = place.rpartition(".")[2]
    if "nearest" not in facts or field in {"league", "match", "tournament"}:
        return None
    (proposed,) = facts["nearest"]
    if field == "edition":
        return near(proposed, edition_ids())
    is_new = place == "player" or place.startswith(_NEW_CARDS)
    if is_new or names is None or "league" not in address:
        return None
    return await names.near(proposed, address["league"], "player")
