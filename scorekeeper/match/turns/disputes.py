"""What is said about a match: notes, disputes, and rulings on disputes. They change no scores."""

from typing import Final

from msgspec.structs import replace

from scorekeeper.match.events.events import DisputeOpened, DisputeRuled, LogAmended, NoteAdded
from scorekeeper.match.events.fields import Inserted
from scorekeeper.match.events.refusal import Refusal, impossible
from scorekeeper.match.state import Dispute, State, not_in_match
from scorekeeper.match.turns.event_rule import ALWAYS, EventRule


def refused_dispute(state: State, event: DisputeOpened) -> Refusal | None:
    """Refuse a dispute by a stranger, or about a round or an entry that does not exist."""
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
    """Return the event of the entry with this version.

    None if no entry after the opening has this version, or if its content was erased.
    """
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
    """Return a refusal if there is no such dispute."""
    return None if dispute in state.disputes else impossible("no-such-dispute", dispute=dispute)


def closed(dispute: int) -> Refusal:
    """Return the refusal for a dispute that already has a ruling."""
    return Refusal(code="dispute-closed", facts={"dispute": dispute})


def open_dispute(state: State, event: DisputeOpened) -> None:
    """Open a dispute, whose id is the version of its entry."""
    dispute = Dispute(event, state.substitutes.get(event.by, event.by))
    state.disputes = {**state.disputes, state.version: dispute}


def rule(state: State, event: DisputeRuled) -> None:
    """Close a dispute with its ruling. A dispute whose content was erased is not there any more."""
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
