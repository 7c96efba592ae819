"""Whether the entries of a match follow from each other: what was inferred is inferred again."""

from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias, cast

from msgspec import Struct

from scorekeeper.match.decider import (
    Forced,
    entries_after,
    entries_before,
    evolve,
    inferred,
    presupposed,
)
from scorekeeper.match.events.events import (
    DisputeEvent,
    DisputeOpened,
    DisputeRuled,
    Event,
    LogAmended,
    TableEvent,
    event_type,
)
from scorekeeper.match.events.opening import MatchOpened
from scorekeeper.match.readings.amended_fold import AmendedFold, amended_fold
from scorekeeper.match.readings.detour import same_follows
from scorekeeper.match.readings.effective_log import fold, initial
from scorekeeper.match.readings.reader import NEVER_TOLD, Step
from scorekeeper.match.state import State
from scorekeeper.projections.audit import CardCounter

_NEVER_INFERRED: Final = frozenset({MatchOpened, LogAmended, DisputeOpened, DisputeRuled})

Contradicted: TypeAlias = Literal["not-inferred", "inference-missing", "told-by-nobody"]


class Contradiction(Struct, frozen=True, kw_only=True):
    """An entry that does not follow from the entries before it, or is missing.

    `found` is the type of the entry at `version`, `expected` the type of the entry that should be
    there. If both are the same type, their fields differ.
    """

    code: Contradicted
    version: int
    found: str | None = None
    expected: str | None = None


class MatchReplay:
    """Plays a match again, entry by entry, by the rules of the edition that it was opened in.

    `start` is the state after the opening. Entries after an erased one can't be compared any more,
    since what was inferred then depended on the erased content. A told entry that can't have
    happened may raise any exception from the rules. `cards`: counts the cards on the way, if given.
    """

    def __init__(self, start: State, cards: CardCounter | None = None) -> None:
        self._state = start.copy()
        self._log = start.log
        self._version = start.version
        # Inferred entries that belong to a told entry which comes later.
        self._waiting: list[tuple[int, Forced]] = []
        self._rest: list[tuple[Event | None, bool]] = []
        self._cards = cards
        # The last reading of the log with its amendments. Those after it, up to the version
        # `_unread`, are not in it yet; 0 if there are none.
        self._again: AmendedFold | None = None
        self._unread = 0

    def state(self) -> State:
        """Return the match after all entries taken so far, except those that wait to be explained.

        These are inferred entries whose told entry has not come yet.
        """
        self._read()
        state = self._state.copy()
        state.log = self._log
        if self._rest:
            events, flags = zip(*self._rest, strict=True)
            state = self._state = fold(state, events, flags)
            self._log, self._rest = state.log, []
        return state

    @property
    def has_results(self) -> bool | None:
        """Whether the match has results by now. None if only `state` can tell."""
        self._read()
        return None if self._rest else self._state.has_results

    @property
    def settled(self) -> bool:
        """Whether no inferred entry waits to be explained by the next entry."""
        return not self._waiting

    def take(self, event: Event | None, *, told: bool) -> Contradiction | None:
        """Take the next entry, None if its content was erased. Return a contradiction if found."""
        self._version += 1
        if self._unread and not isinstance(event, LogAmended):
            self._read()
        if event is None or self._rest or self._state.erased:
            self._rest += [(each, True) for _, each in self._waiting]
            self._waiting = []
            self._rest.append((event, not told))
            return None
        if not told:
            if type(event) in _NEVER_INFERRED:
                return _unlike(self._version, event, inferred(self._state))
            forced = cast("Forced", event)
            if self._waiting or inferred(self._state) != forced:
                self._waiting.append((self._version, forced))
            else:
                self._evolve(forced, is_inferred=True)
            return None
        if type(event) in NEVER_TOLD:
            return Contradiction(
                code="told-by-nobody", version=self._version, found=event_type(event)
            )
        if isinstance(event, LogAmended):
            found = None if self._unread else self.end()
            self._take_waiting()
            self._log = (event, False, self._log)
            self._unread = self._version
            return found
        happened = cast("TableEvent | DisputeEvent", event)
        found = self._explain(happened)
        self._evolve(happened, is_inferred=False)
        return found

    def end(self) -> Contradiction | None:
        """Return the contradiction that is there if the log ends here, None if there is none.

        An amendment, too, counts as an end: nothing can have been inferred for it.
        """
        self._read()
        if self._rest or self._state.erased:
            return None
        if self._waiting:
            version, event = self._waiting[0]
            return _unlike(version, event, None)
        missing = inferred(self._state)
        return None if missing is None else _missing(missing, self._version)

    def _explain(self, event: TableEvent | DisputeEvent) -> Contradiction | None:
        """Compare what was inferred before a told entry with what is inferred now."""
        found = missing = None
        # What only the entries before this event force is written after the event.
        if inferred(self._state) is not None:
            missing = next(entries_after(self._now, event), None)
        if self._waiting or presupposed(self._state, event) is not None:
            found = self._compare(entries_before(self._now, event))
        if found is not None or missing is None:
            return found
        return _missing(missing, self._version)

    def _compare(self, expected: Iterator[Forced]) -> Contradiction | None:
        """Compare the waiting entries with the expected ones, and take them in either way."""
        found: Contradiction | None = None
        waiting, self._waiting = self._waiting, []
        for version, stands in waiting:
            forced = None if found else next(expected, None)
            if forced != stands and found is None:
                found = _unlike(version, stands, forced)
            self._evolve(stands, is_inferred=True)
        missing = None if found else next(expected, None)
        return found if missing is None else _missing(missing, self._version)

    def _now(self) -> State:
        return self._state

    def _read(self) -> None:
        """Read the log again, once for all amendments that directly follow each other.

        No inferred entry can be missing right after it.
        """
        if self._unread:
            start = initial(self._state.edition, self._state.opened)
            again = amended_fold(start, self._log, known=self._again)
            self._again, self._state, self._unread = again, again.state.copy(), 0

    def _take_waiting(self) -> None:
        for _, each in self._waiting:
            self._evolve(each, is_inferred=True)
        self._waiting = []

    def _evolve(self, event: Forced | DisputeEvent, *, is_inferred: bool) -> None:
        evolve(self._state, event)
        self._log = (event, is_inferred, self._log)
        if self._cards is not None:
            self._cards.take(self._state)


class AmendedReplay(MatchReplay):
    """Compares the entries of an amended match whose steps are known, as its log is read now.

    `steps`: these steps. `last`: the version of the last amendment. `read`: how many of the steps
    come before it. A step may have the same entry in a state from which the same follows as in the
    match as it was recorded. Then its state is taken over, and need not be found again.
    """

    def __init__(self, steps: Sequence[Step], last: int, read: int) -> None:
        super().__init__(steps[0].after)
        self._steps = steps
        self._last = last
        self._last_read = read
        # The place of the next step, and whether the same follows from the state before it.
        self._next, self._follows = 1, True
        self._looked = 0

    def _read(self) -> None:
        if self._unread == self._last:
            self._state, self._unread = self._steps[self._last_read - 1].after.copy(), 0
            self._state.version = self._last
            self._next, self._follows = self._last_read, True
        elif self._unread:
            super()._read()
            self._follows, self._looked = False, 0

    def _evolve(self, event: Forced | DisputeEvent, *, is_inferred: bool) -> None:
        if self._follows:
            step = self._next_step()
            if step and step.address == self._state.version + 1 and step.taken == event:
                self._state, self._next = step.after, self._next + 1
                self._log = (event, is_inferred, self._log)
                return
            self._state, self._follows, self._looked = self._state.copy(), False, 0
        super()._evolve(event, is_inferred=is_inferred)
        self._meet()

    def _meet(self) -> None:
        """Follow the steps again if the same follows from the state before the next entry's step.

        A comparison costs about as much as some entries. So the states are compared only after the
        first, second, fourth, eighth … of them, and where a card is turned.
        """
        self._looked += 1
        if self._looked & (self._looked - 1) and self._state.phase != "turning":
            return
        version = self._state.version + 1
        while (step := self._next_step()) is not None:
            if isinstance(step.address, int) and step.address >= version:
                self._follows = step.address == version and same_follows(step.before, self._state)
                return
            self._next += 1

    def _next_step(self) -> Step | None:
        return self._steps[self._next] if self._next < len(self._steps) else None


class FoldedReplay(MatchReplay):
    """Compares the entries of a match that was folded already.

    `states`: the states after its entries, that of the opening first. The match must have no
    amendment, and no erased entry.
    """

    def __init__(self, states: Iterator[State]) -> None:
        self._states = states
        super().__init__(next(states))

    def _evolve(self, event: Forced | DisputeEvent, *, is_inferred: bool) -> None:
        self._state = next(self._states)


def _unlike(version: int, stands: Event, forced: Forced | None) -> Contradiction:
    return Contradiction(
        code="not-inferred",
        version=version,
        found=event_type(stands),
        expected=None if forced is None else event_type(forced),
    )


def _missing(forced: Forced, version: int) -> Contradiction:
    return Contradiction(code="inference-missing", version=version, expected=event_type(forced))
