"""Recording what the table tells: the told events, and what follows from them."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.decider.columns import by_column
from scorekeeper.match.decider.decide import decide
from scorekeeper.match.decider.evolve import evolve
from scorekeeper.match.decider.intake import Forced, after, before
from scorekeeper.match.decider.logged import amendments, entries, in_force
from scorekeeper.match.decider.round_meant import refused_round
from scorekeeper.match.decider.rules import breaches, flags
from scorekeeper.match.events.dispute_events import DisputeEvent
from scorekeeper.match.events.events import (
    LogAmended,
    MatchAbandoned,
    MatchClosed,
    ServerEvent,
    TableEvent,
    ToldEvent,
    as_written,
)
from scorekeeper.match.events.refusal import Refusal, Violation
from scorekeeper.match.events.told import Told
from scorekeeper.match.readings.amend import amend
from scorekeeper.match.readings.reader import Step
from scorekeeper.match.table.state import State


class RecordedDraft(Struct, frozen=True):
    """An event to be appended, as it is written; `id`: as the client gave it.

    `told_index`: the told event that it is, or that it belongs to.
    """

    event: ToldEvent | ServerEvent
    inferred: bool
    told_index: int
    id: str | None = None


class Recorded(Struct, frozen=True):
    """All entries of an append in order, the violations in it, and the state after it.

    `voided`: after the last amendment in it, all that can't be applied; None: there was none.
    `won_by`: the place of the entry by which the match, not won before it, came to be won.
    """

    entries: tuple[RecordedDraft, ...]
    violations: tuple[Violation, ...]
    state: State
    voided: tuple[Step, ...] | None = None
    won_by: int | None = None


MOST_ENTRIES: Final = 20_000
"""Of a match, all told; what follows from the last event that is told may go beyond."""

MOST_IN_FORCE: Final = 200
"""Amendments of a match that have entries read otherwise, those withdrawn left aside."""

MOST_REREAD: Final = 50_000
"""How many entries the amendments of one append may read anew: a second's work or two."""

_ENDING: Final = (MatchClosed, MatchAbandoned)
"""What a full match still takes, so that it need not stay open for ever."""


def record(state: State, told: Sequence[ToldEvent]) -> Recorded | Refusal:
    """All or nothing: the first event that fails decides. `state` stays as it is.

    Each amendment reads the match anew, so that a long match takes fewer of them in one append.
    What is beyond one of the bounds already, such as a log from elsewhere, gets no longer.
    """
    if LogAmended in map(type, told):
        too_many = _too_many_amendments(state, told)
        if too_many is not None:
            return too_many
    book = _Intake(state.copy(), told)
    for index, sent in enumerate(told):
        refused = book.take(index, as_written(sent))
        if refused is not None:
            blamed = tuple(replace(found, event_index=index) for found in refused.violations)
            return replace(refused, event_index=index, violations=blamed)
    return Recorded(tuple(book.entries), tuple(book.violations), book.own, book.voided, book.won_by)


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
    return sum(bool(one.remove or one.insert) for one in in_force(recorded).values())


class _Intake:
    """The state that entries are appended to, and what was appended so far."""

    def __init__(self, own: State, told: Sequence[ToldEvent]) -> None:
        self.own = own
        self._told = told
        self.entries: list[RecordedDraft] = []
        self.violations: list[Violation] = []
        self.voided: tuple[Step, ...] | None = None
        self.won_by: int | None = None

    def take(self, index: int, event: ToldEvent) -> Refusal | None:
        """The next of those told, and what follows from it."""
        if self.own.version >= MOST_ENTRIES and not isinstance(event, _ENDING):
            return Refusal(code="match-full", facts={"most": MOST_ENTRIES})
        if isinstance(event, LogAmended):
            return self._amend(index, event)
        return self._tell(index, event)

    def _tell(self, index: int, event: TableEvent | DisputeEvent) -> Refusal | None:
        event = by_column(self.own, event)
        for forced in before(self._now, event):
            self._infer(forced, index)
        decided = refused_round(self.own, self._told[index]) or decide(self.own, event)
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
        return self.own

    def _amend(self, index: int, event: LogAmended) -> Refusal | None:
        """One entry and no more: what follows is inferred where the log is read."""
        amended = _too_many_in_force(self.own, event) or amend(self.own, event)
        if isinstance(amended, Refusal):
            return amended
        self._flag(amended.violations, index)
        if amended.state.status == "won" and self.own.status != "won":
            self.won_by = len(self.entries)
        self.own = amended.state
        self.voided = amended.voided
        self._append(amended.event, index, inferred=False)
        return None

    def _flag(self, violations: tuple[Violation, ...], index: int) -> None:
        self.violations.extend(replace(found, event_index=index) for found in violations)

    def _infer(self, event: Forced, index: int) -> None:
        if isinstance(event, Told):
            if event.as_played:
                self._flag(breaches(self.own, event), index)
            self._flag(flags(self.own, event), index)
        self._take_in(event, index, inferred=True)

    def _take_in(
        self, event: TableEvent | DisputeEvent | ServerEvent, index: int, *, inferred: bool
    ) -> None:
        own = self.own
        open_before = own.status == "open"
        evolve(own, event)
        if open_before and own.status == "won":
            self.won_by = len(self.entries)
        own.log = (event, inferred, own.log)
        self._append(event, index, inferred=inferred)

    def _append(self, event: ToldEvent | ServerEvent, index: int, *, inferred: bool) -> None:
        id_ = None if inferred else self._told[index].id
        self.entries.append(RecordedDraft(event, inferred, index, id_))
