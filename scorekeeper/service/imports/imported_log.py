"""What a league's ledger has of a match that was imported."""

from collections.abc import Iterator, Sequence
from hashlib import sha256

from msgspec import Struct

from scorekeeper.match.decider.logged import Logged, amendments, in_force
from scorekeeper.match.events.events import Event, LogAmended, NoteAdded, TableEvent, encode
from scorekeeper.match.events.opening import MatchOpened, Opening
from scorekeeper.match.readings.splice import spliced
from scorekeeper.service.imports.past_matches import id_of, named_id


class RecordedEvent(Struct, frozen=True, kw_only=True):
    """An entry of a match; `event` is None where its content was erased."""

    version: int
    id: str | None
    inferred: bool
    event: Event | None


class ImportedEvent(Struct, frozen=True):
    """An event that was imported, at its version."""

    version: int
    event: TableEvent


class ImportedLog(Struct, frozen=True, kw_only=True):
    """A match in the ledger.

    `opening` is None where somebody else opened it. `rows`: what was imported, in its order.
    `corrections`: the amendments by which imports put it right, by version; `standing`: those in
    force. `as_imported`: what imports made of it; `as_read`: as it is read now, with all that was
    told and amended otherwise. `erased`: what some of these entries held is gone.
    """

    version: int
    opening: Opening | None
    rows: list[ImportedEvent]
    corrections: dict[int, LogAmended]
    standing: dict[int, LogAmended]
    as_imported: list[TableEvent]
    as_read: list[TableEvent]
    erased: bool


def imported_log(league: str, match: str, entries: Sequence[RecordedEvent]) -> ImportedLog:
    """Which entries were imported is seen by their ids."""
    first = entries[0].event
    assert isinstance(first, MatchOpened)
    log: list[Logged] = []
    own: list[Logged] = []
    rows: list[ImportedEvent] = []
    corrections: dict[int, LogAmended] = {}
    imported = 0
    erased = False
    for entry in entries[1:]:
        event = entry.event
        logged = Logged(entry.version, event, entry.inferred)
        log.append(logged)
        erased = erased or (event is None and not entry.inferred)
        if isinstance(event, LogAmended):
            if entry.id == correction_id(league, match, entry.version, event):
                corrections[entry.version] = event
            else:
                logged = Logged(entry.version, None, inferred=True)
        elif entry.id is not None and entry.id == id_of(league, match, imported):
            imported += 1
            if isinstance(event, TableEvent):
                rows.append(ImportedEvent(entry.version, event))
        else:
            logged = Logged(entry.version, event, inferred=True)
        own.append(logged)
    standing = in_force(corrections)
    opened = Opening(**{name: getattr(first, name) for name in Opening.__struct_fields__})
    return ImportedLog(
        version=entries[-1].version,
        opening=opened if imported else None,
        rows=rows,
        corrections=corrections,
        standing=standing,
        as_imported=list(_told(own, standing)),
        as_read=list(_told(log, in_force(amendments(log)))),
        erased=erased,
    )


def _told(log: Sequence[Logged], standing: dict[int, LogAmended]) -> Iterator[TableEvent]:
    """What the table told, in the order in which it is read."""
    for placed in spliced(log, standing):
        if isinstance(placed.event, TableEvent) and not isinstance(placed.event, NoteAdded):
            yield placed.event


def correction_id(league: str, match: str, version: int, amendment: LogAmended) -> str:
    """Of an amendment that an import records at this version."""
    digest = sha256(encode(amendment)).hexdigest()
    return named_id(league, match, f"correction/{version}/{digest}")
