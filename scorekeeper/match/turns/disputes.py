"""What is said about a match: notes, disputes and rulings on them. The scores stay as they are."""

from typing import Final

from msgspec.structs import replace

from scorekeeper.match.events.events import DisputeOpened, DisputeRuled, LogAmended, NoteAdded
from scorekeeper.match.events.fields import Inserted
from scorekeeper.match.events.refusal import Refusal, impossible
from scorekeeper.match.state import Dispute, State, not_in_match
from scorekeeper.match.turns.event_rule import ALWAYS, EventRule


def refused_dispute(state: State, event: DisputeOpened) -> Refusal | None:
    """A player of the match disputes a round that has begun, or an entry that there is."""
    refused = not_in_match(state, event.by, "by")
    if refused is not None:
        return refused
    if event.round > state.round:
        return impossible("no-such-round", round=event.round, rounds=state.round)
    entry = event.entry
    if isinstance(entry, Inserted):
        amended = recorded_as(state, entry.amendment)
        if not isinstance(amended, LogAmended) or entry.index >= len(amended.insert):
            return impossible("no-such-entry", entry=entry.amendment, index=entry.index)
    elif entry is not None and entry > state.version:
        return impossible("no-such-entry", entry=entry)
    return None


def recorded_as(state: State, version: int) -> object:
    """The event of an entry behind the opening; None where there is none, or it was erased."""
    log, at = state.log, state.version
    while log is not None and at > version:
        log, at = log[2], at - 1
    return log[0] if log is not None and at == version else None


def refused_ruling(state: State, event: DisputeRuled) -> Refusal | None:
    """A dispute is ruled on once."""
    return unknown_dispute(state, event.dispute) or (
        closed(event.dispute) if state.disputes[event.dispute].ruling is not None else None
    )


def unknown_dispute(state: State, dispute: int) -> Refusal | None:
    """Whether there is no such dispute."""
    return None if dispute in state.disputes else impossible("no-such-dispute", dispute=dispute)


def closed(dispute: int) -> Refusal:
    """The dispute has had its ruling."""
    return Refusal(code="dispute-closed", facts={"dispute": dispute})


def open_dispute(state: State, event: DisputeOpened) -> None:
    """The version of its entry is the dispute's id."""
    state.disputes = {**state.disputes, state.version: Dispute(event)}


def rule(state: State, event: DisputeRuled) -> None:
    """The dispute is closed; one whose content was erased is gone."""
    dispute = state.disputes.get(event.dispute)
    if dispute is not None:
        ruled = replace(dispute, ruling=event.ruling)
        state.disputes = {**state.disputes, event.dispute: ruled}


NOTE_ADDED: Final = EventRule(event=NoteAdded, phases=ALWAYS)

DISPUTE_OPENED: Final = EventRule(
    event=DisputeOpened,
    names=("by",),
    phases=ALWAYS,
    refuse=refused_dispute,
    evolve=open_dispute,
)

DISPUTE_RULED: Final = EventRule(
    event=DisputeRuled,
    phases=ALWAYS,
    refuse=refused_ruling,
    evolve=rule,
)
