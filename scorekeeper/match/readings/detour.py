"""The way of a reading beside an earlier one of the same log, from where they part until they meet.

They part at the last event before all that differs: what follows from it may rest on the next one.
They meet behind all that differs as soon as both have the same state. A note that is inserted meets
at once; with another score the totals never do.
"""

import sys
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.decider.logged import removed
from scorekeeper.match.events.events import LogAmended
from scorekeeper.match.readings.reader import Reader, Step
from scorekeeper.match.table.state import Finished, State
from scorekeeper.match.table.table import Table


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
        if max(reader.matched, reader.own.version) + 1 < self._meets:
            return None
        mark = self._marks[self._first_at(place)]
        if (mark.place, mark.matched) != (place, reader.matched):
            return None
        return mark if _alike(self._steps[mark.steps - 1].after, reader.own) else None

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
        amendments = reader.own.amendments
        reader.own = reader.steps[-1].after.copy()
        reader.own.amendments = amendments
        reader.matched = last.matched
        return self._last

    def _first_at(self, place: int) -> int:
        return bisect_left(self._marks, place, key=attrgetter("place"))


# What a log is read by, and what no reading changes.
_ASIDE = {"edition", "opened", "log", "amendments"}
# Compared by themselves: a list of rounds is as long as the match.
_PARTS = {"finished", "table"}
_FIELDS = [name for name in State.__struct_fields__ if name not in _ASIDE | _PARTS]


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
