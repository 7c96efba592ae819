"""Where a new reading of a log leaves an earlier reading, and where it comes back to it.

A reading starts from an earlier reading of the same log. It keeps the steps before the first
difference. Then it makes a detour. The detour starts at the last told event before the first
difference, because what is inferred after that event may depend on the next one. Behind the last
difference, the readings meet as soon as the same follows from both states. From there on, the new
reading keeps the steps of the earlier one.

The same follows from two states that differ only in sums, such as totals, and in rounds that are
over. So after an inserted note the readings meet at once, and after another score they meet behind
the next round. From there on, all sums of the earlier reading are behind by the same difference.
Totals that come to the target decide something: then the readings do not meet. The event that ends
the match is always read again, because its winners follow from the sums.
"""

import sys
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from operator import add, attrgetter, sub
from typing import Final, TypeAlias, cast

from msgspec import Struct

from scorekeeper.match.events.events import LogAmended
from scorekeeper.match.readings.reader import Reader, Step, removed_versions
from scorekeeper.match.state import Finished, Round, State
from scorekeeper.match.table import Table

AddedUp: TypeAlias = tuple[int, ...]
"""The sums of a state, or what has to be added to them. See `_sums`."""

# Not compared: what defines the reading itself, and what no reading changes.
_ASIDE: Final = {"edition", "opened", "log", "amendments"}
# Added up. Only totals decide something on the way, namely by the target.
_POINTS: Final = ("totals", "rounds_won", "sides_won")
_SUMS: Final = {*_POINTS, "violations", "voided"}
# Compared separately. Nothing depends on a round once the next one has begun.
_PARTS: Final = {"finished", "table"}
_FIELDS: Final = [name for name in State.__struct_fields__ if name not in _ASIDE | _SUMS | _PARTS]


class Mark(Struct, frozen=True):
    """The point of a reading just before a told event.

    `place`: the place of that event. `steps`: how many steps come before it. `state`: the state of
    the reading that made the mark. `behind`: what has to be added to its sums in this reading,
    nothing if it is empty.
    """

    place: int
    steps: int
    state: State
    behind: AddedUp = ()

    def state_in(self, finished: Finished) -> State:
        """Return a copy of the state as it is in this reading.

        `finished`: the rounds at the end of this reading.
        """
        state = self.state.copy()
        _add_to(state, self.behind)
        state.finished = _upon(state.finished, state.round, finished)
        return state


class Detour:
    """The part of a new reading that differs from an earlier reading of the same log.

    `steps`, `marks`, `finished`: those of the earlier reading. `differing`: the amendments that are
    in force in only one of the two readings.
    """

    def __init__(
        self,
        steps: Sequence[Step],
        marks: Sequence[Mark],
        finished: Finished,
        differing: Iterable[LogAmended],
    ) -> None:
        self._steps = steps
        self._marks = marks
        self._finished = finished
        ranges = [removed_versions(one) for one in differing if one.first is not None]
        self._parts = min((each.start for each in ranges), default=sys.maxsize)
        self._meets = max((max(each.stop, each.start + 1) for each in ranges), default=sys.maxsize)
        self._last = marks[-1].place if marks else 0
        self._place = 0
        self._looked = 0

    def begin(self) -> tuple[Mark, list[Mark]]:
        """Return the mark from which the new reading starts, and the marks before it."""
        at = self._first_at(self._parts)
        if not at:
            return Mark(place=2, steps=1, state=self._steps[0].after), []
        at = self._first_at(self._marks[at - 1].place)
        return self._marks[at], list(self._marks[:at])

    def met(self, place: int, reader: Reader) -> Mark | None:
        """Return the mark of the earlier reading from which it goes on as `reader` will.

        `place`: the place that is read next. None if the readings do not meet here, or the earlier
        one has nothing after this place. A comparison costs about as much as reading an event. So
        the states are compared only before the first, second, fourth, eighth … event.
        """
        first, self._place = place != self._place, place
        if not first or not self._meets <= place < self._last:
            return None
        self._looked += 1
        if self._looked & (self._looked - 1) and reader.state.phase != "turning":
            return None
        # An inferred entry within the difference could still be found again by one of the readings.
        if reader.state.version + 1 < self._meets:
            return None
        # Behind the difference both readings have the same told events, and so the same places.
        mark = self._marks[self._first_at(place)]
        if not _alike(mark.state, reader.state) or not self._far_from_target(mark, reader.state):
            return None
        return mark

    def follow(self, met: Mark, reader: Reader, marks: list[Mark]) -> int:
        """Take over steps of the earlier reading, and return the place of the next told event.

        That is the last event, because more events may come after it now, or the event that ends
        the match. The steps keep their states: these count the amendments, the sums and the earlier
        rounds of the earlier reading.
        """
        last, ahead = self._until(met), _ahead(reader.state, met)
        more = len(reader.steps) - met.steps
        marks += _moved(
            self._marks[self._first_at(met.place) : self._first_at(last.place)], more, ahead
        )
        reader.steps += self._steps[met.steps : last.steps]
        state = last.state_in(self._finished)
        _add_to(state, ahead)
        state.finished = _upon(state.finished, met.state.round, reader.state.finished)
        state.amendments = reader.state.amendments
        reader.state = state
        return last.place

    def _until(self, met: Mark) -> Mark:
        """Return the mark up to which steps can be taken over: the last one before the end."""
        end = self._first_at(self._last)
        if met.state.phase != "over" and self._marks[end].state.phase == "over":
            ended = bisect_left(self._marks, 1, key=lambda mark: mark.state.phase == "over")
            end = self._first_at(self._marks[ended - 1].place)
        return self._marks[end]

    def _far_from_target(self, met: Mark, state: State) -> bool:
        """Return whether no total comes to the target in the steps to be taken over.

        False if it is not certain. Totals only grow in a mode in which nobody loses points. Then
        the last ones tell, but for points at a catch, which a voided round does not keep.
        """
        target, totals = state.scoring.target, len(state.totals)
        ahead = _ahead(state, met)[:totals]
        if target is None or not any(ahead):
            return True
        if state.options.caught_counts or state.mode.points == "balance":
            return False
        last = self._until(met)
        reached = _added(_sums(last.state), last.behind)[:totals]
        return all(
            total + max(more, 0) < target for total, more in zip(reached, ahead, strict=True)
        )

    def _first_at(self, place: int) -> int:
        return bisect_left(self._marks, place, key=attrgetter("place"))


def same_follows(one: State, other: State) -> bool:
    """Return whether every possible next event has the same result in both states.

    They may count other violations, voided entries and amendments, and have other rounds before.
    """
    return _equal(one, other, _POINTS) and _alike(one, other)


def _alike(one: State, other: State) -> bool:
    """Return whether every possible next event has the same result in both states but for sums."""
    return (
        _equal(one, other, _FIELDS)
        and same_table(one.table, other.table)
        and (one.running is not None or _last_of(one) == _last_of(other))
    )


def _last_of(state: State) -> object:
    return None if state.finished is None else state.finished[0]


def same_table(one: Table | None, other: Table | None) -> bool:
    """Return whether the tables are equal. A mapping must also have the same order."""
    if one is None or other is None:
        return one is other
    return one is other or _equal(one, other, Table.__struct_fields__)


def _equal(one: Struct, other: Struct, fields: Iterable[str]) -> bool:
    """Return whether the fields are equal. Mappings must have the same order, as it is shown."""
    return all(_in_order(getattr(one, each)) == _in_order(getattr(other, each)) for each in fields)


def _in_order(value: object) -> object:
    if not isinstance(value, Mapping):
        return value
    return list(cast("Mapping[object, object]", value).items())


def _moved(marks: Iterable[Mark], more: int, ahead: AddedUp) -> Iterable[Mark]:
    """Yield the marks behind this many more steps, with sums that are ahead by this much."""
    for behind, alike in groupby(marks, attrgetter("behind")):
        now = _added(ahead, behind)
        for mark in alike:
            yield Mark(mark.place, mark.steps + more, mark.state, now)


def _sums(state: State) -> AddedUp:
    """Return all that is added up in a state, the totals first."""
    totals, rounds, sides = state.totals, state.rounds_won, state.sides_won
    return (*totals.values(), *rounds.values(), *sides.values(), state.violations, state.voided)


def _ahead(state: State, mark: Mark) -> AddedUp:
    """Return by how much the sums of a state are ahead of those at a mark of another reading."""
    return tuple(map(sub, _sums(state), _added(_sums(mark.state), mark.behind)))


def _added(sums: AddedUp, more: AddedUp) -> AddedUp:
    return tuple(map(add, sums, more)) if more else sums


def _add_to(state: State, more: AddedUp) -> None:
    if not more:
        return
    left = iter(more)
    state.totals, state.rounds_won, state.sides_won = (
        {name: held + next(left) for name, held in sums.items()}
        for sums in (state.totals, state.rounds_won, state.sides_won)
    )
    state.violations += next(left)
    state.voided += next(left)


def _upon(later: Finished, first: int, earlier: Finished) -> Finished:
    """Return the rounds of `later` from the number `first` on, upon those of `earlier` before."""
    upper: list[Round] = []
    rest = later
    while rest is not None and rest[0].number >= first:
        upper.append(rest[0])
        rest = rest[1]
    joint = earlier
    while joint is not None and joint[0].number >= first:
        joint = joint[1]
    if joint is rest:
        return later
    for each in reversed(upper):
        joint = (each, joint)
    return joint
