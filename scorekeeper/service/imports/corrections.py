"""The events that correct an imported match so that it reads as the file does now.

They follow from what the league's ledger has of the match. Nothing that was recorded is
overwritten: changed rows are amended, added rows are appended.
"""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from hashlib import sha256
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.events.events import (
    Event,
    LogAmended,
    MatchClosed,
    TableEvent,
    ToldEvent,
    encode,
)
from scorekeeper.match.events.opening import MatchOpened, Opening
from scorekeeper.match.readings.reader import (
    STAYING,
    Logged,
    Splices,
    amendments_in,
    amendments_in_force,
)
from scorekeeper.match.record import MOST_IN_FORCE, MOST_REREAD
from scorekeeper.service.imports.planned_matches import PastMatch, id_of, named_id, pieces

_MOST_COMPARED: Final = 4_000_000
"""Pairs of events that may be compared. A longer stretch is replaced as a whole."""
ChangeKind: TypeAlias = Literal["added", "changed", "removed"]


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

    `opening` is None if the match was not imported. `rows`: the imported events, in their order.
    `corrections`: the amendments by which imports corrected it, by version; `in_force`: those of
    them in force. `as_imported`: its events as imports made them; `as_read`: its events as it is
    read now, with everything that others recorded and amended. `erased`: content of told entries
    was erased.
    """

    version: int
    opening: Opening | None
    rows: list[ImportedEvent]
    corrections: dict[int, LogAmended]
    in_force: dict[int, LogAmended]
    as_imported: list[TableEvent]
    as_read: list[TableEvent]
    erased: bool


def imported_log(league: str, match: str, entries: Sequence[RecordedEvent]) -> ImportedLog:
    """Return what the ledger has of a match. Imported entries are recognised by their ids."""
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
    in_force = amendments_in_force(corrections)
    opened = Opening(**{name: getattr(first, name) for name in Opening.__struct_fields__})
    return ImportedLog(
        version=entries[-1].version,
        opening=opened if imported else None,
        rows=rows,
        corrections=corrections,
        in_force=in_force,
        as_imported=list(_table_events(own, in_force)),
        as_read=list(_table_events(log, amendments_in_force(amendments_in(log)))),
        erased=erased,
    )


def _table_events(log: Sequence[Logged], in_force: dict[int, LogAmended]) -> Iterator[TableEvent]:
    """Yield the events that the table told, in the order in which they are read."""
    for placed in Splices(in_force).told(log):
        if isinstance(placed.event, TableEvent) and type(placed.event) not in STAYING:
            yield placed.event


def correction_id(league: str, match: str, version: int, amendment: LogAmended) -> str:
    """Return the id of an amendment that an import records at this version."""
    digest = sha256(encode(amendment)).hexdigest()
    return named_id(league, match, f"correction/{version}/{digest}")


class RowDifference(Struct, frozen=True, kw_only=True):
    """Where the file differs from what was imported.

    `line`: the line of the row, or the one after which a row is missing. `was` and `now` are None
    if there was, or is, no such event.
    """

    line: int
    change: ChangeKind
    was: TableEvent | None = None
    now: TableEvent | None = None

    @property
    def takes_back(self) -> bool:
        """Whether a told event is changed or removed. A closing does not count: rows imply it."""
        return self.was is not None and not isinstance(self.was, MatchClosed)


class Correction(Struct, frozen=True, kw_only=True):
    """What corrects an imported match.

    `amendments` are to be appended to the match at `version`, and `told` after them. `told` have
    ids.
    """

    match: PastMatch
    version: int
    differences: list[RowDifference]
    amendments: list[LogAmended]
    told: tuple[TableEvent, ...]

    @property
    def takes_back(self) -> bool:
        """Whether a told event is changed or removed."""
        return any(each.takes_back for each in self.differences)

    def events(self, league: str) -> list[ToldEvent]:
        """Return all events to append, in order. The same match at one version has the same ids."""
        amending: list[ToldEvent] = []
        for version, amendment in enumerate(self.amendments, start=self.version + 1):
            own = correction_id(league, self.match.match, version, amendment)
            amending.append(replace(amendment, id=own))
        return [*amending, *self.told]

    def line_of(self, number: int) -> int:
        """Return the line that is to blame if the event with this number, from 0, is refused.

        An amendment is made for the match as a whole: its line is that of the first difference.
        """
        told = number - len(self.amendments)
        if told < 0:
            return self.differences[0].line
        return self.match.line_of(len(self.match.events) - len(self.told) + told)


class _Edit(Struct, frozen=True):
    """`wanted[first:last]` replaces `found[start:stop]`."""

    start: int
    stop: int
    first: int
    last: int


def correction(league: str, match: PastMatch, log: ImportedLog, file: str) -> Correction:
    """Return what turns the match as it was imported into the one that the file has now."""
    edits = _edits([row.event for row in log.rows], match.events)
    behind = len(log.rows)
    told: tuple[TableEvent, ...] = ()
    if edits and edits[-1].start == behind:
        told = tuple(
            replace(event, id=id_of(league, match.match, number))
            for number, event in enumerate(match.events[edits.pop().first :], start=behind)
        )
    most = min(MOST_IN_FORCE, max(1, MOST_REREAD // (log.version + len(edits) + len(told))))
    if len(edits) > most:
        edits = [_Edit(edits[0].start, edits[-1].stop, edits[0].first, edits[-1].last)]
    return Correction(
        match=match,
        version=log.version,
        differences=list(_differences(match, log.as_imported)),
        amendments=_amendments(match, log, edits, file),
        told=told,
    )


def _edits(found: Sequence[TableEvent], wanted: Sequence[TableEvent]) -> list[_Edit]:
    """Return the edits in their order. Between two of them something is unchanged."""
    old, new = list(map(encode, found)), list(map(encode, wanted))
    shorter = min(len(old), len(new))
    head = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    tail = next(
        (at for at in range(shorter - head) if old[-1 - at] != new[-1 - at]), shorter - head
    )
    left, right = old[head : len(old) - tail], new[head : len(new) - tail]
    if len(left) * len(right) > _MOST_COMPARED:
        return [_Edit(head, len(old) - tail, head, len(new) - tail)]
    return [
        _Edit(head + start, head + stop, head + first, head + last)
        for kind, start, stop, first, last in SequenceMatcher(
            None, left, right, autojunk=False
        ).get_opcodes()
        if kind != "equal"
    ]


def _differences(match: PastMatch, found: Sequence[TableEvent]) -> Iterator[RowDifference]:
    events, lines = match.events, match.lines
    for edit in _edits(found, events):
        both = min(edit.stop - edit.start, edit.last - edit.first)
        for was, at in zip(found[edit.start :], range(edit.first, edit.first + both), strict=False):
            yield RowDifference(line=lines[at], change="changed", was=was, now=events[at])
        for was in found[edit.start + both : edit.stop]:
            yield RowDifference(line=_behind(lines, edit.first + both), change="removed", was=was)
        for at in range(edit.first + both, edit.last):
            yield RowDifference(line=lines[at], change="added", now=events[at])


def _behind(lines: Sequence[int], at: int) -> int:
    """Return the line after which an event is missing, whose place among the events is `at`."""
    return lines[max(0, at - 1)]


def _amendments(
    match: PastMatch, log: ImportedLog, edits: Sequence[_Edit], file: str
) -> list[LogAmended]:
    """Return the amendments that are needed besides those in force.

    The first one withdraws those in force that are not needed any more.
    """
    in_force = {_what(one): version for version, one in log.in_force.items()}
    kept: set[int] = set()
    new: list[LogAmended] = []
    for edit in edits:
        said = list(_as_amendments(match, log, edit, file))
        if len(said) == 1 and _what(said[0]) in in_force:
            kept.add(in_force[_what(said[0])])
        else:
            new += said
    if log.in_force.keys() <= kept:
        return new
    # Corrections that were withdrawn before are withdrawn again. Otherwise they would be in force
    # again, once the amendment that withdrew them is withdrawn itself.
    withdraws = tuple(version for version in log.corrections if version not in kept)
    if new:
        return [replace(new[0], withdraws=withdraws), *new[1:]]
    return [LogAmended(withdraws=withdraws, reason=f"As it was imported, and as {file} has it.")]


def _as_amendments(
    match: PastMatch, log: ImportedLog, edit: _Edit, file: str
) -> Iterator[LogAmended]:
    """Yield one amendment for an edit, or several if it is too long for one.

    Of several, the first ones only insert, and the last also removes.
    """
    rows = log.rows
    first = rows[edit.start].version
    remove = rows[edit.stop - 1].version - first + 1 if edit.stop > edit.start else 0
    *earlier, last = pieces(match.events[edit.first : edit.last])
    reason = _reason(match, edit, file)
    for piece in earlier:
        yield LogAmended(first=first, insert=piece, reason=reason)
    yield LogAmended(first=first, remove=remove, insert=last, reason=reason)


def _reason(match: PastMatch, edit: _Edit, file: str) -> str:
    if edit.first == edit.last:
        return f"No longer in {file}, behind line {_behind(match.lines, edit.first)}."
    lines = sorted(set(match.lines[edit.first : edit.last]))
    named = f"line {lines[0]}" if len(lines) == 1 else f"lines {lines[0]} to {lines[-1]}"
    return f"As in {file}, {named}."


def _what(amendment: LogAmended) -> tuple[object, ...]:
    """Return what an amendment does, without its reason."""
    return amendment.first, amendment.remove, tuple(map(encode, amendment.insert))
