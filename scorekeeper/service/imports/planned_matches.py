"""Building matches from rows of past rounds, and splitting them into requests.

A request has as much as the service accepts.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from hashlib import sha256
from typing import Final, NamedTuple, TypeAlias, TypeVar
from uuid import UUID, uuid5

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from scorekeeper.match.events.events import MatchClosed, PlayerSubstituted, TableEvent, ToldEvent
from scorekeeper.match.events.fields import MOST_EVENTS
from scorekeeper.match.events.opening import Opening
from scorekeeper.service.imports.cells import People
from scorekeeper.service.imports.checked_rows import CheckedMatch, check_rows, opening_of, seated
from scorekeeper.service.imports.result_rows import BadRow, ResultRow, RowPlace

_IDS: Final = UUID("5c0aebee-9ef5-4c1f-8d3e-0a2b5f4c9d10")
"""The namespace (RFC 9562) of the ids of imported events: the same row gets the same id."""
_DIGITS: Final = 12

Judging: TypeAlias = Callable[[Sequence[Sequence[ResultRow]]], list[list[CheckedMatch]]]
"""Does what `check_rows` does; the command spreads it over several processes."""
E = TypeVar("E", bound=ToldEvent)
_MOST_BYTES: Final = 900_000
"""The most bytes in a request, with a margin below the mebibyte that a body may have."""


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
        """The lines of the match's rows, sorted."""
        return sorted(set(self.lines))

    @property
    def people(self) -> Iterator[str]:
        """The players, and who sits in for them."""
        yield from self.opening.players
        yield from (
            event.substitute for event in self.events if isinstance(event, PlayerSubstituted)
        )

    def line_of(self, number: int) -> int:
        """Return the line of the event with this number, from 0; the last line if there is none."""
        return self.lines[min(number, len(self.lines) - 1)]

    def with_ids(self, league: str) -> "PastMatch":
        """Return the match with event ids that follow from the league, the match and the order."""
        events = (
            replace(event, id=id_of(league, self.match, number))
            for number, event in enumerate(self.events)
        )
        return replace(self, events=tuple(events))


class Newcomer(NamedTuple):
    """Somebody who is not in the league yet, and the first match that is imported with them."""

    match: PastMatch
    player: str
    name: str


def newcomers(people: People, matches: Iterable[PastMatch]) -> Iterator[Newcomer]:
    """Yield everybody in the matches who is not in the league yet, in the order of the matches."""
    met = set(people.slugs)
    for match in matches:
        for player in match.people:
            if player not in met:
                met.add(player)
                yield Newcomer(match, player, people.new.get(player, player))


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
    """What the rows of a file make: matches in the order of their first rows.

    `bad`: in the order of the file. `tables`: tables without a match name, if all their matches are
    known.
    """

    matches: list[PastMatch]
    bad: list[BadRow]
    kept_out: list[KeptOut]
    tables: list[TablePlayed]


def id_of(league: str, match: str, number: int) -> str:
    """Return the id of an event that is imported into a match, by its number from 0."""
    return named_id(league, match, str(number))


def named_id(league: str, match: str, name: str) -> str:
    """Return an id that is the same for the same arguments."""
    return str(uuid5(_IDS, f"{league}/{match}/{name}"))


def past_matches(
    rows: Iterable[ResultRow | BadRow], *, leave_open: bool, judge: Judging = check_rows
) -> Planned:
    """Return the matches that can be imported, and those that can't since they have a bad row.

    A match that is not over after its rows is closed, unless `leave_open`. If a table without a
    match name plays on after a match was won, the next match begins.
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
        for match in _one_by_one(name, own, found, doubtful.of(name, own)):
            planned.bad.extend(replace(row, match=match.slug) for row in match.checked.bad)
            if match.bad:
                planned.kept_out.append(match.kept_out)
                spoilt = True
            else:
                closed = match.checked.open and not leave_open
                planned.matches.append(_past(match.slug, match.rows, closed=closed))
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
        """`tables`: the rows that can be read, by the name of their table."""
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
        """Yield the matches besides `tables`, none of whose rows can be read, and their rows."""
        yield from ((match, rows) for match, rows in self._sure.items() if match not in tables)

    def of(self, name: str, rows: Sequence[ResultRow]) -> list[BadRow]:
        """Return the unreadable rows that may belong to a table. `rows`: its readable rows."""
        found = list(self._sure.get(name, ()))
        for place, unsure in self._unsure.items():
            # All rows of a table without a name agree in what a place says.
            if any(place.may_hold(row) for row in (rows if rows[0].match else rows[:1])):
                found += unsure
        return found


class _TableMatch(NamedTuple):
    """One match of a table, and what the rules say of its rows.

    `bad`: the rows that keep it out, in the order of the file. They may be those of an earlier one.
    """

    slug: str
    rows: Sequence[ResultRow]
    checked: CheckedMatch
    bad: tuple[BadRow, ...]

    @property
    def kept_out(self) -> KeptOut:
        own_bad = (row.line for row in self.bad if row.match == self.slug)
        lines = {*own_bad, *(row.line for row in self.rows)}
        return KeptOut(match=self.slug, lines=tuple(sorted(lines)), bad=self.bad)


def _one_by_one(
    name: str, rows: Sequence[ResultRow], matches: Sequence[CheckedMatch], unread: Sequence[BadRow]
) -> Iterator[_TableMatch]:
    """Yield the matches that the rows of a table make.

    A bad row does not affect matches that were won before it. After it, nobody knows where a match
    ends.
    """
    bad: dict[int, BadRow] = {}
    for number, match in enumerate(matches, start=1):
        taken, rows = rows[: match.rows], rows[match.rows :]
        slug = numbered(name, number)
        sure = match.open or taken[0].match is not None
        bad |= {row.line: row for row in unread if sure or row.line < taken[-1].line}
        bad |= {row.line: replace(row, match=slug) for row in match.bad}
        yield _TableMatch(slug, taken, match, tuple(bad[line] for line in sorted(bad)))


def numbered(table: str, number: int) -> str:
    """Return the slug of the table's match with this number, from 1."""
    return table if number == 1 else f"{table}-{number}"


def _without_doubt(
    place: RowPlace, tables: Collection[str], played: Collection[frozenset[str]]
) -> RowPlace:
    """Return the place, with doubtful players and match only if readable rows have the same."""
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
    """Return a name for the table of these players on that day."""
    named = "\0".join((day.isoformat(), edition, *sorted(players)))
    return f"past-{day.isoformat()}-{sha256(named.encode()).hexdigest()[:_DIGITS]}"


def _past(slug: str, rows: Sequence[ResultRow], *, closed: bool) -> PastMatch:
    """Make the match of these rows."""
    events = list(_table_events(rows))
    if closed:
        events.append((rows[-1].line, MatchClosed(at=rows[-1].at)))
    return PastMatch(
        match=slug,
        opening=opening_of(rows[0]),
        events=tuple(event for _, event in events),
        lines=tuple(line for line, _ in events),
        rounds=len(rows),
    )


def _table_events(rows: Iterable[ResultRow]) -> Iterator[tuple[int, TableEvent]]:
    """Yield the events of each row with its line: substitutions before its round, and the round."""
    sitting: Mapping[str, str] = {}
    for row in rows:
        for event in seated(sitting, row):
            yield row.line, event
        sitting = row.substitutes
        yield row.line, row.tally


class PastRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Matches that are imported by one request.

    `body`: the encoded body of the request. `rests`: events of the last match that did not fit into
    it, in pieces that each fit into a request, with the number in the match of each piece's first.
    """

    matches: list[PastMatch]
    body: msgspec.Raw
    rests: list[tuple[int, tuple[ToldEvent, ...]]]


def requests(league: str, matches: Iterable[PastMatch]) -> Iterator[PastRequest]:
    """Yield requests that import the matches in their order, as few as possible."""
    for part in parts(match.with_ids(league) for match in matches):
        told: list[dict[str, object]] = []
        rests: list[tuple[int, tuple[ToldEvent, ...]]] = []
        for match in part:
            opening = {"match": match.match, **msgspec.to_builtins(match.opening)}
            (_, first), *others = numbered_pieces(match.events)
            told.append({**opening, "events": first})
            rests += others
        body = msgspec.Raw(msgspec.json.encode({"matches": told}))
        yield PastRequest(matches=part, body=body, rests=rests)


def parts(matches: Iterable[PastMatch]) -> Iterator[list[PastMatch]]:
    """Yield the matches in their order, as many at a time as fit into one request.

    Only the first piece of a match that is too long goes into a request. That match is the last of
    its part.
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
    """Yield the events in their order, as many at a time as fit into one request."""
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


def numbered_pieces(events: Sequence[E]) -> Iterator[tuple[int, tuple[E, ...]]]:
    """Yield what `pieces` does, with the number, from 0, of each piece's first event."""
    number = 0
    for piece in pieces(events):
        yield number, piece
        number += len(piece)


def _size(value: object) -> int:
    """Return the size in a request in bytes, with a margin for the JSON around it."""
    return len(msgspec.json.encode(value)) + 100
