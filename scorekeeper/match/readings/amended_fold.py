"""Reading a log again: the told events with all amendments, judged and completed again.

A reading starts from an earlier reading of the same log, and makes a `Detour` where they differ.
"""

from collections.abc import Iterable
from itertools import chain, pairwise

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.events.events import LogAmended
from scorekeeper.match.events.fields import Inserted
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.readings.detour import Detour, Mark
from scorekeeper.match.readings.reader import (
    Logged,
    Placed,
    Reader,
    Splices,
    Step,
    amendments_in,
    amendments_in_force,
    entries_in,
    opening_step,
)
from scorekeeper.match.state import Log, State


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


def amended_fold(start: State, log: Log, *, known: AmendedFold | None = None) -> AmendedFold:
    """Read a log with its amendments.

    `start`: the state after the opening. `known`: an earlier reading of the same log without its
    last entries. Steps are taken over from it with their states: see `Detour.follow` for what these
    do not count.
    """
    if known is None:
        known = _opened(start)
    new = entries_in(log, behind=known.log, version=1 + len(known.recorded))
    amended = {**known.amended, **amendments_in(new)}
    return _read(known, log, [*known.recorded, *new], amended)


def newly_amended_fold(start: State, log: Log) -> AmendedFold | Refusal:
    """Read a log whose last entry is an amendment that is to be recorded.

    The events that it inserts have to be possible and allowed. If one is not, return its refusal.
    """
    recorded = entries_in(log)
    newest = recorded[-1].version
    return _judged(_opened(start), log, recorded, amendments_in(recorded), newest)


def read_without(known: AmendedFold, amendment: int) -> AmendedFold:
    """Read the same log as if this amendment had not been made."""
    others = {version: one for version, one in known.amended.items() if version != amendment}
    return _read(known, known.log, known.recorded, others)


def _opened(start: State) -> AmendedFold:
    """Return the reading of a log without entries after the opening."""
    return AmendedFold([opening_step(start)], start, None, [], {}, {}, [])


def _read(
    known: AmendedFold, log: Log, recorded: list[Logged], amended: dict[int, LogAmended]
) -> AmendedFold:
    again = _judged(known, log, recorded, amended, newest=None)
    assert isinstance(again, AmendedFold)
    return again


def _judged(
    known: AmendedFold,
    log: Log,
    recorded: list[Logged],
    amended: dict[int, LogAmended],
    newest: int | None,
) -> AmendedFold | Refusal:
    in_force = amendments_in_force(amended)
    both = {**known.in_force, **in_force}
    differing = [both[version] for version in known.in_force.keys() ^ in_force.keys()]
    detour = Detour(known.steps, known.marks, known.state.finished, differing)
    begun, marks = detour.begin()
    own = begun.state_in(known.state.finished)
    own.amendments = len(amended)
    steps = known.steps[: begun.steps] if marks else [opening_step(own)]
    splices = Splices(in_force)
    reader = Reader(own, recorded, steps, out=splices.out)
    place: int | None = begun.place
    while place is not None:
        ended = _read_on(reader, splices.told(recorded[place - 2 :]), detour, marks, newest)
        if isinstance(ended, Refusal):
            return ended
        place = ended
    state = reader.state.copy()
    state.version = 1 + len(recorded)
    state.log = log
    new = recorded[len(known.recorded) :]
    state.erased = known.state.erased or any(entry.event is None for entry in new)
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
        marks.append(Mark(item.place, len(reader.steps), reader.state))
        refused, at = reader.take_in(item, following), item.address
        if refused is not None and isinstance(at, Inserted) and at.amendment == newest:
            facts = {**refused.facts, "insert": at.index}
            return replace(refused, facts=facts, sitting=reader.state.substitutes)
    return None
