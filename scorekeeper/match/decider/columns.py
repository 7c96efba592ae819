"""Events that name a substitute, read as naming the player whose column it is."""

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.decider.rules import RULES
from scorekeeper.match.events.dispute_events import DisputeEvent
from scorekeeper.match.events.effects_told import Swap, ToldEffect
from scorekeeper.match.events.events import TableEvent
from scorekeeper.match.table.state import State
from scorekeeper.match.turns.effects import NAMING

T = TypeVar("T", bound=TableEvent | DisputeEvent)


def by_column(state: State, event: T) -> T:
    """The event with the columns in place of those who sit in for their players.

    A field that names a column and its substitute as well stays as it is: it can't be meant.
    """
    if not state.substitutes:
        return event
    columns = {person: column for column, person in state.substitutes.items()}
    return _renamed(event, RULES[type(event)].names, columns)


S = TypeVar("S", bound=Struct)


def _renamed(told: S, fields: tuple[str, ...], columns: Mapping[str, str]) -> S:
    changed: dict[str, object] = {}
    for field in fields:
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
    if isinstance(named, ToldEffect):
        return _renamed(named, NAMING.get(type(named), ()), columns)
    return named
