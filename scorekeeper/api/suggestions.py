"""Suggestions for a misspelled name in an address, or for a name in a body that is no slug."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from msgspec.structs import replace

from scorekeeper.api.validation_errors import FieldError
from scorekeeper.editions.registry import edition_ids
from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.service.refused import Refused
from scorekeeper.service.slugs import LeagueNames, near
from scorekeeper.store.names import Named, WithPlayers

_IN_ADDRESSES: Final[Mapping[str | None, Named]] = {
    "match": "match",
    "player": "player",
    "tournament": "tournament",
}
_WITH_PLAYERS: Final[tuple[WithPlayers, ...]] = ("match", "tournament")
_NEW_CARDS: Final = "options.extra_cards."


async def with_nearest(
    refused: Refused, address: Mapping[str, Any], names: LeagueNames | None
) -> Refused:
    """Return the refusal with a suggestion in its fact `nearest`, or unchanged if there is none.

    `address` has the names in the path. `names` is None if the caller may not know what exists.
    """
    misfits = cast("Sequence[FieldError]", refused.members.get("errors", ()))
    misfit = misfits[0] if misfits else None
    try:
        if refused.code == "not-found":
            nearest = await _nearest_in_address(refused.reason, address, names)
        elif misfit is not None and misfit.reason == "no-slug":
            nearest = await _nearest_in_body(misfit, address, names)
        else:
            return refused
    except LedgerUnavailable:
        return refused
    if nearest is None:
        return refused
    facts = {name: fact for name, fact in (refused.facts or {}).items() if name != "nearest"}
    all_facts = {**facts, **nearest} or None
    if misfit is None:
        return refused.with_facts(all_facts)
    return refused.with_facts(
        all_facts, errors=(replace(misfit, facts=all_facts or {}), *misfits[1:])
    )


async def _nearest_in_address(
    sought: str | None, address: Mapping[str, Any], names: LeagueNames | None
) -> Mapping[str, object] | None:
    """Return the facts to add; None if nothing can be looked up."""
    if sought == "edition":
        return near(address["edition"], edition_ids())
    named = _IN_ADDRESSES.get(sought)
    if named is None or names is None:
        return None
    return await names.near(address[named], address["league"], named)


async def _nearest_in_body(
    misfit: FieldError, address: Mapping[str, Any], names: LeagueNames | None
) -> Mapping[str, object] | None:
    """Return the facts to add if the name refers to something that exists, else None.

    A new name may be spelled as its refusal proposes already.
    """
    facts: Mapping[str, Any] = misfit.facts
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
    league: str = address["league"]
    among, beside = misfit.among, misfit.beside
    for named in _WITH_PLAYERS:
        if named in address:
            seated = await names.seated(league, named, address[named])
            if field == "substitute":
                beside |= seated
            else:
                among = seated
    return await names.near(proposed, league, "player", among=among, beside=beside)
