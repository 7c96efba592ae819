"""Recording what the table tells: the told events, and what follows from them.

What was told last, or one tap, is taken back by an amendment that `undo` makes, and which is
recorded as any other.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.decider import (
    Forced,
    after,
    before,
    breaches,
    by_column,
    decide,
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
from scorekeeper.match.readings.effective_log import corrected
from scorekeeper.match.readings.reader import (
    STAYING,
    Logged,
    Step,
    amendments,
    amendments_in_force,
    entries,
    removed,
)
from scorekeeper.match.state import State

ROUND_MEANT: Final = frozenset({"round-taken", "round-not-reached"})
"""The codes of what `refused_round` gives."""

MOST_ENTRIES: Final = 20_000
"""Of a match, all told; what follows from the last event that is told may go beyond."""

MOST_IN_FORCE: Final = 200
"""Amendments of a match that have entries read otherwise, those withdrawn left aside."""

MOST_REREAD: Final = 50_000
"""How many entries the amendments of one append may read anew: a second's work or two."""

_ENDING: Final = (MatchClosed, MatchAbandoned)
"""What a full match still takes, so that it need not stay open for ever."""

TAKEN_BACK: Final = "taken back"
"""Why a tap is undone, where nobody says."""


def refused_round(state: State, event: ToldEvent) -> Refusal | None:
    """Why the event would not begin, or tell, the round that it names; None where it names none.

    A tally in the middle of a round tells that one.
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
    """An event to be appended, as it is written; `id`: as the client gave it.

    `told_index`: the told event that it is, or that it belongs to.
    """

    event: ToldEvent | ServerEvent
    inferred: bool
    told_index: int
    id: str | None


class Recorded(Struct, frozen=True):
    """All entries of an append in order, the violations in it, and the state after it.

    `voided`: after the last amendment in it, all that can't be applied; None: there was none.
    `won_by`: the place of the entry by which the match, without results before it, came to them.
    """

    entries: tuple[RecordedDraft, ...]
    violations: tuple[Violation, ...]
    state: State
    voided: tuple[Step, ...] | None
    won_by: int | None


def record(state: State, told: Sequence[ToldEvent]) -> Recorded | Refusal:
    """All or nothing: the first event that fails decides. `state` stays as it is.

    Each amendment reads the match anew, so that a long match takes fewer of them in one append.
    What is beyond one of the bounds already, such as a log from elsewhere, gets no longer.
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
            # Of what an amendment inserts, it is who sat there and then.
            amends = isinstance(sent, LogAmended)
            sitting = refused.sitting if amends else intake.state.substitutes
            return replace(refused, event_index=index, violations=blamed, sitting=sitting)
    return Recorded(
        tuple(intake.entries), tuple(intake.violations), intake.state, intake.voided, intake.won_by
    )


def _too_many_amendments(state: State, told: Sequence[ToldEvent]) -> Refusal | None:
    sent = [index for index, event in enumerate(told) if isinstance(event, LogAmended)]
    most = max(1, MOST_REREAD // (state.version + len(told)))
    if len(sent) <= most:
        return None
    facts = {"amendments": len(sent), "most": most}
    return Refusal(code="too-many-amendments", event_index=sent[most], facts=facts)


def _too_many_in_force(state: State, event: LogAmended) -> Refusal | None:
    """Whoever withdraws as many as come into force is taken, however many there are."""
    if state.amendments < MOST_IN_FORCE:
        return None
    earlier = amendments(entries(state.log))
    standing, then = map(_reading_otherwise, (earlier, {**earlier, state.version + 1: event}))
    if then <= max(standing, MOST_IN_FORCE):
        return None
    facts = {"in_force": standing, "most": MOST_IN_FORCE}
    return Refusal(code="too-many-amendments", reason="in-force", facts=facts)


def _reading_otherwise(recorded: Mapping[int, LogAmended]) -> int:
    """Those in force but for the ones that only withdraw others."""
    return sum(bool(one.remove or one.insert) for one in amendments_in_force(recorded).values())


class _Intake:
    """The state that entries are appended to, and what was appended so far."""

    def __init__(self, state: State, told: Sequence[ToldEvent]) -> None:
        self.state = state
        self._told = told
        self.entries: list[RecordedDraft] = []
        self.violations: list[Violation] = []
        self.voided: tuple[Step, ...] | None = None
        self.won_by: int | None = None

    def take(self, index: int, event: ToldEvent) -> Refusal | None:
        """The next of those told, and what follows from it."""
        if self.state.version >= MOST_ENTRIES and not isinstance(event, _ENDING):
            return Refusal(code="match-full", facts={"most": MOST_ENTRIES})
        if isinstance(event, LogAmended):
            return self._amend(index, event)
        return self._tell(index, event)

    def _tell(self, index: int, event: TableEvent | DisputeEvent) -> Refusal | None:
        event = by_column(self.state, event)
        for forced in before(self._now, event):
            self._infer(forced, index)
        decided = refused_round(self.state, self._told[index]) or decide(self.state, event)
        if isinstance(decided, Refusal):
            return decided
        if decided:
            self._flag(decided, index)
        self._take_in(event, index, inferred=False)
        following = self._told[index + 1] if index + 1 < len(self._told) else None
        for forced in after(self._now, following):
            self._infer(forced, index)
        return None

    def _now(self) -> State:
        return self.state

    def _amend(self, index: int, event: LogAmended) -> Refusal | None:
        """One entry and no more: what follows is inferred where the log is read."""
        amended = _too_many_in_force(self.state, event) or amend(self.state, event)
        if isinstance(amended, Refusal):
            return amended
        self.violations.extend(replace(found, event_index=index) for found in amended.violations)
        if amended.state.has_results and not self.state.has_results:
            self.won_by = len(self.entries)
        self.state = amended.state
        self.voided = amended.voided
        self._append(amended.event, index, inferred=False)
        return None

    def _flag(self, violations: tuple[Violation, ...], index: int) -> None:
        sitting = self.state.substitutes.copy()
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
    """The amendment that takes back the tap that is the entry `of`, by default what was told last.

    Last is what is still in force, amendments by undo itself left aside. What is said about the
    match is not taken back, and nothing older in its place.
    """
    why = reason or TAKEN_BACK
    log = entries(state.log)
    standing = amendments_in_force(amendments(log))
    out = {version for one in standing.values() for version in removed(one)}
    if of == 1:
        return LogAmended(first=of, remove=1, reason=why, undo=True)
    last = _last(log, standing, out) if of is None else log[of - 2]
    if last is None:
        return Refusal(code="nothing-to-undo")
    version, event = last.version, last.event
    if isinstance(event, LogAmended) and of is None:
        return LogAmended(withdraws=(version,), reason=why, undo=True)
    if isinstance(event, STAYING):
        return Refusal(code="nothing-to-undo", facts={"entry": version, "type": event_type(event)})
    if event is None or version in out:
        return Refusal(code="nothing-to-undo", facts={"entry": version})
    return LogAmended(first=version, remove=1, reason=why, undo=True)


def _last(log: Sequence[Logged], standing: Collection[int], out: Collection[int]) -> Logged | None:
    """The last entry that somebody told and nobody has taken back."""
    for entry in reversed(log):
        event = entry.event
        if isinstance(event, LogAmended):
            back = event.undo or entry.version not in standing
        else:
            back = entry.removable and entry.version in out
        if not (back or entry.inferred):
            return entry
    return None


def would_void(state: State, recorded: Recorded) -> tuple[Step, ...]:
    """What the amendment of an undo, in `recorded`, would take the effect from.

    What is taken out in `state`, and comes back without effect, does not lose any. Nor does what
    had none before the amendment that is withdrawn: that is as it was.
    """
    if not recorded.voided:
        return ()
    event = recorded.entries[-1].event
    assert isinstance(event, LogAmended)
    applied = {step.address for step in corrected(state) if step.voided is None}
    for version in event.withdraws:
        before = corrected(_before(state, version))
        applied -= {step.address for step in before if step.voided is not None}
    return tuple(step for step in recorded.voided if step.address in applied)


def _before(state: State, version: int) -> State:
    """With the log as it was before this entry; all else is as it came to be."""
    earlier = state.copy()
    while earlier.log is not None and earlier.version >= version:
        earlier.log = earlier.log[2]
        earlier.version -= 1
    return earlier
