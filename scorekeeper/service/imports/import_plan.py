"""Comparing the matches of a file with those of a league: new, equal, or different."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count
from typing import Final

import msgspec
from msgspec import Struct

from scorekeeper.match.events.events import MatchAbandoned, MatchClosed, TableEvent, encode
from scorekeeper.match.events.opening import Opening
from scorekeeper.service.imports.corrections import Correction, ImportedLog, correction
from scorekeeper.service.imports.findings import Finding
from scorekeeper.service.imports.planned_matches import (
    KeptOut,
    PastMatch,
    Planned,
    TablePlayed,
    numbered,
)
from scorekeeper.service.imports.result_rows import BadRow

# The fields of an opening that a file gives: the reason if one differs, and its column.
_OPENED_WITH: Final = {
    "edition": ("opened-edition", "edition"),
    "players": ("opened-players", "players"),
    "scoring": ("opened-scoring", "mode"),
    "at": ("opened-at", "date"),
}

_TOLD_ELSEWHERE: Final = "Its rounds are told as those of other matches."


class AlreadyThere(Struct, frozen=True):
    """A match that the league has already. Nothing is sent. `note`: what the user should know."""

    match: PastMatch
    note: Finding | None


def compare(
    league: str, match: PastMatch, log: ImportedLog, *, leave_open: bool, file: str
) -> AlreadyThere | Correction | BadRow:
    """Return what is to be done for a match that the league has, or why nothing can be done.

    `leave_open`: a match that is closed in the league but not in the file is no difference. `file`:
    the file's name.
    """
    if log.opening is None:
        return _refused(match, Finding("name-taken", column="match"))
    if log.erased:
        return AlreadyThere(match, Finding("erased"))
    if (other := _other_opening(match.opening, log.opening)) is not None:
        return _refused(match, other)
    wanted = _bodies(match.events)
    imported, read = _bodies(log.as_imported), _bodies(log.as_read)
    left = imported[:-1] if leave_open and _is_closed(log.as_imported) else imported
    if wanted in (imported, read, left):
        return AlreadyThere(
            match, None if read in (imported, wanted) else Finding("amended-to-this")
        )
    if read != imported:
        return _refused(match, Finding("amended-since"))
    return correction(league, match, log, file)


def left_over(match: str, line: int, log: ImportedLog) -> PastMatch | None:
    """Return a match that the rows of its table no longer make, with an event that abandons it.

    None if the match was not imported.
    """
    if log.opening is None:
        return None
    return PastMatch(
        match=match,
        opening=log.opening,
        events=(MatchAbandoned(reason=_TOLD_ELSEWHERE),),
        lines=(line,),
        rounds=0,
    )


def _refused(match: PastMatch, why: Finding) -> BadRow:
    return BadRow(match.lines[0], why, match.match)


def _bodies(events: Sequence[TableEvent]) -> list[bytes]:
    return list(map(encode, events))


def _is_closed(events: Sequence[TableEvent]) -> bool:
    return bool(events) and isinstance(events[-1], MatchClosed)


def _other_opening(wanted: Opening, found: Opening) -> Finding | None:
    """Return how the opening in the ledger differs from that in the file; None if it does not."""
    for name in Opening.__struct_fields__:
        if _as_sent(getattr(wanted, name)) != _as_sent(getattr(found, name)):
            reason, column = _OPENED_WITH.get(name, _OPENED_WITH["scoring"])
            return Finding(reason, column=column)
    return None


def _as_sent(value: object) -> bytes:
    return msgspec.json.encode(value, order="sorted")


class ImportPlan(Struct, frozen=True, kw_only=True):
    """What an import would do; `bad` in the order of the file."""

    new: list[PastMatch]
    there: list[AlreadyThere]
    corrections: list[Correction]
    bad: list[BadRow]
    kept_out: list[KeptOut]

    def keep_out(self, match: PastMatch, why: BadRow) -> None:
        """Note that nothing of the match is imported, because of this row."""
        lines = tuple(match.own_lines)
        self.kept_out.append(KeptOut(match=match.match, lines=lines, bad=(why,)))

    @property
    def otherwise(self) -> list[Correction]:
        """The corrections of matches that were imported with other rows before."""
        return [each for each in self.corrections if each.takes_back]

    def leave_otherwise(self, why: Finding) -> None:
        """Leave the matches that were imported otherwise as they are."""
        for each in self.otherwise:
            self.corrections.remove(each)
            self.keep_out(each.match, BadRow(each.differences[0].line, why, each.match.match))


def known_matches(planned: Planned, known: Collection[str]) -> list[str]:
    """Return the matches of a league that the plan has to look into.

    `known`: the slugs of matches that the league has.
    """
    again = [match.match for match in planned.matches if match.match in known]
    return again + [slug for slug, _ in _left_of(planned, known)]


def plan(
    league: str,
    planned: Planned,
    logs: Mapping[str, ImportedLog],
    *,
    leave_open: bool,
    file: str,
) -> ImportPlan:
    """Return what an import would do.

    `logs`: the matches that the league has, by slug. `leave_open`: as in `compare`. `file`: the
    file's name.
    """
    found = ImportPlan(new=[], there=[], corrections=[], bad=planned.bad, kept_out=planned.kept_out)
    found.new.extend(match for match in planned.matches if match.match not in logs)
    again = [match for match in planned.matches if match.match in logs]
    again += [
        left
        for slug, line in _left_of(planned, logs)
        if (left := left_over(slug, line, logs[slug])) is not None
    ]
    for each in again:
        result = compare(league, each, logs[each.match], leave_open=leave_open, file=file)
        match result:
            case AlreadyThere():
                found.there.append(result)
            case Correction():
                found.corrections.append(result)
            case BadRow():
                found.bad.append(result)
                found.keep_out(each, result)
    found.bad.sort(key=lambda row: row.line)
    return found


def _left_of(planned: Planned, known: Collection[str]) -> Iterator[tuple[str, int]]:
    """Yield matches that earlier imports made of a table and this file does not, with lines."""
    for table in planned.tables:
        for slug in beyond(table):
            if slug not in known:
                break
            yield slug, table.line


def beyond(table: TablePlayed) -> Iterator[str]:
    """Yield, without end, the slugs that further matches of the table would have."""
    return (numbered(table.name, number) for number in count(table.matches + 1))
