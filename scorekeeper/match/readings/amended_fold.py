"""Reading a log anew: what was told, as it is amended, judged and completed afresh.

A reading goes on from an earlier one of the same log. It keeps what stands before the first
difference, and what stands behind the last one from where both come to the same state.

Between them it goes a detour, from the last event before all that differs, since what follows from
that may rest on the next one. The readings meet behind all that differs as soon as both have the
same state. A note that is inserted meets at once; with another score the totals never do.
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
    amendments,
    amendments_in_force,
    entries,
    opening,
    removed,
    spliced,
    taken_out,
)
from scorekeeper.match.state import Finished, Log, State
from scorekeeper.match.table import Table

# What a log is read by, and what no reading changes.
_ASIDE = {"edition", "opened", "log", "amendments"}
# Compared by themselves: a list of rounds is as long as the match.
_PARTS = {"finished", "table"}
_FIELDS = [name for name in State.__struct_fields__ if name not in _ASIDE | _PARTS]


class Mark(Struct, frozen=True):
    """Where a told event begins to be read: at its `place`, behind so many steps.

    `matched`: the version up to which entries that were inferred in their time have been found.
    """

    place: int
    steps: int
    matched: int


class Detour:
    """`steps`, `marks`: those of the earlier reading; `differing`: amendments that only one has."""

    def __init__(
        self, steps: Sequence[Step], marks: Sequence[Mark], differing: Iterable[LogAmended]
    ) -> None:
        self._steps = steps
        self._marks = marks
        ranges = [removed(one) for one in differing if one.first is not None]
        self._parts = min((each.start for each in ranges), default=sys.maxsize)
        self._meets = max((max(each.stop, each.start + 1) for each in ranges), default=sys.maxsize)
        self._last = marks[-1].place if marks else 0
        self._place = 0
        self._looked = 0

    def begin(self) -> tuple[Mark, list[Mark]]:
        """Where to go on from, and the marks before it."""
        at = self._first_at(self._parts)
        if not at:
            return Mark(place=2, steps=1, matched=1), []
        at = self._first_at(self._marks[at - 1].place)
        return self._marks[at], list(self._marks[:at])

    def met(self, place: int, reader: Reader) -> Mark | None:
        """The earlier reading's mark, where it was as this one is now, about to read at `place`.

        None also where the earlier one has nothing more to offer. To compare costs about as much as
        to read an event, so that it is done before the first, second, fourth, eighth event.
        """
        first, self._place = place != self._place, place
        if not first or not self._meets <= place < self._last:
            return None
        self._looked += 1
        if self._looked & (self._looked - 1):
            return None
        # What was inferred among entries that are out here, or there, is still to be found.
        if max(reader.matched, reader.state.version) + 1 < self._meets:
            return None
        mark = self._marks[self._first_at(place)]
        if (mark.place, mark.matched) != (place, reader.matched):
            return None
        return mark if _alike(self._steps[mark.steps - 1].after, reader.state) else None

    def follow(self, met: Mark, reader: Reader, marks: list[Mark]) -> int:
        """Go the way of the earlier reading up to its last event, and answer the place of that.

        More may stand behind that event now. States on this way count the earlier amendments.
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
    """Whether whatever is read next comes to the same from both."""
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
    """Mappings are so in their order, too, in which they are shown."""
    return all(_in_order(getattr(one, each)) == _in_order(getattr(other, each)) for each in fields)


def _in_order(value: object) -> object:
    if not isinstance(value, Mapping):
        return value
    return list(cast("Mapping[object, object]", value).items())


def _same_rounds(one: Finished, other: Finished) -> bool:
    """From the latest back to where both share what came before."""
    while one is not other:
        if one is None or other is None or one[0] != other[0]:
            return False
        one, other = one[1], other[1]
    return True


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
    marks: list[Mark]


def amended_fold(
    start: State, log: Log, *, newest: int | None = None, known: AmendedFold | None = None
) -> AmendedFold | Refusal:
    """Read a log with its amendments; `start` is the state after the opening.

    What the amendment with the version `newest` inserts has to be possible and allowed, or else
    this is the refusal of it. `known`: a reading of the log before its last entries, of which is
    kept what does not differ; those steps go on counting its amendments.
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
    standing = amendments_in_force(amended)
    both = {**known.standing, **standing}
    differing = [both[version] for version in known.standing.keys() ^ standing.keys()]
    detour = Detour(known.steps, known.marks, differing)
    begun, marks = detour.begin()
    steps = known.steps[: begun.steps]
    own = steps[-1].after.copy()
    own.amendments = len(amended)
    if len(steps) == 1:
        steps = [opening(own)]
    reader = Reader(own, recorded, steps, out=taken_out(standing), matched=begun.matched)
    place: int | None = begun.place
    while place is not None:
        ended = _tell(reader, spliced(recorded[place - 2 :], standing), detour, marks, newest)
        if isinstance(ended, Refusal):
            return ended
        place = ended
    state = reader.state.copy()
    state.version = 1 + len(recorded)
    state.log = log
    state.erased = any(entry.event is None for entry in recorded)
    return AmendedFold(steps, state, log, recorded, amended, standing, marks)


def _tell(
    reader: Reader, told: Iterable[Placed], detour: Detour, marks: list[Mark], newest: int | None
) -> Refusal | int | None:
    """Read on up to the next place where the detour meets what is known, or to the end of the log.

    Returns the place from which to go on, or None at the end.
    """
    for item, following in pairwise(chain(told, [None])):
        assert item is not None
        met = detour.met(item.place, reader)
        if met is not None:
            return detour.follow(met, reader, marks)
        marks.append(Mark(item.place, len(reader.steps), reader.matched))
        refused = reader.tell(item, following)
        if refused is not None and _amendment_of(item) == newest:
            facts = {**refused.facts, "insert": _index_of(item)}
            return replace(refused, facts=facts, sitting=reader.state.substitutes)
    return None


def _amendment_of(item: Placed) -> int:
    return item.address.amendment if isinstance(item.address, Inserted) else 0


def _index_of(item: Placed) -> int:
    return item.address.index if isinstance(item.address, Inserted) else 0
