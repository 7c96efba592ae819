"""Comparing the matches of a file with those of a league: new, equal, or different."""

from collections.abc import Collection, Iterator, Mapping
from itertools import count

from msgspec import Struct

from scorekeeper.service.imports.corrections import Correction
from scorekeeper.service.imports.imported_log import ImportedLog
from scorekeeper.service.imports.match_comparison import AlreadyThere, compare, left_over
from scorekeeper.service.imports.past_matches import (
    KeptOut,
    PastMatch,
    Planned,
    TablePlayed,
    numbered,
)
from scorekeeper.service.imports.result_rows import BadRow


class Plan(Struct, frozen=True, kw_only=True):
    """What an import would do; `bad` in the order of the file."""

    new: list[PastMatch]
    there: list[AlreadyThere]
    corrections: list[Correction]
    bad: list[BadRow]
    kept_out: list[KeptOut]

    def keep_out(self, match: PastMatch, why: BadRow) -> None:
        """Nothing of the match is imported."""
        lines = tuple(match.own_lines)
        self.kept_out.append(KeptOut(match=match.match, lines=lines, bad=(why,)))


def known_matches(planned: Planned, known: Collection[str]) -> list[str]:
    """Which of the matches of a league, its slugs, the plan has to look into."""
    again = [match.match for match in planned.matches if match.match in known]
    return again + [slug for slug, _ in _left_of(planned, known)]


def plan(
    league: str,
    planned: Planned,
    logs: Mapping[str, ImportedLog],
    *,
    leave_open: bool,
    file: str,
) -> Plan:
    """`logs`: of the matches that the league has, by slug. `file`: its name."""
    found = Plan(new=[], there=[], corrections=[], bad=planned.bad, kept_out=planned.kept_out)
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
    """Matches that tables played in another file, behind those of this one, with their lines."""
    for table in planned.tables:
        for slug in beyond(table):
            if slug not in known:
                break
            yield slug, table.line


def beyond(table: TablePlayed) -> Iterator[str]:
    """The matches that the table would have played behind those of the file."""
    return (numbered(table.name, number) for number in count(table.matches + 1))
