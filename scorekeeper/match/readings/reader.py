"""Taking in what is told of a log that is read anew, one after the other.

What was inferred when it was recorded is left aside and inferred again. What the table told stands
as long as it can have happened: where it is forbidden now it counts as played so, and where it has
become impossible it is voided.
"""

import sys
from collections.abc import Container, Sequence

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.decider.columns import by_column
from scorekeeper.match.decider.decide import decide
from scorekeeper.match.decider.evolve import evolve
from scorekeeper.match.decider.intake import Forced, after, before
from scorekeeper.match.decider.logged import STAYING, Logged
from scorekeeper.match.events.address import Address
from scorekeeper.match.events.dispute_events import DisputeEvent
from scorekeeper.match.events.events import Event, TableEvent
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.readings.splice import Placed
from scorekeeper.match.table.state import State


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
