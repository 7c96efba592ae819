"""Suggestions for a name that was refused. Only names that would fit in its place are suggested."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, cast

from scorekeeper.match.events.events import LogAmended, PlayerSubstituted, ToldEvent
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.state import State
from scorekeeper.service.refused import Refused
from scorekeeper.service.slugs import near, nearest

_MOST_LOOKED_UP: Final = 10

# The fields of an event that name two different people, since nobody catches, or swaps hands with,
# themselves.
_OTHER_THAN: Final = {"by": "player", "player": "by", "swap_with": "player"}


def nearest_meant(
    refusal: Refusal, cards: Collection[str], players: Collection[str]
) -> Mapping[str, object]:
    """Return the fact `nearest` if one of these cards or players may be meant, else nothing."""
    match (refusal.reason or refusal.code, dict(refusal.facts)):
        case ("card-not-in-box", {"card": str(card)}):
            return near(card, cards)
        case ("color-not-in-edition", {"color": str(color), "colors": colors}):
            return near(color, cast("Collection[str]", colors))
        case ("dealer-not-in-match", {"dealer": str(player)}):
            return near(player, players)
        case ("player-not-in-match" | "player-not-in-tournament", {"player": str(player)}):
            return near(player, players)
        case _:
            return {}


def who_could_stand(state: State, event: ToldEvent, refusal: Refusal) -> Sequence[str]:
    """Return the players whom an event could name in place of the refused one.

    They take part, are not out, and are not named in the event's other field. If somebody sits in
    for one of them, both names are returned. For an amendment all columns are returned: it may be
    about a time when other people sat in or were out.
    """
    if isinstance(event, LogAmended):
        return tuple(state.totals)
    seats = state.staying if state.table is None or not state.running else state.table.seats
    columns = {person: column for column, person in state.substitutes.items()}
    field = str(refusal.facts.get("field"))
    beside: object = getattr(event, _OTHER_THAN.get(field, field), None)
    named = [beside] if isinstance(beside, str) else cast("Collection[str]", beside or ())
    taken = {columns.get(name, name) for name in named}
    free = [column for column in seats if column not in taken]
    return (*free, *(state.substitutes[each] for each in free if each in state.substitutes))


def already_seated(state: State, event: ToldEvent) -> frozenset[str]:
    """Return the people who can't sit in by this event, since they sit at the table already.

    Somebody for whom another person sits in may come back. By an amendment anybody may sit in: it
    may be about a time when other people sat there.
    """
    if not isinstance(event, PlayerSubstituted):
        return frozenset()
    columns = {person: column for column, person in state.substitutes.items()}
    there = frozenset(state.totals) | columns.keys()
    column = columns.get(event.player, event.player)
    return there - {column} if column in state.substitutes else there


def unregistered(
    strangers: Collection[str],
    registered: Collection[str],
    *,
    beside: Collection[str],
    event_index: int | None = None,
) -> Refused:
    """Return the refusal of people who are not registered in the league.

    `beside`: people who have a place already, and are not suggested.
    """
    known = sorted({*registered} - {*beside})
    likely = [
        name
        for stranger in sorted(strangers)[:_MOST_LOOKED_UP]
        for name in nearest(stranger, known)
    ]
    facts = {"players": sorted(strangers)}
    if likely:
        facts["nearest"] = list(dict.fromkeys(likely))
    return Refused("player-not-registered", facts=facts, event_index=event_index)
