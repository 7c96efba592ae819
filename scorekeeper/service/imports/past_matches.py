"""Building matches from rows of past rounds, and splitting them into requests.

A request has as much as the service accepts.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from hashlib import sha256
from typing import Final, TypeAlias, TypeVar
from uuid import UUID, uuid5

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.events.events import MatchClosed, PlayerSubstituted, TableEvent, ToldEvent
from scorekeeper.match.events.fields import MOST_EVENTS
from scorekeeper.match.events.opening import Opening
from scorekeeper.service.imports.checked_rows import CheckedMatch, check_rows, opening_of, seated
from scorekeeper.service.imports.result_rows import BadRow, ResultRow, RowPlace

_IDS: Final = UUID("5c0aebee-9ef5-4c1f-8d3e-0a2b5f4c9d10")
"""The namespace (RFC 9562) of the ids of imported events: the same row gets the same id."""
_DIGITS: Final = 12

Judging: TypeAlias = Callable[[Sequence[Sequence[ResultRow]]], list[list[CheckedMatch]]]
"""Does what `check_rows` does; the command spreads it over several processes."""
E = TypeVar("E", bound=ToldEvent)
_MOST_BYTES: Final = 900_000
"""Of all that stands in a request, with some room below the mebibyte that a body may have."""


class PastMatch(Struct, frozen=True, kw_only=True):
    """A match of the past, which comes from as many rows as it has `rounds`.

    `lines`: of each event the line that it comes from, or that it follows.
    """

    match: str
    opening: Opening
    events: tuple[TableEvent, ...]
    lines: tuple[int, ...]
    rounds: int

    @property
    def own_lines(self) -> list[int]:
        """Those of its rows."""
        return sorted(set(self.lines))

    @property
    def people(self) -> Iterator[str]:
        """The players, and who sits in for them."""
        yield from self.opening.players
        yield from (
            event.substitute for event in self.events if isinstance(event, PlayerSubstituted)
        )

    def with_ids(self, league: str) -> "PastMatch":
        """Each event with an id that follows from the league and the match."""
        events = (
            replace(event, id=id_of(league, self.match, number))
            for number, event in enumerate(self.events)
        )
        return replace(self, events=tuple(events))


class KeptOut(Struct, frozen=True, kw_only=True):
    """A match of which nothing is imported, since `bad` rows belong to it, or may do so."""

    match: str
    lines: tuple[int, ...]
    bad: tuple[BadRow, ...]


class TablePlayed(Struct, frozen=True):
    """A table without a name, how many matches its rows make, and the line of its last row."""

    name: str
    matches: int
    line: int


class Planned(Struct, frozen=True, kw_only=True):
    """What the rows of a file come to: matches in the order of their first rows.

    `bad`: in the order of the file. `tables`: those without a name of which all matches are known.
    """

    matches: list[PastMatch]
    bad: list[BadRow]
    kept_out: list[KeptOut]
    tables: list[TablePlayed]


def id_of(league: str, match: str, number: int) -> str:
    """Of the event with this number, from 0, that is imported into a match."""
    return named_id(league, match, str(number))


def named_id(league: str, match: str, name: str) -> str:
    """An id that follows from what it names."""
    return str(uuid5(_IDS, f"{league}/{match}/{name}"))


def past_matches(
    rows: Iterable[ResultRow | BadRow], *, leave_open: bool, judge: Judging = check_rows
) -> Planned:
    """The matches that can be imported, and those that can't: with a bad row none is.

    A match that the rows do not bring to its end is closed, unless it is left open. Where a table
    without a name plays on after a match is won, the next one begins.
    """
    tables: dict[str, list[ResultRow]] = {}
    unread: list[BadRow] = []
    for row in rows:
        if isinstance(row, BadRow):
            unread.append(row)
        else:
            tables.setdefault(row.match or _table(row), []).append(row)
    doubtful = _Unread(unread, tables)
    planned = Planned(matches=[], bad=doubtful.rows, kept_out=[], tables=[])
    for (name, own), found in zip(tables.items(), judge(list(tables.values())), strict=True):
        spoilt = False
        for slug, taken, match, bad in _one_by_one(name, own, found, doubtful.of(name, own)):
            planned.bad.extend(replace(row, match=slug) for row in match.bad)
            if bad:
                own_bad = [row for row in bad if row.match == slug]
                lines = tuple(sorted({*_lines(taken), *_lines(own_bad)}))
                planned.kept_out.append(KeptOut(match=slug, lines=lines, bad=bad))
                spoilt = True
            else:
                closed = match.open and not leave_open
                planned.matches.append(_past(slug, taken, closed=closed))
        if own[0].match is None and not spoilt:
            planned.tables.append(TablePlayed(name, len(found), own[-1].line))
    for slug, unsaid in doubtful.of_others(tables):
        lines = tuple(row.line for row in unsaid)
        planned.kept_out.append(KeptOut(match=slug, lines=lines, bad=tuple(unsaid)))
    planned.bad.sort(key=lambda row: row.line)
    return planned


class _Unread:
    """Rows that can't be read, by the matches that they may belong to."""

    def __init__(self, rows: Iterable[BadRow], tables: Mapping[str, Sequence[ResultRow]]) -> None:
        """`tables`: of the rows that can be read, by name."""
        self.rows: list[BadRow] = []
        self._sure: dict[str, list[BadRow]] = defaultdict(list)
        self._unsure: dict[RowPlace, list[BadRow]] = defaultdict(list)
        played = {frozenset(own[0].players) for own in tables.values()}
        for row in rows:
            place = _without_doubt(row.place, tables, played)
            match = _match_of(place)
            placed = replace(row, match=match, place=place)
            self.rows.append(placed)
            (self._unsure[place] if match is None else self._sure[match]).append(placed)

    def of_others(self, tables: Collection[str]) -> Iterator[tuple[str, list[BadRow]]]:
        """The matches of which no row at all can be read, none of them of these tables."""
        yield from ((match, rows) for match, rows in self._sure.items() if match not in tables)

    def of(self, name: str, rows: Sequence[ResultRow]) -> list[BadRow]:
        """Those that may belong to a table, of whose rows these can be read."""
        found = list(self._sure.get(name, ()))
        for place, unsure in self._unsure.items():
            # All rows of a table without a name agree in what a place says.
            if any(place.may_hold(row) for row in (rows if rows[0].match else rows[:1])):
                found += unsure
        return found


def _one_by_one(
    name: str, rows: Sequence[ResultRow], matches: Sequence[CheckedMatch], unread: Sequence[BadRow]
) -> Iterator[tuple[str, Sequence[ResultRow], CheckedMatch, tuple[BadRow, ...]]]:
    """Each match of a table: its slug, its rows, what the rules say of them, why it is kept out.

    A bad row leaves alone what was won before it. Behind it nobody knows where a match ends.
    """
    bad: dict[int, BadRow] = {}
    for number, match in enumerate(matches, start=1):
        taken, rows = rows[: match.rows], rows[match.rows :]
        slug = numbered(name, number)
        sure = match.open or taken[0].match is not None
        bad |= {row.line: row for row in unread if sure or row.line < taken[-1].line}
        bad |= {row.line: replace(row, match=slug) for row in match.bad}
        yield slug, taken, match, tuple(bad.values())


def _lines(rows: Iterable[ResultRow | BadRow]) -> Iterator[int]:
    return (row.line for row in rows)


def numbered(table: str, number: int) -> str:
    """The slug of the match of a table with this number, from 1."""
    return table if number == 1 else f"{table}-{number}"


def _without_doubt(
    place: RowPlace, tables: Collection[str], played: Collection[frozenset[str]]
) -> RowPlace:
    """Players and match that are in doubt are taken for what they say where others say the same."""
    if not place.in_doubt:
        return place
    players = place.players if place.players in played else None
    known = place.match in tables if place.match else players is not None
    return RowPlace(place.day, place.edition, players, place.match if known else None)


def _match_of(place: RowPlace) -> str | None:
    if place.match != "":
        return place.match
    if place.day is None or place.edition is None or place.players is None:
        return None
    return _named_after(place.day, place.edition, place.players)


def _table(row: ResultRow) -> str:
    return _named_after(row.at.date(), row.edition, row.players)


def _named_after(day: date, edition: str, players: Iterable[str]) -> str:
    """A name for the table of that day."""
    named = "\0".join((day.isoformat(), edition, *sorted(players)))
    return f"past-{day.isoformat()}-{sha256(named.encode()).hexdigest()[:_DIGITS]}"


def _past(slug: str, rows: Sequence[ResultRow], *, closed: bool) -> PastMatch:
    """The match as it is to be sent."""
    told = list(_told(rows))
    if closed:
        told.append((rows[-1].line, MatchClosed(at=rows[-1].at)))
    return PastMatch(
        match=slug,
        opening=opening_of(rows[0]),
        events=tuple(event for _, event in told),
        lines=tuple(line for line, _ in told),
        rounds=len(rows),
    )


def _told(rows: Iterable[ResultRow]) -> Iterator[tuple[int, TableEvent]]:
    """What is told of each row, with its line: who sits down before its round, and the round."""
    sitting: Mapping[str, str] = {}
    for row in rows:
        for event in seated(sitting, row):
            yield row.line, event
        sitting = row.substitutes
        yield row.line, row.tally


class PastRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Matches that are brought in by one request.

    `body`: of the request, encoded. `rests`: events of the last match that did not go into it, as
    many at a time as a request takes.
    """

    matches: list[PastMatch]
    body: msgspec.Raw
    rests: list[tuple[ToldEvent, ...]]


def requests(league: str, matches: Iterable[PastMatch]) -> Iterator[PastRequest]:
    """The matches in their order, as few requests as can be."""
    for part in parts(match.with_ids(league) for match in matches):
        told: list[dict[str, object]] = []
        rests: list[tuple[ToldEvent, ...]] = []
        for match in part:
            opening = {"match": match.match, **msgspec.to_builtins(match.opening)}
            first, *others = pieces(match.events)
            told.append({**opening, "events": first})
            rests += others
        body = msgspec.Raw(msgspec.json.encode({"matches": told}))
        yield PastRequest(matches=part, body=body, rests=rests)


def parts(matches: Iterable[PastMatch]) -> Iterator[list[PastMatch]]:
    """The matches in their order, as many at a time as one request takes.

    Of one that is too long it takes the first piece; that match is the last of its part.
    """
    part: list[PastMatch] = []
    events = size = 0
    for match in matches:
        first = next(pieces(match.events))
        own = _size(match.opening) + _size(first)
        if part and (events + len(first) > MOST_EVENTS or size + own > _MOST_BYTES):
            yield part
            part, events, size = [], 0, 0
        part.append(match)
        events += len(first)
        size += own
        if len(first) < len(match.events):
            yield part
            part, events, size = [], 0, 0
    if part:
        yield part


def pieces(events: Sequence[E]) -> Iterator[tuple[E, ...]]:
    """The events in their order, as many at a time as one request takes."""
    if len(events) <= MOST_EVENTS and _size(events) <= _MOST_BYTES:
        yield tuple(events)
        return
    piece: list[E] = []
    size = 0
    for event in events:
        own = _size(event)
        if len(piece) == MOST_EVENTS or size + own > _MOST_BYTES:
            yield tuple(piece)
            piece, size = [], 0
        piece.append(event)
        size += own
    yield tuple(piece)


def _size(told: object) -> int:
    """Bytes on the wire, and a few for what stands around it."""
    return len(msgspec.json.encode(told)) + 100
