"""Rows of past rounds as matches, checked by the rules before any of them is sent."""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final
from uuid import UUID, uuid5

from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.cli.judged_rows import Judged, judged, opening_of
from scorekeeper.cli.result_rows import BadRow, ResultRow
from scorekeeper.cli.shared_out import processors, shared_out
from scorekeeper.match.events import MatchClosed, TableEvent
from scorekeeper.match.opening import Opening

_IDS: Final = UUID("5c0aebee-9ef5-4c1f-8d3e-0a2b5f4c9d10")
"""The name space of the ids that imported events get: the same row, the same id."""
_DIGITS: Final = 12
_SHARE: Final = 1_000
"""Rows for a process; with fewer it takes longer to begin than they do."""


class PastMatch(Struct, frozen=True, kw_only=True):
    """A match of the past, which comes from as many rows as it has `rounds`."""

    match: str
    opening: Opening
    events: tuple[TableEvent, ...]
    rounds: int

    def with_ids(self, league: str) -> "PastMatch":
        """Each event with an id that follows from the league and the match."""
        named = f"{league}/{self.match}"
        events = (
            replace(event, id=str(uuid5(_IDS, f"{named}/{number}")))
            for number, event in enumerate(self.events)
        )
        return replace(self, events=tuple(events))


def past_matches(
    rows: Iterable[ResultRow], *, leave_open: bool
) -> tuple[list[PastMatch], list[BadRow]]:
    """The matches in the order of their first rows, and the rows that the rules refuse.

    A match that the rows do not bring to its end is closed, unless it is left open. Where a table
    without a name plays on after a match is won, the next one begins.
    """
    tables: dict[str, list[ResultRow]] = {}
    for row in rows:
        tables.setdefault(row.match or _slug(row), []).append(row)
    found: list[PastMatch] = []
    bad: list[BadRow] = []
    for (name, own), matches in zip(tables.items(), _judged(list(tables.values())), strict=True):
        left = own
        for number, match in enumerate(matches, start=1):
            taken, left = left[: match.rows], left[match.rows :]
            bad += match.bad
            if len(match.bad) < match.rows:
                slug = name if number == 1 else f"{name}-{number}"
                found.append(_past(slug, taken, match, leave_open=leave_open))
    return found, bad


def _slug(row: ResultRow) -> str:
    """A name for the table of that day."""
    day = row.at.date().isoformat()
    named = "\0".join((day, row.edition, *sorted(row.players)))
    return f"past-{day}-{sha256(named.encode()).hexdigest()[:_DIGITS]}"


def _judged(tables: Sequence[Sequence[ResultRow]]) -> list[list[Judged]]:
    shares = min(processors(), sum(map(len, tables)) // _SHARE)
    return shared_out(judged, tables, max(1, shares))


def _past(slug: str, rows: Sequence[ResultRow], match: Judged, *, leave_open: bool) -> PastMatch:
    """The match as it is to be sent, without its bad rows."""
    refused = {row.line for row in match.bad}
    good = [row for row in rows if row.line not in refused]
    closed = match.open and not leave_open
    return PastMatch(
        match=slug,
        opening=opening_of(rows[0]),
        events=(
            *(row.tally for row in good),
            *([MatchClosed(at=good[-1].at)] if closed else ()),
        ),
        rounds=len(good),
    )
