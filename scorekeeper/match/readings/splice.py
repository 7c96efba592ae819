"""What is told in a log with amendments, in the order in which it is to be read."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from scorekeeper.match.decider.logged import Logged, removed
from scorekeeper.match.events.address import Inserted
from scorekeeper.match.events.dispute_events import DisputeEvent
from scorekeeper.match.events.events import LogAmended, MatchWon, RoundEnded, TableEvent
from scorekeeper.match.events.opening import MatchOpened


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
