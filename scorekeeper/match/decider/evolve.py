"""How each event changes the state. Only a fold calls this, on a state of its own."""

from scorekeeper.match.decider.rules import RULES
from scorekeeper.match.events.dispute_events import DisputeEvent
from scorekeeper.match.events.events import ServerEvent, TableEvent
from scorekeeper.match.table.state import State
from scorekeeper.match.turns.late import is_late, tell_late


def evolve(state: State, event: TableEvent | DisputeEvent | ServerEvent) -> None:
    """Change the state to the one after the event, which was decided in this state."""
    state.version += 1
    table, rule = state.table, RULES[type(event)]
    if table is not None and table.over and is_late(state, event):
        tell_late(state, event)
        return
    if event.as_played and rule.breach is not None:
        state.violations += len(rule.breach(state, event))
    if rule.flag is not None and (flagged := rule.flag(state, event)):
        state.violations += len(flagged)
    if rule.evolve is not None:
        rule.evolve(state, event)
