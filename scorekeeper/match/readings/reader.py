"""The log of a match with its amendments, and the reader that takes in anew what is told in it.

`amendments_in_force` has the amendments that no other one withdraws. `told` gives the events in the
order in which they are to be read, and a `Reader` takes in one after the other. What was inferred
when it was recorded is left aside and inferred again. What the table told stands as long as it can
have happened: where it is forbidden now it counts as played so, and where it has become impossible
it is voided.
"""

import sys
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.decider import Forced, after, before, by_column, decide, evolve
from scorekeeper.match.events.events import (
    DisputeEvent,
    DisputeOpened,
    DisputeRuled,
    Event,
    LogAmended,
    MatchWon,
    NoteAdded,
    RoundEnded,
    TableEvent,
)
from scorekeeper.match.events.fields import Address, Inserted
from scorekeeper.match.events.opening import MatchOpened
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.state import Log, State

STAYING = (NoteAdded, DisputeOpened, DisputeRuled, LogAmended)
"""What is said about the log is no part of what an amendment removes."""


class Logged(Struct, frozen=True):
    """An entry; `event` is None where its content was erased."""

    version: int
    event: Event | None
    inferred: bool

    @property
    def removable(self) -> bool:
        """Whether the table told it, so that reading on without it makes a difference."""
        return not self.inferred and not isinstance(self.event, STAYING)


def entries(log: Log, *, behind: Log = None, version: int = 1) -> list[Logged]:
    """All entries behind the opening, oldest first.

    Or those behind `behind`, which is the same log at an earlier `version`.
    """
    latest_first: list[tuple[Event | None, bool]] = []
    while log is not None and log is not behind:
        event, inferred, log = log
        latest_first.append((event, inferred))
    return [
        Logged(version, event, inferred)
        for version, (event, inferred) in enumerate(reversed(latest_first), start=version + 1)
    ]


def amendments(log: Iterable[Logged]) -> dict[int, LogAmended]:
    """Every amendment that was recorded, by version, the oldest first."""
    return {entry.version: entry.event for entry in log if isinstance(entry.event, LogAmended)}


def amendments_in_force(recorded: Mapping[int, LogAmended]) -> dict[int, LogAmended]:
    """The amendments that no other one in force withdraws, the oldest first.

    Who withdraws a withdrawal brings back what it withdrew.
    """
    withdrawn: set[int] = set()
    standing: dict[int, LogAmended] = {}
    for version in reversed(list(recorded)):
        if version not in withdrawn:
            standing[version] = recorded[version]
            withdrawn.update(recorded[version].withdraws)
    return dict(reversed(list(standing.items())))


def removed(amendment: LogAmended) -> range:
    """The versions that an amendment takes out."""
    first = amendment.first or 0
    return range(first, first + amendment.remove)


def overlapping(standing: Mapping[int, LogAmended]) -> tuple[int, int] | None:
    """Two amendments of the same entries, or one that inserts inside the range of the other."""
    places: Sequence[tuple[int, int, int]] = sorted(
        (one.first, one.remove, version)
        for version, one in standing.items()
        if one.first is not None and (one.remove or one.insert)
    )
    end, owner = 0, 0
    for first, remove, version in places:
        if first < end:
            return min(owner, version), max(owner, version)
        if first + remove > end:
            end, owner = first + remove, version
    return None


class Placed(Struct, frozen=True):
    """An event at its place in the log as it is read.

    `place`: the version of the entry that it stands before, or is. `version`: which it counts as.
    """

    address: int | Inserted
    event: TableEvent | DisputeEvent | None
    place: int
    version: int


def taken_out(standing: Mapping[int, LogAmended]) -> set[int]:
    """The versions that these amendments remove."""
    return {version for one in standing.values() for version in removed(one)}


def spliced(log: Sequence[Logged], standing: Mapping[int, LogAmended]) -> Iterator[Placed]:
    """What is told in a stretch of a log, as it is to be read with these amendments."""
    out = taken_out(standing)
    splices: dict[int, list[tuple[int, LogAmended]]] = {}
    for version, one in sorted(standing.items(), key=lambda pair: (bool(pair[1].remove), pair[0])):
        if one.first is not None:
            splices.setdefault(one.first, []).append((version, one))
    for entry in log:
        for version, one in splices.get(entry.version, ()):
            yield from _inserted(version, one, entry.version)
        item = told(entry)
        if item is not None and not (entry.version in out and entry.removable):
            yield item


def _inserted(amendment: int, one: LogAmended, place: int) -> Iterator[Placed]:
    counts_as = place if one.remove else place - 1
    for index, event in enumerate(one.insert):
        yield Placed(Inserted(amendment, index), event, place, counts_as)


def told(entry: Logged) -> Placed | None:
    """An entry that was told, erased ones too; None for one that was inferred, or amends."""
    event = entry.event
    if entry.inferred or isinstance(event, LogAmended):
        return None
    assert not isinstance(event, MatchOpened | RoundEnded | MatchWon)
    return Placed(entry.version, event, entry.version, entry.version)


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


class Reader:
    """Takes in what is told, one after the other; `log` tells what was inferred in its time.

    `out`: versions that were removed from it. `matched`: up to where it has been found again.
    """

    def __init__(
        self,
        state: State,
        log: Sequence[Logged],
        steps: list[Step],
        *,
        out: Container[int] = (),
        matched: int = 1,
    ) -> None:
        self.state = state
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
        state, steps, matched = self.state, len(self.steps), self.matched
        event = by_column(self.state, event)
        if event is not item.event:
            item = replace(item, event=event)
        for forced in before(self._now, event):
            self._infer(forced, item.place)
        refused = found = decide(self.state, event)
        taken = event
        if isinstance(found, Refusal) and found.code == "rule-violation":
            taken = replace(event, as_played=True)
            found = decide(self.state, taken)
        if isinstance(found, Refusal):
            self.state, self.matched = state, matched
            del self.steps[steps:]
            self._void(item, found)
        else:
            self._take(item, taken)
        return refused if isinstance(refused, Refusal) else None

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
        self.matched = version or self.matched
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
        """The entry that was inferred here when it was recorded."""
        first = max(self.matched, self.state.version) + 1
        for entry in self._log[first - 2 : place - 2]:
            if entry.inferred and entry.event == event and entry.version not in self._out:
                return entry.version
        return None

    def _now(self) -> State:
        return self.state

    def _step(self, step: Step) -> None:
        self.steps.append(step)
        self.state = step.after
