"""Reading a log again: the told events with all amendments, judged and completed again.

A reading starts from an earlier reading of the same log. It keeps the steps before the first
difference. After the last difference, it keeps the steps from the point at which both readings have
the same state.

Between these it makes a detour. The detour starts at the last told event before the first
difference, because what is inferred after that event may depend on the next one. After the last
difference, the readings meet as soon as both have the same state. They meet at once after an
inserted note. After another score they never do, since the totals differ.
"""

import sys
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, pairwise
from operator import attrgetter
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.events.events import LogAmended
from scorekeeper.match.events.fields import Inserted
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.readings.reader import (
    Logged,
    Placed,
    Reader,
    Step,
    amendments_in,
    amendments_in_force,
    entries_in,
    opening_step,
    removed_versions,
    spliced,
    taken_out,
)
from scorekeeper.match.state import Finished, Log, State
from scorekeeper.match.table import Table

# Not compared: what defines the reading itself, and what no reading changes.
_ASIDE = {"edition", "opened", "log", "amendments"}
# Compared separately, because the list of rounds is as long as the match.
_PARTS = {"finished", "table"}
_FIELDS = [name for name in State.__struct_fields__ if name not in _ASIDE | _PARTS]


class Mark(Struct, frozen=True):
    """The point of a reading just before a told event.

    `place`: the place of that event. `steps`: how many steps come before it. `matched`: the version
    up to which the recorded inferred entries have been found again.
    """

    place: int
    steps: int
    matched: int


class Detour:
    """The part of a new reading that differs from an earlier reading of the same log.

    `steps`, `marks`: those of the earlier reading. `differing`: the amendments that are in force in
    only one of the two readings.
    """

    def __init__(
        self, steps: Sequence[Step], marks: Sequence[Mark], differing: Iterable[LogAmended]
    ) -> None:
        self._steps = steps
        self._marks = marks
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
            return Mark(place=2, steps=1, matched=1), []
        at = self._first_at(self._marks[at - 1].place)
        return self._marks[at], list(self._marks[:at])

    def met(self, place: int, reader: Reader) -> Mark | None:
        """Return the mark of the earlier reading at which it had the state that `reader` has now.

        `place`: the place that is read next. None if the readings do not meet here, or the earlier
        one has nothing after this place. A comparison costs about as much as reading an event. So
        the states are compared only before the first, second, fourth, eighth … event.
        """
        first, self._place = place != self._place, place
        if not first or not self._meets <= place < self._last:
            return None
        self._looked += 1
        if self._looked & (self._looked - 1):
            return None
        # An inferred entry within the difference could still be found again by one of the readings.
        if max(reader.matched, reader.state.version) + 1 < self._meets:
            return None
        mark = self._marks[self._first_at(place)]
        if (mark.place, mark.matched) != (place, reader.matched):
            return None
        return mark if _alike(self._steps[mark.steps - 1].after, reader.state) else None

    def follow(self, met: Mark, reader: Reader, marks: list[Mark]) -> int:
        """Take over the steps of the earlier reading, and return the place of its last told event.

        That event is read again, because more events may come after it now. The states of these
        steps count the amendments of the earlier reading.
        """
        at, end = self._first_at(met.place), self._first_at(self._last)
        last = self._marks[end]
        more = len(reader.steps) - met.steps
        marks += [replace(each, steps=each.steps + more) for each in self._marks[at:end]]
        joint = replace(reader.steps[-1], after=self._steps[met.steps - 1].after)
        reader.steps[-1:] = [joint, *self._steps[met.steps : last.steps]]
        amendments = reader.state.amendments
        reader.state = reader.steps[-1].after.copy()
        reader.state.amendments = amendments
        reader.matched = last.matched
        return self._last

    def _first_at(self, place: int) -> int:
        return bisect_left(self._marks, place, key=attrgetter("place"))


def _alike(one: State, other: State) -> bool:
    """Return whether every possible next event has the same result in both states."""
    return (
        _equal(one, other, _FIELDS)
        and _same_table(one.table, other.table)
        and _same_rounds(one.finished, other.finished)
    )


def _same_table(one: Table | None, other: Table | None) -> bool:
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


def _same_rounds(one: Finished, other: Finished) -> bool:
    """Compare the rounds from the latest back to those that both states share as one list."""
    while one is not other:
        if one is None or other is None or one[0] != other[0]:
            return False
        one, other = one[1], other[1]
    return True


class AmendedFold(Struct, frozen=True):
    """The steps of a log with its amendments, the opening first, and the state after all entries.

    `recorded`: the entries after the opening. `amended`: all amendments by version. `in_force`: the
    amendments in force by version. `marks`: one for each told event.

    An instance is never changed, since other readings start from within it.
    """

    steps: list[Step]
    state: State
    log: Log
    recorded: list[Logged]
    amended: dict[int, LogAmended]
    in_force: dict[int, LogAmended]
    marks: list[Mark]


def amended_fold(
    start: State, log: Log, *, newest: int | None = None, known: AmendedFold | None = None
) -> AmendedFold | Refusal:
    """Read a log with its amendments.

    `start`: the state after the opening. `newest`: the version of an amendment whose inserted
    events have to be possible and allowed. If one is not, its refusal is returned. `known`: an
    earlier reading of the same log without its last entries. The steps that do not differ are taken
    over from it. Their states count the amendments of that earlier reading.
    """
    if known is None:
        known = AmendedFold([opening_step(start)], start, None, [], {}, {}, [])
    new = entries_in(log, behind=known.log, version=1 + len(known.recorded))
    amended = {**known.amended, **amendments_in(new)}
    return _read(known, log, [*known.recorded, *new], amended, newest)


def read_without(known: AmendedFold, amendment: int) -> AmendedFold:
    """Read the same log as if this amendment had not been made."""
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
    in_force = amendments_in_force(amended)
    both = {**known.in_force, **in_force}
    differing = [both[version] for version in known.in_force.keys() ^ in_force.keys()]
    detour = Detour(known.steps, known.marks, differing)
    begun, marks = detour.begin()
    steps = known.steps[: begun.steps]
    own = steps[-1].after.copy()
    own.amendments = len(amended)
    if len(steps) == 1:
        steps = [opening_step(own)]
    reader = Reader(own, recorded, steps, out=taken_out(in_force), matched=begun.matched)
    place: int | None = begun.place
    while place is not None:
        ended = _read_on(reader, spliced(recorded[place - 2 :], in_force), detour, marks, newest)
        if isinstance(ended, Refusal):
            return ended
        place = ended
    state = reader.state.copy()
    state.version = 1 + len(recorded)
    state.log = log
    state.erased = any(entry.event is None for entry in recorded)
    return AmendedFold(steps, state, log, recorded, amended, in_force, marks)


def _read_on(
    reader: Reader, told: Iterable[Placed], detour: Detour, marks: list[Mark], newest: int | None
) -> Refusal | int | None:
    """Read on until the detour meets the earlier reading, or to the end of the log.

    Return the place from which to go on, or None at the end. Return a refusal if an event that the
    amendment `newest` inserts is impossible or forbidden.
    """
    for item, following in pairwise(chain(told, [None])):
        assert item is not None
        met = detour.met(item.place, reader)
        if met is not None:
            return detour.follow(met, reader, marks)
        marks.append(Mark(item.place, len(reader.steps), reader.matched))
        refused = reader.take_in(item, following)
        if refused is not None and _amendment_of(item) == newest:
            facts = {**refused.facts, "insert": _index_of(item)}
            return replace(refused, facts=facts, sitting=reader.state.substitutes)
    return None


def _amendment_of(item: Placed) -> int:
    return item.address.amendment if isinstance(item.address, Inserted) else 0


def _index_of(item: Placed) -> int:
    return item.address.index if isinstance(item.address, Inserted) else 0
