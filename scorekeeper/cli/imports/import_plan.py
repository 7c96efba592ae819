"""Comparing the matches of a file with those of a league: new, equal, or different."""

from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Final

import msgspec
from msgspec import Struct

from scorekeeper.cli.imports.corrections import Correction
from scorekeeper.cli.imports.imported_log import ImportedLog, imported_log, read_log
from scorekeeper.cli.imports.match_comparison import AlreadyThere, compare, left_over
from scorekeeper.cli.imports.past_matches import (
    KeptOut,
    PastMatch,
    Planned,
    TablePlayed,
    numbered,
)
from scorekeeper.cli.imports.people import People
from scorekeeper.cli.imports.result_rows import BadRow
from scorekeeper.cli.remote import Remote

_AT_ONCE: Final = 8
"""Matches whose entries are read at the same time."""
_PAGE: Final = 1_000


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


class _Listed(Struct):
    """What is read of a page of a list."""

    items: list[dict[str, object]]
    next: str | None


def people_of(service: Remote, league: str) -> People:
    """Slugs and names of the players of the league."""
    return People(
        (str(each["player"]), None if each["name"] is None else str(each["name"]))
        for each in _listed(service, f"/v1/leagues/{league}/players")
    )


def plan(service: Remote, league: str, planned: Planned, *, leave_open: bool, file: str) -> Plan:
    """Matches that are there already are compared; `file`: its name."""
    listed = _listed(service, f"/v1/leagues/{league}/matches")
    known = {str(each["match"]) for each in listed}
    found = Plan(new=[], there=[], corrections=[], bad=planned.bad, kept_out=planned.kept_out)
    found.new.extend(match for match in planned.matches if match.match not in known)
    again = [match for match in planned.matches if match.match in known]
    more = [(slug, table.line) for table in planned.tables for slug in _beyond(table, known)]
    logs = _logs(service, league, [match.match for match in again] + [slug for slug, _ in more])
    again += [
        left for slug, line in more if (left := left_over(slug, line, logs[slug])) is not None
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


def _beyond(table: TablePlayed, known: Collection[str]) -> Iterator[str]:
    """The matches that the table played in another file, behind those of this one."""
    for number in count(table.matches + 1):
        slug = numbered(table.name, number)
        if slug not in known:
            return
        yield slug


def _logs(service: Remote, league: str, matches: Sequence[str]) -> dict[str, ImportedLog]:
    def read(match: str) -> ImportedLog:
        return imported_log(league, match, read_log(service, league, match))

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return dict(zip(matches, pool.map(read, matches), strict=True))


def _listed(service: Remote, path: str) -> Iterator[dict[str, object]]:
    query = f"?limit={_PAGE}"
    while query:
        _, body = service.ask("GET", path + query)
        page = msgspec.json.decode(body, type=_Listed)
        yield from page.items
        query = f"?limit={_PAGE}&cursor={page.next}" if page.next else ""
