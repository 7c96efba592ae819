"""Events that name a substitute, read as naming the player whose column it is."""

from collections.abc import Mapping
from typing import Any, Final, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.events.card_events import (
    AccusationMade,
    AdviceCalled,
    CardGiven,
    CardPlayed,
    CardsDrawn,
    ColorNamed,
    HandCounted,
    HandShown,
    MisplayCalled,
    TurnPassed,
    UnoCalled,
    UnoCaught,
    WildDrawFourChallenged,
)
from scorekeeper.match.events.dispute_events import DisputeEvent, DisputeOpened
from scorekeeper.match.events.effects_told import Discard, Draw, Give, Skip, Swap
from scorekeeper.match.events.events import (
    DealerDrawn,
    PlayerSubstituted,
    RoundStarted,
    RoundTallied,
    SeatsChanged,
    TableEvent,
)
from scorekeeper.match.table.state import State

T = TypeVar("T", bound=TableEvent | DisputeEvent)

NAMING: Final[Mapping[type[Struct], tuple[str, ...]]] = {
    DealerDrawn: ("draws",),
    RoundStarted: ("dealer", "hands"),
    RoundTallied: ("winners", "hands", "scores", "dealer", "charges"),
    SeatsChanged: ("players",),
    PlayerSubstituted: ("player",),
    DisputeOpened: ("by",),
    ColorNamed: ("player",),
    CardPlayed: ("player", "effects"),
    CardsDrawn: ("player",),
    CardGiven: ("player", "to"),
    TurnPassed: ("player",),
    UnoCalled: ("player",),
    UnoCaught: ("player", "by"),
    WildDrawFourChallenged: ("by",),
    MisplayCalled: ("by",),
    AdviceCalled: ("player", "by"),
    AccusationMade: ("by", "player"),
    HandShown: ("player",),
    HandCounted: ("player",),
    Discard: ("player",),
    Give: ("giver", "to"),
    Draw: ("player",),
    Swap: ("hands",),
    Skip: ("player",),
}
"""The fields that name columns: a name, names, what is told by name, or effects that name them.

`PlayerSubstituted.substitute` names a person.
"""


def by_column(state: State, event: T) -> T:
    """The event with the columns in place of those who sit in for their players.

    A field that names a column and its substitute as well stays as it is: it can't be meant.
    """
    if not state.substitutes or type(event) not in NAMING:
        return event
    return _renamed(event, {person: column for column, person in state.substitutes.items()})


S = TypeVar("S", bound=Struct)


def _renamed(told: S, columns: Mapping[str, str]) -> S:
    changed: dict[str, object] = {}
    for field in NAMING.get(type(told), ()):
        named = getattr(told, field)
        column = _read(named, columns, values=isinstance(told, Swap))
        if column != named:
            changed[field] = column
    return replace(told, **changed) if changed else told


def _read(named: Any, columns: Mapping[str, str], *, values: bool) -> object:  # noqa: ANN401 any field
    """`values`: what is told by name are names as well."""
    if isinstance(named, str):
        return columns.get(named, named)
    if isinstance(named, tuple):
        each = cast("tuple[object, ...]", named)
        return tuple(_read(one, columns, values=False) for one in each)
    if isinstance(named, Mapping):
        told = cast("Mapping[str, object]", named)
        read = {
            columns.get(name, name): _read(one, columns, values=False) if values else one
            for name, one in told.items()
        }
        # Other names stand in another order.
        return dict(sorted(read.items())) if len(read) == len(told) else told
    return _renamed(named, columns) if isinstance(named, Struct) else named
