"""The log of a match with its amendments, and the reader that takes in its told events again.

`amendments_in_force` returns the amendments that no other one withdraws. `Splices` yield the told
events in the order in which they are read, and a `Reader` takes in one after the other. Recorded
inferred entries are left aside, and are inferred again. A told event is kept as long as it can have
happened. If it is forbidden now, it counts as played against the rules. If it has become
impossible, it is voided.
"""

import sys
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias, cast

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.decider import (
    RULES,
    Forced,
    by_column,
    decide,
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
    MatchWon,
    NoteAdded,
    RoundEnded,
    ServerEvent,
    TableEvent,
)
from scorekeeper.match.events.fields import Address, Inserted
from scorekeeper.match.events.opening import MatchOpened
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.state import Log, State

# Types are looked up in sets where every entry is read, since `isinstance` takes ten times as long
# to say no to a struct.
STAYING: Final = frozenset({NoteAdded, DisputeOpened, DisputeRuled, LogAmended})
"""The types of events that say something about the log. An amendment does not remove them."""

NEVER_TOLD: Final = frozenset({MatchOpened, RoundEnded, MatchWon})
"""The types of events that are recorded, but never told of a match that is open."""


class Logged(Struct, frozen=True, gc=False):
    """A recorded entry; `event` is None if its content was erased."""

    version: int
    event: Event | None
    inferred: bool

    @property
    def removable(self) -> bool:
        """Whether the table told it, so that reading on without it makes a difference."""
        return not self.inferred and type(self.event) not in STAYING


def entries_in(log: Log, *, behind: Log = None, version: int = 1) -> list[Logged]:
    """Return all entries after the opening, oldest first.

    `behind`: the same log at an earlier `version`. If it is given, only later entries are returned.
    """
    latest_first: list[tuple[Event | None, bool]] = []
    while log is not None and log is not behind:
        event, inferred, log = log
        latest_first.append((event, inferred))
    return [
        Logged(version, event, inferred)
        for version, (event, inferred) in enumerate(reversed(latest_first), start=version + 1)
    ]


def amendments_in(log: Iterable[Logged]) -> dict[int, LogAmended]:
    """Return every recorded amendment by its version, the oldest first."""
    return {entry.version: entry.event for entry in log if isinstance(entry.event, LogAmended)}


def amendments_in_force(recorded: Mapping[int, LogAmended]) -> dict[int, LogAmended]:
    """Return the amendments that no other one in force withdraws, by version, the oldest first.

    If a withdrawal is withdrawn, the amendment that it withdrew is in force again.
    """
    withdrawn: set[int] = set()
    in_force: dict[int, LogAmended] = {}
    for version in reversed(list(recorded)):
        if version not in withdrawn:
            in_force[version] = recorded[version]
            withdrawn.update(recorded[version].withdraws)
    return dict(reversed(list(in_force.items())))


def removed_versions(amendment: LogAmended) -> range:
    """Return the versions of the entries that an amendment removes."""
    first = amendment.first or 0
    return range(first, first + amendment.remove)


def overlapping(in_force: Mapping[int, LogAmended]) -> tuple[int, int] | None:
    """Return the versions of two amendments that exclude each other, the lower first, or None.

    They remove the same entries, or one inserts inside the range that the other removes.
    """
    places: Sequence[tuple[int, int, int]] = sorted(
        (one.first, one.remove, version)
        for version, one in in_force.items()
        if one.first is not None and (one.remove or one.insert)
    )
    end, owner = 0, 0
    for first, remove, version in places:
        if first < end:
            return min(owner, version), max(owner, version)
        end, owner = first + remove, version
    return None


class Placed(Struct, frozen=True, gc=False):
    """A told event at its place in the log as it is read.

    `event`: None if its content was erased. `place`: the version of the entry itself, or of the
    entry before which the event was inserted. `version`: the version of the state after the event.
    """

    address: int | Inserted
    event: TableEvent | DisputeEvent | None
    place: int
    version: int


class Splices:
    """What amendments in force make of a log.

    `out`: the versions of the entries that they remove.
    """

    def __init__(self, in_force: Mapping[int, LogAmended]) -> None:
        self.out = {version for one in in_force.values() for version in removed_versions(one)}
        self._at: dict[int, list[tuple[int, LogAmended]]] = {}
        earlier_first = sorted(in_force.items(), key=lambda pair: (bool(pair[1].remove), pair[0]))
        for version, one in earlier_first:
            if one.first is not None:
                self._at.setdefault(one.first, []).append((version, one))

    def told(self, log: Iterable[Logged]) -> Iterator[Placed]:
        """Yield the told events of a part of the log, in the order in which they are read."""
        for entry in log:
            for version, one in self._at.get(entry.version, ()):
                yield from _inserted(version, one, entry.version)
            item = placed_if_told(entry)
            if item is not None and not (entry.version in self.out and entry.removable):
                yield item


def _inserted(amendment: int, one: LogAmended, place: int) -> Iterator[Placed]:
    counts_as = place if one.remove else place - 1
    for index, event in enumerate(one.insert):
        yield Placed(Inserted(amendment, index), event, place, counts_as)


def placed_if_told(entry: Logged) -> Placed | None:
    """Return a told entry with its place, also if it was erased.

    None if the entry was inferred, or is an amendment.
    """
    event = entry.event
    if entry.inferred or isinstance(event, LogAmended):
        return None
    assert type(event) not in NEVER_TOLD
    told = cast("TableEvent | DisputeEvent | None", event)
    return Placed(entry.version, told, entry.version, entry.version)


JudgedEvent: TypeAlias = TableEvent | DisputeEvent | ServerEvent
"""What is judged: every event but an opening and an amendment."""


class Step(Struct, frozen=True, gc=False, kw_only=True):
    """One event of a log as it is read; `before` and `after` are shared and never changed.

    `event`: the event as it was sent, None if it was erased. `taken`: the event as it took effect,
    None if it did not. It may be marked as played although nobody said so. `voided`: why the event
    could not take effect any more. `doubtful`: for a viewer, whether hidden cards may show a
    breach.
    """

    address: Address
    event: Event | None
    before: State
    after: State
    inferred: bool = False
    taken: Event | None = None
    voided: Refusal | None = None
    doubtful: bool = False


class StepTaken(NamedTuple):
    """A step that took effect, its place among the others, and what took effect."""

    place: int
    step: Step
    event: JudgedEvent


def taken_in(steps: Iterable[Step]) -> list[StepTaken]:
    """Return the steps that took effect, except the opening and amendments."""
    return [
        StepTaken(place, step, cast("JudgedEvent", step.taken))
        for place, step in enumerate(steps)
        if type(step.taken) in RULES
    ]


def opening_step(start: State) -> Step:
    """Return the first step of every log, which is its opening."""
    opened = start.opened
    return Step(address=1, event=opened, before=start, after=start, taken=opened)


class Reader:
    """Takes in told events, one after the other.

    `log`: the recorded entries after the opening, in which inferred ones are looked up. `steps`:
    the list to which steps are appended. `out`: the versions that amendments remove.
    """

    def __init__(
        self, state: State, log: Sequence[Logged], steps: list[Step], *, out: Container[int] = ()
    ) -> None:
        self.state = state
        self.steps = steps
        self._log = log
        self._out = out

    def take_in(self, item: Placed, following: Placed | None) -> Refusal | None:
        """Take in an event, and what follows from it unless `following`, the next event, tells it.

        A forbidden event counts as played against the rules, and an impossible one is voided. In
        both cases the refusal is returned.
        """
        event = item.event
        refused: Refusal | None = None
        if event is None:
            refused = Refusal(code="event-erased")
            self._void(item, refused)
        elif type(event) in STAYING:
            self._take(item, event)
        else:
            refused = self._judge(item, event)
        self.complete(following)
        return refused

    def complete(self, following: Placed | None) -> None:
        """Take in what follows from the last event, unless `following`, the next one, tells it."""
        if inferred(self.state) is None:
            return
        place, ahead = sys.maxsize, None
        if following is not None:
            place, ahead = following.place, following.event
        for forced in entries_after(
            self._now, ahead, lambda each: bool(self._inferred_at(each, place))
        ):
            self._infer(forced, place)

    def _judge(self, item: Placed, event: TableEvent | DisputeEvent) -> Refusal | None:
        state, steps = self.state, len(self.steps)
        event = by_column(self.state, event)
        if event is not item.event:
            item = replace(item, event=event)
        if presupposed(self.state, event) is not None:
            for forced in entries_before(self._now, event):
                self._infer(forced, item.place)
        refused = decide(self.state, event)
        if not isinstance(refused, Refusal):
            self._take(item, event)
            return None
        why = refused
        if refused.code == "rule-violation":
            taken = replace(event, as_played=True)
            impossible = decide(self.state, taken)
            if not isinstance(impossible, Refusal):
                self._take(item, taken)
                return refused
            why = impossible
        self.state = state
        del self.steps[steps:]
        self._void(item, why)
        return refused

    def _void(self, item: Placed, why: Refusal) -> None:
        after = self.state.copy()
        after.version = item.version
        after.voided += 1
        self._step(
            Step(address=item.address, event=item.event, before=self.state, after=after, voided=why)
        )

    def _take(self, item: Placed, taken: TableEvent | DisputeEvent) -> None:
        after = self.state.copy()
        after.version = item.version - 1
        evolve(after, taken)
        self._step(
            Step(
                address=item.address, event=item.event, before=self.state, after=after, taken=taken
            )
        )

    def _infer(self, event: Forced, place: int) -> None:
        version = self._inferred_at(event, place)
        after = self.state.copy()
        after.version = (version or self.state.version) - 1
        evolve(after, event)
        self._step(
            Step(
                address=version,
                event=event,
                before=self.state,
                after=after,
                inferred=True,
                taken=event,
            )
        )

    def _inferred_at(self, event: Event, place: int) -> int | None:
        """Return the version of the recorded entry by which this was inferred here, or None."""
        for entry in self._log[self.state.version - 1 : place - 2]:
            if entry.inferred and entry.event == event and entry.version not in self._out:
                return entry.version
        return None

    def _now(self) -> State:
        return self.state

    def _step(self, step: Step) -> None:
        self.steps.append(step)
        self.state = step.after
