"""How a match takes in what is told: what has to stand before it, the event, what follows from it.

Both halves are given entry by entry to whoever takes in the event between them, and has a policy
for one that can't be: recording refuses it (`match/record`), reading a log anew voids it
(`readings/reader`), and verifying compares with what stands in the log (`projections/consistency`).

`now` gives the state as it stands. Take each entry in before you ask for the next, which follows
from the state then.
"""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from scorekeeper.match.decider.infer import inferred
from scorekeeper.match.decider.presupposed import presupposed
from scorekeeper.match.decider.rules import RULES
from scorekeeper.match.events.dispute_events import DisputeEvent
from scorekeeper.match.events.events import Event, ServerEvent, TableEvent
from scorekeeper.match.table.state import State
from scorekeeper.match.turns.payments import PAYMENTS

Forced: TypeAlias = TableEvent | ServerEvent
"""What nobody has to tell."""

Now: TypeAlias = Callable[[], State]


def before(now: Now, event: TableEvent | DisputeEvent) -> Iterator[Forced]:
    """All that has to stand before an event that is told next."""
    while (earlier := presupposed(now(), event)) is not None:
        yield earlier
        if RULES[type(event)].settles_debts:
            yield from after(now, event)


def after(
    now: Now, following: Event | None, kept: Callable[[Forced], bool] | None = None
) -> Iterator[Forced]:
    """All that is forced, but for a draw that the table tells itself next, as `following`.

    `kept`: whether what is forced was recorded in its time, so that what is told came too late.
    """
    while (forced := inferred(now())) is not None:
        told_next = isinstance(forced, PAYMENTS) and isinstance(following, PAYMENTS)
        if told_next and (kept is None or not kept(forced)):
            return
        yield forced
