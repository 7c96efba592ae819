"""What must have happened before an event that the table tells, although nobody told it."""

from scorekeeper.match.decider.rules import RULES
from scorekeeper.match.events.dispute_events import DisputeEvent
from scorekeeper.match.events.events import TableEvent
from scorekeeper.match.table.state import State
from scorekeeper.match.turns.payments import first_paid


def presupposed(state: State, event: TableEvent | DisputeEvent) -> TableEvent | None:
    """The next entry that has to stand before the event; ask again once it is taken in."""
    table = state.table
    if table is None or state.phase not in ("playing", "showing_hands"):
        return None
    rule = RULES[type(event)]
    if rule.settles_debts:
        return first_paid(table, table.debts)
    return None if rule.presupposes is None else rule.presupposes(state, event)
