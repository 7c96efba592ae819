"""Reading a log anew: what was told, as it is amended, judged and completed afresh.

What was inferred when it was recorded is left aside and inferred again. What the table told stands
as long as it can have happened: where it is forbidden now it counts as played so, and where it has
become impossible it is voided.
"""

import sys
from bisect import bisect_left
from collections.abc import Container, Mapping, Sequence
from operator import attrgetter

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.decider.columns import by_column
from scorekeeper.match.decider.decide import decide
from scorekeeper.match.decider.evolve import evolve
from scorekeeper.match.decider.intake import Forced, after, before
from scorekeeper.match.decider.logged import STAYING, Logged, amendments, entries, in_force
from scorekeeper.match.events.address import Address, Inserted
from scorekeeper.match.events.dispute_events import DisputeEvent
from scorekeeper.match.events.events import Event, LogAmended, TableEvent
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.readings.splice import Placed, spliced, taken_out
from scorekeeper.match.table.state import Log, State


class Step(Struct, frozen=True, kw_only=True):
    """One event of a log as it is read; `before` and `after` are shared and never changed.

    `event`: as it was sent, None where it was erased. `taken`: as it took effect, which may be as
    played where nobody said so. `voided`: why it could not take effect any more. `doubtful`: for a
    viewer, from whom cards are hidden that may speak against it.
    """

    address: Address
    event: Event | None
    before: State
    after: State
    inferred: bool = False
    taken: Event | None = None
    voided: Refusal | None = None
    doubtful: bool = False


def opening(start: State) -> Step:
    """The first step of every log."""
    opened = start.opened
    return Step(address=1, event=opened, before=start, after=start, taken=opened)


class _Mark(Struct, frozen=True):
    """Where a told event begins to be read: at its `place`, behind so many steps.

    `matched`: the version up to which entries that were inferred in their time have been found.
    """

    place: int
    steps: int
    matched: int


class AmendedFold(Struct, frozen=True):
    """The steps of a log, the opening first, and the state after all that was recorded.

    Nothing of it is ever changed: other readings go on from within it.
    """

    steps: list[Step]
    state: State
    log: Log
    recorded: list[Logged]
    amended: dict[int, LogAmended]
    standing: dict[int, LogAmended]
    marks: list[_Mark]


def amended_fold(
    start: State, log: Log, *, newest: int | None = None, known: AmendedFold | None = None
) -> AmendedFold | Refusal:
    """Read a log with its amendments; `start` is the state after the opening.

    What the amendment with the version `newest` inserts has to be possible and allowed, or else
    this is the refusal of it. `known`: a reading of the log before its last entries, of which is
    kept what stands before the first difference; those steps go on counting its amendments.
    """
    if known is None:
        known = AmendedFold([opening(start)], start, None, [], {}, {}, [])
    new = entries(log, behind=known.log, version=1 + len(known.recorded))
    amended = {**known.amended, **amendments(new)}
    return _read(known, log, [*known.recorded, *new], amended, newest)


def read_without(known: AmendedFold, amendment: int) -> AmendedFold:
    """The same log, had this amendment not been made."""
    others = {version: one for version, one in known.amended.items() if version != amendment}
    again = _read(known, known.log, known.recorded, others, None)
    assert isinstance(again, AmendedFold)
    return again


def _read(
    known: AmendedFold,
    log: Log,
    recorded: list[Logged],
    amended: dict[int, LogAmended],
    newest: int | None,
) -> AmendedFold | Refusal:
    standing = in_force(amended)
    begun, marks = _kept(known, standing)
    steps = known.steps[: begun.steps]
    own = steps[-1].after.copy()
    own.amendments = len(amended)
    if len(steps) == 1:
        steps = [opening(own)]
    out = taken_out(standing)
    reader = Reader(own, recorded, steps, out=out, matched=begun.matched)
    items = list(spliced(recorded[begun.place - 2 :], standing))
    for item, following in zip(items, [*items, None][1:], strict=True):
        marks.append(_Mark(item.place, len(steps), reader.matched))
        refused = reader.tell(item, following)
        if refused is not None and _amendment_of(item) == newest:
            return replace(refused, facts={**refused.facts, "insert": _index_of(item)})
    state = reader.own.copy()
    state.version = 1 + len(recorded)
    state.log = log
    state.erased = any(entry.event is None for entry in recorded)
    return AmendedFold(steps, state, log, recorded, amended, standing, marks)


def _kept(known: AmendedFold, standing: Mapping[int, LogAmended]) -> tuple[_Mark, list[_Mark]]:
    """Where to go on from, and the marks before it.

    That is the last event before all that differs: what follows from it may rest on the next.
    """
    both = {**known.standing, **standing}
    differing = (both[version].first for version in known.standing.keys() ^ standing.keys())
    places = (first for first in differing if first is not None)
    parted = min(places, default=len(known.recorded) + 2)
    place = attrgetter("place")
    at = bisect_left(known.marks, parted, key=place)
    if not at:
        return _Mark(place=2, steps=1, matched=1), []
    at = bisect_left(known.marks, known.marks[at - 1].place, key=place)
    return known.marks[at], known.marks[:at]


def _amendment_of(item: Placed) -> int:
    return item.address.amendment if isinstance(item.address, Inserted) else 0


def _index_of(item: Placed) -> int:
    return item.address.index if isinstance(item.address, Inserted) else 0


class Reader:
    """Takes in what is told, one after the other; `log` tells what was inferred in its time.

    `out`: versions that were removed from it. `matched`: up to where it has been found again.
    """

    def __init__(
        self,
        own: State,
        log: Sequence[Logged],
        steps: list[Step],
        *,
        out: Container[int] = (),
        matched: int = 1,
    ) -> None:
        self.own = own
        self.steps = steps
        self.matched = matched
        self._log = log
        self._out = out

    def tell(self, item: Placed, following: Placed | None) -> Refusal | None:
        """Take in an event, and what follows from it as long as `following` does not tell it.

        What is forbidden counts as played so, what is impossible is voided; both are answered.
        """
        event = item.event
        refused: Refusal | None = None
        if event is None:
            refused = Refusal(code="event-erased")
            self._void(item, refused)
        elif isinstance(event, STAYING):
            self._take(item, event)
        else:
            refused = self._judge(item, event)
        place, ahead = sys.maxsize, None
        if following is not None:
            place, ahead = following.place, following.event
        for forced in after(self._now, ahead, lambda each: bool(self._inferred_at(each, place))):
            self._infer(forced, place)
        return refused

    def _judge(self, item: Placed, event: TableEvent) -> Refusal | None:
        own, steps, matched = self.own, len(self.steps), self.matched
        told, event = event, by_column(self.own, event)
        if event is not told:
            item = replace(item, event=event)
        for forced in before(self._now, event):
            self._infer(forced, item.place)
        refused = found = decide(self.own, event)
        taken = event
        if isinstance(found, Refusal) and found.code == "rule-violation":
            taken = replace(event, as_played=True)
            found = decide(self.own, taken)
        if isinstance(found, Refusal):
            self.own, self.matched = own, matched
            del self.steps[steps:]
            self._void(item, found)
        else:
            self._take(item, taken)
        return refused if isinstance(refused, Refusal) else None

    def _void(self, item: Placed, why: Refusal) -> None:
        after = self.own.copy()
        after.version = item.version
        after.voided += 1
        self._step(
            Step(address=item.address, event=item.event, before=self.own, after=after, voided=why)
        )

    def _take(self, item: Placed, taken: TableEvent | DisputeEvent) -> None:
        after = self.own.copy()
        after.version = item.version - 1
        evolve(after, taken)
        self._step(
            Step(address=item.address, event=item.event, before=self.own, after=after, taken=taken)
        )

    def _infer(self, event: Forced, place: int) -> None:
        version = self._inferred_at(event, place)
        self.matched = version or self.matched
        after = self.own.copy()
        after.version = (version or self.own.version) - 1
        evolve(after, event)
        self._step(
            Step(
                address=version,
                event=event,
                before=self.own,
                after=after,
                inferred=True,
                taken=event,
            )
        )

    def _inferred_at(self, event: Event, place: int) -> int | None:
        """The entry that was inferred here when it was recorded."""
        first = max(self.matched, self.own.version) + 1
        for entry in self._log[first - 2 : place - 2]:
            if entry.inferred and entry.event == event and entry.version not in self._out:
                return entry.version
        return None

    def _now(self) -> State:
        return self.own

    def _step(self, step: Step) -> None:
        self.steps.append(step)
        self.own = step.after
