"""Reading a log anew: what was told, as it is amended, judged and completed afresh.

What was inferred when it was recorded is left aside and inferred again. What the table told stands
as long as it can have happened: where it is forbidden now it counts as played so, and where it has
become impossible it is voided.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.address import Address, Inserted
from scorekeeper.match.columns import by_column
from scorekeeper.match.decide import decide
from scorekeeper.match.dispute_events import DisputeEvent
from scorekeeper.match.events import (
    Event,
    LogAmended,
    MatchWon,
    RoundEnded,
    ServerEvent,
    TableEvent,
)
from scorekeeper.match.evolve import evolve
from scorekeeper.match.infer import inferred
from scorekeeper.match.logged import STAYING, Logged, amendments, entries, in_force, removed
from scorekeeper.match.opening import MatchOpened
from scorekeeper.match.presupposed import BETWEEN, PAYMENTS, presupposed
from scorekeeper.match.refusal import Refusal
from scorekeeper.match.state import Log, State


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


class Placed(Struct, frozen=True):
    """An event at its place in the log as it is read.

    `place`: the version of the entry that it stands before, or is. `version`: which it counts as.
    """

    address: int | Inserted
    event: TableEvent | DisputeEvent | None
    place: int
    version: int


def opening(start: State) -> Step:
    """The first step of every log."""
    opened = start.opened
    return Step(address=1, event=opened, before=start, after=start, taken=opened)


class Reread(Struct, frozen=True):
    """The steps of a log, the opening first, and the state after all that was recorded."""

    steps: list[Step]
    state: State


def reread(start: State, log: Log, *, newest: int | None = None) -> Reread | Refusal:
    """Read a log with its amendments; `start` is the state after the opening.

    What the amendment with the version `newest` inserts has to be possible and allowed, or else
    this is the refusal of it.
    """
    recorded = entries(log)
    amended = amendments(recorded)
    standing = in_force(amended)
    out = _taken_out(standing)
    inferable = [entry for entry in recorded if entry.version not in out]
    own = start.copy()
    own.amendments = len(amended)
    reader = Reader(own, inferable, [opening(own)])
    items = list(spliced(recorded, standing))
    for item, following in zip(items, [*items, None][1:], strict=True):
        refused = reader.tell(item, following)
        if refused is not None and _amendment_of(item) == newest:
            return replace(refused, facts={**refused.facts, "insert": _index_of(item)})
    state = reader.own.copy()
    state.version = 1 + len(recorded)
    state.log = log
    state.erased = any(entry.event is None for entry in recorded)
    return Reread(reader.steps, state)


def _amendment_of(item: Placed) -> int:
    return item.address.amendment if isinstance(item.address, Inserted) else 0


def _index_of(item: Placed) -> int:
    return item.address.index if isinstance(item.address, Inserted) else 0


def _taken_out(standing: Mapping[int, LogAmended]) -> set[int]:
    return {version for one in standing.values() for version in removed(one)}


def spliced(log: Sequence[Logged], standing: Mapping[int, LogAmended]) -> Iterator[Placed]:
    """What is told, in the order in which it is to be read with these amendments."""
    out = _taken_out(standing)
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


class Reader:
    """Takes in what is told, one after the other; `log` tells what was inferred in its time."""

    def __init__(self, own: State, log: Iterable[Logged], steps: list[Step]) -> None:
        self.own = own
        self.steps = steps
        self._inferred = [entry for entry in log if entry.inferred]
        self._matched = 0

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
        if following is None:
            self._complete(sys.maxsize, None)
        else:
            self._complete(following.place, following.event)
        return refused

    def _judge(self, item: Placed, event: TableEvent) -> Refusal | None:
        own, steps, matched = self.own, len(self.steps), self._matched
        told, event = event, by_column(self.own, event)
        if event is not told:
            item = replace(item, event=event)
        while (earlier := presupposed(self.own, event)) is not None:
            self._infer(earlier, item.place)
            if isinstance(event, BETWEEN):
                self._complete(item.place, event)
        refused = found = decide(self.own, event)
        taken = event
        if isinstance(found, Refusal) and found.code == "rule-violation":
            taken = replace(event, as_played=True)
            found = decide(self.own, taken)
        if isinstance(found, Refusal):
            self.own, self._matched = own, matched
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

    def _complete(self, place: int, following: Event | None) -> None:
        """Infer what is forced; a draw that is told next is left to it, unless it came too late."""
        while (forced := inferred(self.own)) is not None:
            told_next = isinstance(forced, PAYMENTS) and isinstance(following, PAYMENTS)
            if told_next and self._inferred_at(forced, place) is None:
                return
            self._infer(forced, place)

    def _infer(self, event: TableEvent | ServerEvent, place: int) -> None:
        at = self._inferred_at(event, place)
        version = None if at is None else self._inferred[at].version
        self._matched = self._matched if at is None else at + 1
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
        """Which of the entries that were inferred stood here when it was recorded."""
        for at in range(self._matched, len(self._inferred)):
            entry = self._inferred[at]
            if entry.version >= place:
                break
            if entry.version > self.own.version and entry.event == event:
                return at
        return None

    def _step(self, step: Step) -> None:
        self.steps.append(step)
        self.own = step.after
