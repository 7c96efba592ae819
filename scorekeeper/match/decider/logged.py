"""The log of a match as it was recorded, and the amendments to it that are in force."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from scorekeeper.match.events.dispute_events import DisputeOpened, DisputeRuled
from scorekeeper.match.events.events import Event, LogAmended, NoteAdded
from scorekeeper.match.table.state import Log

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


def in_force(recorded: Mapping[int, LogAmended]) -> dict[int, LogAmended]:
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
