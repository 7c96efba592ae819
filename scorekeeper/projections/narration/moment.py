"""One step of a replay, as its clauses and sentences are made of it."""

from collections.abc import Sequence
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct

from scorekeeper.match.events.events import Event
from scorekeeper.match.table.players import table_of
from scorekeeper.match.table.state import State
from scorekeeper.match.table.table import Debt, Table
from scorekeeper.rules.edition import Edition

E_co = TypeVar("E_co", bound=Event, covariant=True)

Causes: TypeAlias = tuple[Event, ...]
"""For each debt on a table the event that brought it about."""


class Moment(Struct, Generic[E_co], frozen=True):
    """`causes`: of the debts before the event, in their order."""

    before: State
    event: E_co
    after: State
    causes: Causes = ()

    @property
    def edition(self) -> Edition:
        """The one that the match is played by."""
        return self.before.edition

    @property
    def table(self) -> Table:
        """Before the event."""
        return table_of(self.before)

    @property
    def now(self) -> Table:
        """After the event."""
        return table_of(self.after)


def causes_after(moment: Moment[Event]) -> Causes:
    """Debts that were there before keep their cause, new ones are due to the event."""
    left = list(zip(_debts(moment.before), moment.causes, strict=True))
    return tuple(_cause(debt, left) or moment.event for debt in _debts(moment.after))


def _debts(state: State) -> tuple[Debt, ...]:
    return () if state.table is None else state.table.debts


def _cause(debt: Debt, left: list[tuple[Debt, Event]]) -> Event | None:
    for place, (earlier, event) in enumerate(left):
        if _same(earlier, debt):
            del left[place]
            return event
    return None


def _same(one: Debt, other: Debt) -> bool:
    """Whether a debt is what is left of another."""
    return _key(one) == _key(other) and other.count <= one.count


def _key(debt: Debt) -> Sequence[object]:
    return (debt.kind, debt.player, debt.clause, debt.hit, debt.to)
