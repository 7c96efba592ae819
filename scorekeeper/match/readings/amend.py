"""Amending a log: nothing in it is overwritten, but it is read with changes from then on."""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.decider import decide
from scorekeeper.match.events.events import LogAmended, MatchWon, RoundEnded, TableEvent
from scorekeeper.match.events.fields import Inserted
from scorekeeper.match.events.opening import MatchOpened
from scorekeeper.match.events.refusal import Refusal, Violation, impossible
from scorekeeper.match.readings.amended_fold import (
    AmendedFold,
    newly_amended_fold,
    read_without,
)
from scorekeeper.match.readings.effective_log import initial
from scorekeeper.match.readings.reader import (
    Logged,
    Step,
    amendments_in,
    amendments_in_force,
    entries_in,
    overlapping,
    removed_versions,
)
from scorekeeper.match.state import State
from scorekeeper.match.turns.disputes import closed, unknown_dispute


class Amended(Struct, frozen=True):
    """How a log is read with one more amendment.

    `event`: the amendment as it is recorded, with columns in place of substitutes. `steps`,
    `state`: the steps of the amended log, and the state after it. `flagged`: the violations in the
    amended log, each with the address of its event. `violations`: those of them that the log would
    not have without this amendment.
    """

    event: LogAmended
    steps: list[Step]
    state: State
    flagged: tuple[Violation, ...]
    violations: tuple[Violation, ...]

    @property
    def voided(self) -> tuple[Step, ...]:
        """The steps of told events that can't be applied any more."""
        return tuple(step for step in self.steps if step.voided is not None)


def amend(state: State, event: LogAmended) -> Amended | Refusal:
    """Read the log of a state with one more amendment, or return why that is refused.

    `state` is not changed.
    """
    refused = _refused(state, event)
    if refused is not None:
        return refused
    start = initial(state.edition, state.opened)
    again = newly_amended_fold(start, (event, False, state.log))
    if isinstance(again, Refusal):
        return again
    event = _as_taken(event, state.version + 1, again.steps)
    own = again.state.copy()
    own.log = (event, False, state.log)
    flagged = violations_in(again.steps) if own.violations else ()
    brought = _brought(again, state.version + 1, flagged)
    return Amended(event, again.steps, own, flagged, brought)


def _as_taken(event: LogAmended, version: int, steps: Iterable[Step]) -> LogAmended:
    """Return the amendment with its inserted events as they took effect, which all of them did.

    They name columns in place of substitutes.
    """
    taken = tuple(
        step.taken
        for step in steps
        if isinstance(step.address, Inserted) and step.address.amendment == version
        if isinstance(step.taken, TableEvent)
    )
    return event if taken == event.insert else replace(event, insert=taken)


def _brought(
    again: AmendedFold, amendment: int, flagged: tuple[Violation, ...]
) -> tuple[Violation, ...]:
    """Return those of the violations in the log that it would not have without this amendment."""
    if not flagged:
        return ()
    before = read_without(again, amendment)
    known = {(each.address, each.clause, each.reason) for each in violations_in(before.steps)}
    return tuple(each for each in flagged if (each.address, each.clause, each.reason) not in known)


def violations_in(steps: Iterable[Step]) -> tuple[Violation, ...]:
    """Return the violations counted with these steps, each with the address of its event."""
    return tuple(
        replace(violation, address=step.address, sitting=step.before.substitutes)
        for step in steps
        for violation in _flagged(step)
    )


def _flagged(step: Step) -> tuple[Violation, ...]:
    taken = step.taken
    if step.after.violations == step.before.violations or taken is None:
        return ()
    assert not isinstance(taken, MatchOpened | RoundEnded | MatchWon | LogAmended)
    decided = decide(step.before, taken)
    assert not isinstance(decided, Refusal)
    return decided


def _refused(state: State, event: LogAmended) -> Refusal | None:
    """Return why this log can't be amended like this, apart from the events that are inserted."""
    recorded = entries_in(state.log)
    earlier = amendments_in(recorded)
    for version in event.withdraws:
        if version not in earlier:
            return impossible("no-such-amendment", amendment=version)
    refused = _refused_range(recorded, event) if event.first is not None else None
    if refused is not None:
        return refused
    overlap = overlapping(amendments_in_force({**earlier, state.version + 1: event}))
    if overlap is not None:
        return Refusal(code="amendment-overlaps", facts={"amendments": overlap})
    return _refused_settlement(state, event.dispute) if event.dispute is not None else None


def _refused_range(recorded: list[Logged], event: LogAmended) -> Refusal | None:
    first, out = event.first or 0, removed_versions(event)
    if first == 1:
        return Refusal(code="opening-fixed")
    # An amendment may insert before itself, that is, at the end of the log.
    end = recorded[-1].version + 1 if recorded else 2
    if first > end or out.stop > end:
        return impossible("no-such-entry", entry=max(first, out.stop - 1), entries=end - 1)
    ranged = recorded[out.start - 2 : out.stop - 2]
    if (
        not event.insert
        and any(entry.inferred for entry in ranged)
        and not any(entry.removable for entry in ranged)
    ):
        return Refusal(code="inferred-not-removable", facts={"from": first, "remove": event.remove})
    return None


def _refused_settlement(state: State, dispute: int) -> Refusal | None:
    unknown = unknown_dispute(state, dispute)
    if unknown is None and state.disputes[dispute].ruling == "rejected":
        return closed(dispute)
    return unknown
