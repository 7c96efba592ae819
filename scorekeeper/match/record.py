"""Recording what the table tells: the told events, and what follows from them."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.card_events import CardsDrawn, PileReshuffled
from scorekeeper.match.decide import decide
from scorekeeper.match.events import ServerEvent, TableEvent
from scorekeeper.match.evolve import evolve
from scorekeeper.match.infer import inferred
from scorekeeper.match.presupposed import BETWEEN, presupposed
from scorekeeper.match.refusal import Refusal, Violation
from scorekeeper.match.state import State

PAYMENTS = (CardsDrawn, PileReshuffled)


class Recording(Struct, frozen=True):
    """An event to be appended; `told_index`: the told event that it is, or that it belongs to."""

    event: TableEvent | ServerEvent
    inferred: bool
    told_index: int


class Recorded(Struct, frozen=True):
    """All entries of an append in order, the violations in it, and the state after it."""

    entries: tuple[Recording, ...]
    violations: tuple[Violation, ...]
    state: State


def record(state: State, told: Sequence[TableEvent]) -> Recorded | Refusal:
    """All or nothing: the first event that fails decides. `state` stays as it is."""
    own = state.copy()
    entries: list[Recording] = []
    violations: list[Violation] = []
    for index, event in enumerate(told):
        while (earlier := presupposed(own, event)) is not None:
            _take_in(own, earlier, index, entries)
            if isinstance(event, BETWEEN):
                _complete(own, index, entries, event)
        decided = decide(own, event)
        if isinstance(decided, Refusal):
            blamed = tuple(replace(found, event_index=index) for found in decided.violations)
            return replace(decided, event_index=index, violations=blamed)
        violations.extend(replace(found, event_index=index) for found in decided)
        evolve(own, event)
        entries.append(Recording(event, inferred=False, told_index=index))
        following = told[index + 1] if index + 1 < len(told) else None
        _complete(own, index, entries, following)
    return Recorded(tuple(entries), tuple(violations), own)


def _complete(
    own: State, index: int, entries: list[Recording], following: TableEvent | None
) -> None:
    """Write what is forced; a draw that the table tells itself next is left to it."""
    while (forced := inferred(own)) is not None:
        if isinstance(forced, PAYMENTS) and isinstance(following, PAYMENTS):
            return
        _take_in(own, forced, index, entries)


def _take_in(
    own: State, event: TableEvent | ServerEvent, index: int, entries: list[Recording]
) -> None:
    evolve(own, event)
    entries.append(Recording(event, inferred=True, told_index=index))
