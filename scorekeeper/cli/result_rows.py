"""Rounds of the past as a spreadsheet has them: one row a round, read and checked by itself."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final, TextIO

import msgspec
from msgspec import Struct

from scorekeeper.editions.registry import latest
from scorekeeper.match.events import RoundTallied
from scorekeeper.match.fields import Slug
from scorekeeper.rules.scoring import ModeName

NEEDED: Final = ("date", "edition", "players")
HANDS: Final = ("points", "cards")
OPTIONAL: Final = ("match", "winners", "mode", "target", "rounds")
MOST_ROWS: Final = 1_000_000

_UNTOLD: Final = dict.fromkeys((*NEEDED, *HANDS, *OPTIONAL), "")
"""What is in the columns that a file, or a row, does not have."""

_NOTHING_LEFT: Final = "-"
_BETWEEN_HANDS: Final = "/"


class BadRow(Struct, frozen=True):
    """A row that can't be imported; `line` counts from 1, the heading included."""

    line: int
    why: str


class ResultRow(Struct, frozen=True, kw_only=True):
    """A round; rows with the same `match`, or else the same table on the same day, are one match.

    `target` and `rounds` are None where the row leaves them to the edition.
    """

    line: int
    at: datetime
    edition: str
    players: tuple[str, ...]
    tally: RoundTallied
    match: str | None
    mode: ModeName | None
    target: int | None
    rounds: int | None


class _Unreadable(Exception):
    """What is wrong with a row, in words for who wrote it."""


def read_rows(file: TextIO) -> Iterator[ResultRow | BadRow]:
    """The rows in their order. A heading that lacks a column, or has an unknown one, is row 1.

    Rows without a single filled cell, as spreadsheets leave them behind, are passed over.
    """
    reader = csv.reader(file)
    try:
        heading = [name.strip() for name in next(reader, list[str]())]
        if (why := _wrong_heading(heading)) is not None:
            yield BadRow(1, why)
            return
        for number, written in enumerate((row for row in reader if row), start=1):
            line = reader.line_num
            if number > MOST_ROWS:
                yield BadRow(line, f"a file has at most {MOST_ROWS} rows")
                return
            cells = [cell.strip() for cell in written]
            try:
                if any(cells):
                    yield _row(line, heading, cells)
            except _Unreadable as error:
                yield BadRow(line, str(error))
    except csv.Error as error:
        yield BadRow(reader.line_num, f"this is no CSV: {error}")
    except UnicodeDecodeError:
        yield BadRow(reader.line_num + 1, "from here on this is no UTF-8; save it as CSV in UTF-8")


def _wrong_heading(heading: Sequence[str]) -> str | None:
    missing = [name for name in NEEDED if name not in heading]
    if missing:
        return f"the heading lacks {', '.join(missing)}"
    if not any(name in heading for name in HANDS):
        return "the heading has neither points nor cards"
    unknown = [name for name in heading if name not in {*NEEDED, *HANDS, *OPTIONAL}]
    if unknown:
        return f"the heading has unknown columns: {', '.join(unknown)}"
    return None


def _row(line: int, heading: Sequence[str], cells: Sequence[str]) -> ResultRow:
    if len(cells) > len(heading):
        raise _Unreadable("there are more cells than columns")
    told = {**_UNTOLD, **dict(zip(heading, cells, strict=False))}
    at = _date(told["date"])
    if latest(told["edition"]) is None:
        raise _Unreadable(f"there is no edition {told['edition'] or 'without a name'}")
    players = _players(told["players"])
    hands = _hands(told, players)
    return ResultRow(
        line=line,
        at=at,
        edition=told["edition"],
        players=players,
        tally=_tally(_winners(told["winners"], hands), hands, at),
        match=_slug(told["match"]) if told["match"] else None,
        mode=_mode(told["mode"]),
        target=_number("target", told["target"]),
        rounds=_number("rounds", told["rounds"]),
    )


# Days, tables and names come again from row to row.
@lru_cache
def _date(text: str) -> datetime:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise _Unreadable(f"{text or 'nothing'} is no date like 2024-11-20") from None
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


@lru_cache
def _players(text: str) -> tuple[str, ...]:
    players = tuple(_slug(name) for name in text.split())
    if len(set(players)) < len(players):
        raise _Unreadable("somebody sits at the table twice")
    return players


@lru_cache(maxsize=1_024)
def _slug(text: str) -> str:
    try:
        return msgspec.convert(text, Slug)
    except msgspec.ValidationError:
        raise _Unreadable(f"{text} is no slug: lower-case letters, digits, hyphens") from None


def _mode(text: str) -> ModeName | None:
    try:
        return msgspec.convert(text, ModeName) if text else None
    except msgspec.ValidationError:
        raise _Unreadable(f"there is no scoring mode {text}") from None


def _number(name: str, text: str) -> int | None:
    if not text:
        return None
    if not text.isdecimal() or not text.isascii() or len(text) > len("1000000"):
        raise _Unreadable(f"{name} is no number: {text}")
    return int(text)


Hand = int | tuple[str, ...] | None
"""Points, cards, or nothing left."""


def _hands(told: Mapping[str, str], players: Sequence[str]) -> dict[str, Hand]:
    points, cards = told["points"], told["cards"]
    if bool(points) == bool(cards):
        raise _Unreadable("a row has either points or cards")
    found: list[Hand]
    if points:
        found = [None if one == _NOTHING_LEFT else _number("points", one) for one in points.split()]
    else:
        found = [tuple(hand.split()) or None for hand in cards.split(_BETWEEN_HANDS)]
        found = [None if hand == (_NOTHING_LEFT,) else hand for hand in found]
    if len(found) != len(players):
        raise _Unreadable(f"there are {len(players)} players and {len(found)} hands")
    return dict(zip(players, found, strict=True))


def _winners(told: str, hands: Mapping[str, Hand]) -> tuple[str, ...]:
    if told:
        winners = tuple(_slug(name) for name in told.split())
    else:
        winners = tuple(player for player, hand in hands.items() if hand is None)
        nothing = tuple(player for player, hand in hands.items() if hand == 0)
        winners = winners or nothing[: 1 if len(nothing) == 1 else 0]
    if not winners:
        raise _Unreadable(f"nobody won: give the winner {_NOTHING_LEFT} for points, or say winners")
    strangers = [player for player in winners if player not in hands]
    if strangers:
        raise _Unreadable(f"won without playing: {', '.join(strangers)}")
    return winners


def _tally(winners: tuple[str, ...], hands: Mapping[str, Hand], at: datetime) -> RoundTallied:
    left: dict[str, object] = {}
    for player, hand in hands.items():
        if player in winners:
            continue
        if hand is None:
            raise _Unreadable(f"{player} has nothing left and is none of the winners")
        left[player] = {"points": hand} if isinstance(hand, int) else {"cards": list(hand)}
    body = {"winners": list(winners), "hands": left, "at": at, "type": "round_tallied"}
    try:
        return msgspec.convert(body, RoundTallied)
    except msgspec.ValidationError as error:
        raise _Unreadable(str(error)) from None
