"""Whether an event can be recorded in a state. Nothing is changed here."""

from scorekeeper.match.decider.rules import RULES
from scorekeeper.match.events.dispute_events import DisputeEvent
from scorekeeper.match.events.events import TableEvent, event_type
from scorekeeper.match.events.refusal import Refusal, Violation, impossible
from scorekeeper.match.table.state import State
from scorekeeper.match.turns.late import is_late, refused_late


def decide(state: State, event: TableEvent | DisputeEvent) -> tuple[Violation, ...] | Refusal:
    """The violations to be flagged with the event, or why it is not recorded."""
    table, rule = state.table, RULES[type(event)]
    if table is not None and table.over and is_late(state, event):
        return refused_late(state, event) or ()
    if state.phase not in rule.phases:
        if state.phase == "turning" and "playing" in rule.phases:
            return impossible("card-needed", type=event_type(event))
        return impossible("wrong-phase", phase=state.phase, type=event_type(event))
    refused = None if rule.refuse is None else rule.refuse(state, event)
    if refused is not None:
        return refused
    violations = () if rule.breach is None else rule.breach(state, event)
    if violations and not event.as_played:
        return Refusal(code="rule-violation", violations=violations)
    return violations if rule.flag is None else violations + rule.flag(state, event)
