"""Who sits down for somebody else, and therefore has to be in the league."""

from collections.abc import Sequence

from scorekeeper.match.events.events import Event, LogAmended, PlayerSubstituted, ToldEvent
from scorekeeper.service.league_events import STREAM, Roster

# They are named by these alone.
_NAMING = frozenset({PlayerSubstituted, LogAmended})


def streams_of(stream: str, events: Sequence[ToldEvent]) -> tuple[str, ...]:
    """A match's stream, and the league's where it has to be known who is in the league."""
    if _NAMING.isdisjoint(map(type, events)):
        return (stream,)
    return (stream, STREAM) if any(map(substitutes, events)) else (stream,)


def strangers(events: Sequence[ToldEvent], roster: Roster) -> Sequence[tuple[int, str]]:
    """Substitutes who are not in the league, each with the place of the event that names them."""
    return [
        (index, name)
        for index, event in enumerate(events)
        for name in substitutes(event)
        if name not in roster.players
    ]


def substitutes(event: Event) -> Sequence[str]:
    """Who sits down for somebody else, by the event or by what it inserts."""
    match event:
        case PlayerSubstituted():
            return (event.substitute,)
        case LogAmended():
            return [name for each in event.insert for name in substitutes(each)]
        case _:
            return ()
