"""Recording what the table tells: the told events, and what follows from them.

`undo` makes the amendment that takes back the last told entry, or a given one. It is recorded like
any other amendment.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.decider import (
    Forced,
    breaches,
    by_column,
    decide,
    entries_after,
    entries_before,
    evolve,
    flags,
)
from scorekeeper.match.events.events import (
    DisputeEvent,
    LogAmended,
    MatchAbandoned,
    MatchClosed,
    RoundStarted,
    RoundTallied,
    ServerEvent,
    TableEvent,
    ToldEvent,
    as_written,
    event_type,
)
from scorekeeper.match.events.fields import Told
from scorekeeper.match.events.refusal import Refusal, Violation
from scorekeeper.match.readings.amend import amend
from scorekeeper.match.readings.effective_log import corrected_steps
from scorekeeper.match.readings.reader import (
    STAYING,
    Logged,
    Step,
    amendments_in,
    amendments_in_force,
    entries_in,
    removed_versions,
)
from scorekeeper.match.state import State

ROUND_MEANT: Final = frozenset({"round-taken", "round-not-reached"})
"""The codes of the refusals that `refused_round` returns."""

MOST_ENTRIES: Final = 20_000
"""How many entries a match may have. Those that follow from the last told event may exceed it."""

MOST_IN_FORCE: Final = 200
"""How many amendments that insert or remove something may be in force in a match."""

MOST_REREAD: Final = 50_000
"""How many entries the amendments of one append may read again, which takes a second or two."""

_ENDING: Final = (MatchClosed, MatchAbandoned)
"""The events that a full match still accepts, so that it need not stay open for ever."""

TAKEN_BACK: Final = "taken back"
"""The reason that an undo records if none was given."""


def refused_round(state: State, event: ToldEvent) -> Refusal | None:
    """Return a refusal if the event names another round than the one that it is about.

    A `round_started` is about the next round. A tally is about the running round, or about the next
    one if none is running.
    """
    if not isinstance(event, RoundStarted | RoundTallied) or event.round is None:
        return None
    running = isinstance(event, RoundTallied) and state.running is not None
    following = state.round if running else state.round + 1
    if event.round == following:
        return None
    return Refusal(
        code="round-taken" if event.round < following else "round-not-reached",
        facts={"round": event.round, "next": following},
    )


class RecordedDraft(Struct, frozen=True):
    """An event to be appended, in the form in which it is written.

    `id`: the event id that the client sent, None if it sent none or the event is inferred.
    `told_index`: the place, from 0, of the told event that this is or that it belongs to.
    """

    event: ToldEvent | ServerEvent
    inferred: bool
    told_index: int
    id: str | None


class Recorded(Struct, frozen=True):
    """All entries of an append in order, the violations in it, and the state after it.

    `voided`: the steps that can't be applied after the last amendment in the append, None if there
    was no amendment in it. `flagged`: the violations in the whole log after that amendment, each
    with the address of its event. `won_by`: the place in `entries`, from 0, of the entry by which
    the match got its results, None if it had them before, or has none.
    """

    entries: tuple[RecordedDraft, ...]
    violations: tuple[Violation, ...]
    state: State
    voided: tuple[Step, ...] | None
    flagged: tuple[Violation, ...]
    won_by: int | None


def record(state: State, told: Sequence[ToldEvent]) -> Recorded | Refusal:
    """Return what recording the told events gives, or the refusal of the first one that fails.

    All events are recorded, or none. `state` is not changed. Each amendment reads the match again,
    so that a long match accepts fewer amendments in one append. A match that already exceeds a
    bound, such as one from an imported log, can't go further beyond it.
    """
    if LogAmended in map(type, told):
        too_many = _too_many_amendments(state, told)
        if too_many is not None:
            return too_many
    intake = _Intake(state.copy(), told)
    for index, sent in enumerate(told):
        refused = intake.take(index, as_written(sent))
        if refused is not None:
            blamed = tuple(replace(found, event_index=index) for found in refused.violations)
            # The refusal of an inserted event already says who sat in when it would have happened.
            amends = isinstance(sent, LogAmended)
            sitting = refused.sitting if amends else intake.state.substitutes
            return replace(refused, event_index=index, violations=blamed, sitting=sitting)
    return Recorded(
        entries=tuple(intake.entries),
        violations=tuple(intake.violations),
        state=intake.state,
        voided=intake.voided,
        flagged=intake.flagged,
        won_by=intake.won_by,
    )


def _too_many_amendments(state: State, told: Sequence[ToldEvent]) -> Refusal | None:
    sent = [index for index, event in enumerate(told) if isinstance(event, LogAmended)]
    most = max(1, MOST_REREAD // (state.version + len(told)))
    if len(sent) <= most:
        return None
    facts = {"amendments": len(sent), "most": most}
    return Refusal(code="too-many-amendments", event_index=sent[most], facts=facts)


def _too_many_in_force(state: State, event: LogAmended) -> Refusal | None:
    """Return a refusal if the amendment brings more amendments into force than the bound allows.

    Beyond the bound, an amendment is accepted if the number in force does not grow.
    """
    if state.amendments < MOST_IN_FORCE:
        return None
    earlier = amendments_in(entries_in(state.log))
    now, then = map(_reading_otherwise, (earlier, {**earlier, state.version + 1: event}))
    if then <= max(now, MOST_IN_FORCE):
        return None
    facts = {"in_force": now, "most": MOST_IN_FORCE}
    return Refusal(code="too-many-amendments", reason="in-force", facts=facts)


def _reading_otherwise(recorded: Mapping[int, LogAmended]) -> int:
    """Return how many amendments are in force, without those that only withdraw others."""
    return sum(bool(one.remove or one.insert) for one in amendments_in_force(recorded).values())


class _Intake:
    """The state that entries are appended to, and what was appended so far."""

    def __init__(self, state: State, told: Sequence[ToldEvent]) -> None:
        self.state = state
        self._told = told
        self.entries: list[RecordedDraft] = []
        self.violations: list[Violation] = []
        self.voided: tuple[Step, ...] | None = None
        self.flagged: tuple[Violation, ...] = ()
        self.won_by: int | None = None

    def take(self, index: int, event: ToldEvent) -> Refusal | None:
        """Take in the next told event and what follows from it, or return its refusal."""
        if self.state.version >= MOST_ENTRIES and not isinstance(event, _ENDING):
            return Refusal(code="match-full", facts={"most": MOST_ENTRIES})
        if isinstance(event, LogAmended):
            return self._amend(index, event)
        return self._decide(index, event)

    def _decide(self, index: int, event: TableEvent | DisputeEvent) -> Refusal | None:
        event = by_column(self.state, event)
        for forced in entries_before(self._now, event):
            self._infer(forced, index)
        decided = refused_round(self.state, self._told[index]) or decide(self.state, event)
        if isinstance(decided, Refusal):
            return decided
        if decided:
            self._flag(decided, index)
        self._take_in(event, index, inferred=False)
        following = self._told[index + 1] if index + 1 < len(self._told) else None
        for forced in entries_after(self._now, following):
            self._infer(forced, index)
        return None

    def _now(self) -> State:
        return self.state

    def _amend(self, index: int, event: LogAmended) -> Refusal | None:
        """Take in an amendment, which is a single entry.

        What follows from it is not recorded, but inferred when the log is read.
        """
        amended = _too_many_in_force(self.state, event) or amend(self.state, event)
        if isinstance(amended, Refusal):
            return amended
        self.violations.extend(replace(found, event_index=index) for found in amended.violations)
        if amended.state.has_results and not self.state.has_results:
            self.won_by = len(self.entries)
        self.state = amended.state
        self.voided = amended.voided
        self.flagged = amended.flagged
        self._append(amended.event, index, inferred=False)
        return None

    def _flag(self, violations: tuple[Violation, ...], index: int) -> None:
        sitting = self.state.substitutes
        self.violations.extend(
            replace(found, event_index=index, sitting=sitting) for found in violations
        )

    def _infer(self, event: Forced, index: int) -> None:
        if isinstance(event, Told):
            if event.as_played:
                self._flag(breaches(self.state, event), index)
            self._flag(flags(self.state, event), index)
        self._take_in(event, index, inferred=True)

    def _take_in(
        self, event: TableEvent | DisputeEvent | ServerEvent, index: int, *, inferred: bool
    ) -> None:
        state = self.state
        open_before = state.status == "open"
        evolve(state, event)
        if open_before and state.has_results:
            self.won_by = len(self.entries)
        state.log = (event, inferred, state.log)
        self._append(event, index, inferred=inferred)

    def _append(self, event: ToldEvent | ServerEvent, index: int, *, inferred: bool) -> None:
        id_ = None if inferred else self._told[index].id
        self.entries.append(RecordedDraft(event, inferred, index, id_))


def undo(state: State, reason: str | None, *, of: int | None = None) -> LogAmended | Refusal:
    """Return the amendment that takes back the entry with the version `of`, or the last told entry.

    The last told entry is the last one that is still in force and was not made by an undo. Notes,
    disputes and rulings can't be taken back. If such an entry is the last one, the undo is refused,
    and no older entry is taken back in its place.
    """
    why = reason or TAKEN_BACK
    log = entries_in(state.log)
    in_force = amendments_in_force(amendments_in(log))
    out = {version for one in in_force.values() for version in removed_versions(one)}
    if of == 1:
        # `log` begins after the opening. Recording this amendment is refused as `opening-fixed`.
        return LogAmended(first=of, remove=1, reason=why, undo=True)
    last = _last(log, in_force, out) if of is None else log[of - 2]
    if last is None:
        return Refusal(code="nothing-to-undo")
    version, event = last.version, last.event
    if isinstance(event, LogAmended) and of is None:
        return LogAmended(withdraws=(version,), reason=why, undo=True)
    if event is not None and type(event) in STAYING:
        return Refusal(code="nothing-to-undo", facts={"entry": version, "type": event_type(event)})
    if event is None or version in out:
        return Refusal(code="nothing-to-undo", facts={"entry": version})
    return LogAmended(first=version, remove=1, reason=why, undo=True)


def _last(log: Sequence[Logged], in_force: Collection[int], out: Collection[int]) -> Logged | None:
    """Return the last entry that somebody told and nobody has taken back."""
    for entry in reversed(log):
        event = entry.event
        if isinstance(event, LogAmended):
            back = event.undo or entry.version not in in_force
        else:
            back = entry.removable and entry.version in out
        if not (back or entry.inferred):
            return entry
    return None


def would_void(state: State, recorded: Recorded) -> tuple[Step, ...]:
    """Return the steps that would lose their effect by the amendment of an undo.

    `recorded`: what recording that amendment in `state` gives. An event that has no effect in
    `state` loses none, even if the undo brings it back without effect. Nor does an event count that
    had no effect before the amendment that the undo withdraws.
    """
    if not recorded.voided:
        return ()
    event = recorded.entries[-1].event
    assert isinstance(event, LogAmended)
    applied = {step.address for step in corrected_steps(state) if step.voided is None}
    for version in event.withdraws:
        before = corrected_steps(_before(state, version))
        applied -= {step.address for step in before if step.voided is not None}
    return tuple(step for step in recorded.voided if step.address in applied)


def _before(state: State, version: int) -> State:
    """Return the state with the log and version from before an entry, and all else unchanged."""
    earlier = state.copy()
    while earlier.log is not None and earlier.version >= version:
        earlier.log = earlier.log[2]
        earlier.version -= 1
    return earlier
