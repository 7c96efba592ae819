"""Reading a log anew: what was told, as it is amended, judged and completed afresh.

A reading goes on from an earlier one of the same log. It keeps what stands before the first
difference, and what stands behind the last one from where both come to the same state.
"""

from collections.abc import Iterable
from itertools import chain, pairwise

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.decider.logged import Logged, amendments, entries, in_force
from scorekeeper.match.events.address import Inserted
from scorekeeper.match.events.events import LogAmended
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.readings.detour import Detour, Mark
from scorekeeper.match.readings.reader import Reader, Step, opening
from scorekeeper.match.readings.splice import Placed, spliced, taken_out
from scorekeeper.match.table.state import Log, State


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
    standing = in_force(amended)
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
    state = reader.own.copy()
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
            return replace(refused, facts={**refused.facts, "insert": _index_of(item)})
    return None


def _amendment_of(item: Placed) -> int:
    return item.address.amendment if isinstance(item.address, Inserted) else 0


def _index_of(item: Placed) -> int:
    return item.address.index if isinstance(item.address, Inserted) else 0
