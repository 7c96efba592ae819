"""Parsing past rounds from a spreadsheet. Each row has a round, and is checked on its own."""

import csv
import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Final, TextIO

from msgspec import Struct

from scorekeeper.editions.registry import latest
from scorekeeper.match.events.events import RoundTallied
from scorekeeper.match.events.opening import FEWEST_PLAYERS
from scorekeeper.rules.scoring import ModeName
from scorekeeper.service.imports.cells import (
    People,
    date,
    half_width,
    hand_count,
    hands,
    mode,
    number,
    pairs,
    slug_named,
    split_names,
    tally,
    told_apart,
    winners,
)
from scorekeeper.service.imports.findings import Finding, Unreadable
from scorekeeper.service.imports.spreadsheet import Records, Undecodable

NEEDED: Final = ("date", "edition", "players")
HANDS: Final = ("points", "cards")
OPTIONAL: Final = ("match", "winners", "substitutes", "mode", "target", "rounds")
NAMES: Final = (*NEEDED, *HANDS, *OPTIONAL)
MOST_ROWS_IN_FILE: Final = 1_000_000

_NAMING: Final = ("players", "winners", "substitutes", "match")
"""Columns with names, in which people spell as they like."""
_WORDS: Final = ("edition", "mode", "points", "cards")
"""Columns with words of the service, in capitals or not."""
_UNTOLD: Final = dict.fromkeys(NAMES, "")
"""The cells of columns that a file, or a row, does not have."""


class RowPlace(Struct, frozen=True):
    """Where a row belongs; None stands for what can't be read.

    `match`: as the row names it, or "" if it names none. `in_doubt`: cells of the row may be in the
    wrong columns, for example because one of them has a delimiter in it. Then players and match may
    be something else.
    """

    day: dt.date | None = None
    edition: str | None = None
    players: frozenset[str] | None = None
    match: str | None = None
    in_doubt: bool = False

    def may_hold(self, row: "ResultRow") -> bool:
        """Return whether a row at this place may belong to the same match as `row`."""
        if self.match:
            return self.match == row.match
        return (
            (self.match is None or row.match is None)
            and self.day in (None, row.at.date())
            and self.edition in (None, row.edition)
            and self.players in (None, frozenset(row.players))
        )


class BadRow(Struct, frozen=True):
    """A row that can't be imported; `line` counts from 1, the heading included.

    `match`: the one that it belongs to, if that is known; else it may be any at its `place`.
    """

    line: int
    finding: Finding
    match: str | None = None
    place: RowPlace = RowPlace()

    @property
    def why(self) -> str:
        """The finding in English, with cells in full."""
        return self.finding.wording("en", whole=True)


class ResultRow(Struct, frozen=True, kw_only=True):
    """A round; rows with the same `match`, or else the same table on the same day, are one match.

    `players`: the columns, clockwise; `substitutes`: who sat in, by column. `target` and `rounds`
    are None where the row leaves them to the edition.
    """

    line: int
    at: dt.datetime
    edition: str
    players: tuple[str, ...]
    substitutes: Mapping[str, str]
    tally: RoundTallied
    match: str | None
    mode: ModeName | None
    target: int | None
    rounds: int | None


def read_rows(
    file: TextIO, people: People | None = None, *, most: int = MOST_ROWS_IN_FILE
) -> Iterator[ResultRow | BadRow]:
    """Yield the rows in their order. A heading that lacks a column, or has an unknown one, is bad.

    `people`: those of the league. `most`: how many rows are read. Rows without a filled cell, such
    as spreadsheets often write, are skipped.
    """
    records = Records(file, NAMES)
    try:
        rows = iter(records)
        heading = [cell.lower() for cell in next(rows, list[str]())]
        if (why := _wrong_heading(heading)) is not None:
            yield BadRow(records.line, why)
            return
        reader = _Reader(heading, people or People())
        for number, cells in enumerate(rows, start=1):
            if number > most:
                yield BadRow(records.line, Finding("rows", {"most": most}))
                return
            yield reader.read(records.line, cells)
    except csv.Error:
        yield BadRow(records.line, Finding("no-csv"))
    except Undecodable as error:
        yield BadRow(
            error.line, Finding("no-text", {"encoding": error.encoding, "flag": "--encoding"})
        )


def _wrong_heading(heading: Sequence[str]) -> Finding | None:
    missing = [name for name in NEEDED if name not in heading]
    if missing:
        return Finding("columns-missing", {"columns": missing})
    if not any(name in heading for name in HANDS):
        return Finding("hands-missing")
    twice = sorted({name for name in heading if heading.count(name) > 1})
    if twice and all(twice):
        return Finding("columns-twice", {"columns": twice})
    if not all(heading):
        return Finding("column-unnamed")
    unknown = [name for name in heading if name not in NAMES]
    if unknown:
        return Finding("columns-unknown", {"columns": unknown})
    return None


class _Reader:
    """Reads rows below one heading. Days, tables and names are cached, since rows repeat them."""

    def __init__(self, heading: Sequence[str], people: People) -> None:
        self._heading = heading
        self._person = people.slug
        self._date = lru_cache(date)
        self._match = lru_cache(self._match_named)
        self._matches: dict[str, str] = {}
        self._table = lru_cache(self._sitting)

    def read(self, line: int, cells: Sequence[str]) -> ResultRow | BadRow:
        by_column = {**_UNTOLD, **dict(map(_as_typed, self._heading, cells))}
        aligned = len(cells) <= len(self._heading)
        try:
            return self._row(line, by_column, aligned=aligned)
        except Unreadable as error:
            return BadRow(line, error.finding, place=self._place(by_column, in_doubt=not aligned))

    def _row(self, line: int, cells: Mapping[str, str], *, aligned: bool) -> ResultRow:
        if not aligned:
            raise Unreadable("cells")
        at = self._date(cells["date"])
        if latest(cells["edition"]) is None:
            raise Unreadable("no-edition", "edition", found=cells["edition"] or None)
        players, substitutes = self._table(cells["players"], cells["substitutes"])
        scored = mode(cells["mode"])
        left = hands(cells["points"], cells["cards"], players, scored)
        won = winners(self._columns(cells["winners"], players, substitutes), left)
        return ResultRow(
            line=line,
            at=at,
            edition=cells["edition"],
            players=players,
            substitutes=substitutes,
            tally=tally(won, left, at),
            match=self._match(cells["match"]) or None,
            mode=scored,
            target=number("target", cells["target"]),
            rounds=number("rounds", cells["rounds"]),
        )

    def _columns(
        self, text: str, players: Sequence[str], substitutes: Mapping[str, str]
    ) -> list[str]:
        """Return the columns of those who are named. A single name may have blanks in it."""
        if not text:
            return []
        columns = {person: column for column, person in substitutes.items()}
        with suppress(Unreadable):  # then they are several names
            whole = columns.get(self._person(text), self._person(text))
            if whole in players:
                return [whole]
        named = [self._person(name) for name in split_names(text)]
        return [columns.get(person, person) for person in named]

    def _sitting(self, players: str, substitutes: str) -> tuple[tuple[str, ...], dict[str, str]]:
        """Return the columns, and who sat in, by column.

        A substitute among the players stands for the column.
        """
        named = split_names(players)
        sitting = [self._person(name) for name in named]
        sat_in: dict[str, str] = {}
        stated = pairs(substitutes)
        for column, person in stated:
            sat_in[self._person(column)] = self._person(person)
        columns = {person: column for column, person in sat_in.items()}
        seated = tuple(columns.get(each, each) for each in sitting)
        for name, player in zip(named, seated, strict=True):
            if seated.count(player) > 1:
                raise Unreadable("seat-twice", "players", name=name)
        for column, person in sat_in.items():
            if column not in seated:
                why = "substitute-for-nobody"
                raise Unreadable(why, "substitutes", name=person, absent=column)
            if person in seated or len(columns) < len(stated):
                raise Unreadable("substitute-seated", "substitutes", name=person)
        return seated, sat_in

    def _match_named(self, text: str) -> str:
        """Return the slug of a match. Raises Unreadable if another one of the file has it."""
        slug = _match(text)
        other = self._matches.setdefault(slug, text)
        if told_apart(text, other):
            raise Unreadable("match-unclear", "match", name=text, other=other, slug=slug)
        return slug

    def _place(self, cells: Mapping[str, str], *, in_doubt: bool) -> RowPlace:
        """Return what the cells say of the match of a row that can't be read."""
        day = players = None
        with suppress(Unreadable):
            day = self._date(cells["date"]).date()
        with suppress(Unreadable):
            players = frozenset(self._table(cells["players"], cells["substitutes"])[0])
        hands_told = hand_count(cells["points"], cells["cards"])
        as_many = players is None or FEWEST_PLAYERS <= len(players) == hands_told
        return RowPlace(
            day,
            cells["edition"] if latest(cells["edition"]) is not None else None,
            players,
            _match(cells["match"]),
            in_doubt=in_doubt or not as_many,
        )


def _as_typed(column: str, cell: str) -> tuple[str, str]:
    """Normalise a cell. Full-width characters are accepted except in names, capitals in words."""
    if column in _NAMING:
        return column, cell
    plain = half_width(cell)
    return column, plain.lower() if column in _WORDS else plain


def _match(text: str) -> str:
    return slug_named("match", text) if text else ""
