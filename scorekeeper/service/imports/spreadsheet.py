"""Reading a spreadsheet saved as text: its lines, its cells, and the names in them.

This module finds the encoding, the delimiter and the lines of the rows. Each cell of a row of past
rounds is parsed on its own. Names are matched with the players of a league, and new players get
slugs. A finding is what is to be said of a row or a match, in any language.
"""

import codecs
import csv
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal, TextIO
from unicodedata import normalize

import msgspec
from msgspec import Struct

from scorekeeper.match.events.events import RoundTallied
from scorekeeper.match.events.fields import Slug
from scorekeeper.match.events.opening import FEWEST_PLAYERS
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.rules.scoring import ModeName
from scorekeeper.service.slugs import in_slug
from scorekeeper.service.views import MOST_IN_NAME
from scorekeeper.texts.language import Language
from scorekeeper.texts.message import import_message, message

DELIMITERS: Final = (",", ";", "\t", "，")
"""What spreadsheets write between cells, depending on country and format, or what people type."""
OTHER_ENCODINGS: Final = {"big5": "cp950", "windows-1252": "cp1252"}
"""Encodings that spreadsheets on Windows write unless asked for UTF-8, with Python's names."""
_MARKED: Final = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_ENCODING_NAMES: Final = {"utf-8-sig": "UTF-8", "cp950": "Big5", "cp1252": "Windows-1252"}
_BETWEEN: Final = re.compile(r"[,;/\n，；／、]+")
_BETWEEN_POINTS: Final = re.compile(r"[\s,;/、]+")
_BETWEEN_CARDS: Final = re.compile(r"[\s,;、]+")
_DASHES: Final = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))
_DIGITS: Final = 10
_MOST_KEPT: Final = 40
"""Characters. The slug of a longer name gets a hash."""
_REPUBLIC: Final = "民國"
_BEFORE_REPUBLIC: Final = 1911
"""Years before the first of 民國, the only era whose years have three digits."""
_DAYS: Final = tuple(
    re.compile(pattern, re.ASCII)
    for pattern in (
        r"(?P<year>\d{4}|[1-9]\d\d)[/.-](?P<month>\d{1,2})[/.-](?P<day>\d{1,2})",
        r"(?P<day>\d{1,2})\. ?(?P<month>\d{1,2})\. ?(?P<year>\d{4})",
        (
            rf"(?P<year>\d{{4}}|(?:{_REPUBLIC} ?)?[1-9]\d\d|{_REPUBLIC} ?[1-9]\d)"
            r" ?年 ?(?P<month>\d{1,2}) ?月 ?(?P<day>\d{1,2}) ?日"
        ),
    )
)
"""Forms of a day, also as spreadsheets write it. With dots and the year last, the day comes first
everywhere. With slashes and the year last, nobody knows which is the month, so that is no form."""
_SEPARATOR_LINE: Final = re.compile(r'"?sep=.?"?[\r\n]*', re.IGNORECASE)
"""A line above the heading, by which some spreadsheets tell others the delimiter."""
_NOTHING_LEFT: Final = "-"
_BETWEEN_HANDS: Final = "/"
_SITS_IN: Final = "="
OUT: Final = "out"
"""In place of a hand: the player was eliminated before, and has none."""
HandCell = int | tuple[str, ...] | Literal["out"] | None
"""Points, cards, out, or nothing left."""


class Finding(Struct, frozen=True):
    """What is to be said of a row or a match.

    `reason`: names one of the import's messages, or one of the messages of `code` if the rules
    refuse the row. `column`: the spreadsheet's column that it is about, if it is about one.
    """

    reason: str | None
    facts: Mapping[str, object] = {}
    column: str | None = None
    code: str | None = None

    def wording(self, language: Language, *, whole: bool = False) -> str:
        """Return the finding in words. `whole`: the contents of cells are not shortened."""
        if self.code is not None:
            return message(self.code, self.reason, self.facts, language)
        assert self.reason is not None
        return import_message(self.reason, self.facts, language, whole=whole)


class Unreadable(Exception):
    """A cell, a row or a file can't be read. The finding says why."""

    def __init__(self, reason: str, column: str | None = None, **facts: object) -> None:
        super().__init__(reason)
        self.finding = Finding(reason, facts, column)


def of_refusal(refusal: Refusal, column: str) -> Finding:
    """Return the finding for a round that the rules refuse. `column`: the one to blame."""
    if refusal.violations:
        first = refusal.violations[0]
        facts = {"clause": first.clause, **first.facts}
        return Finding(first.reason, facts, column, code="rule-violation")
    return Finding(refusal.reason, refusal.facts, column, code=refusal.code)


class Undecodable(Exception):
    """From this line on the text is not in its encoding."""

    def __init__(self, line: int, encoding: str) -> None:
        super().__init__(encoding)
        self.line = line
        self.encoding = encoding


def opened(path: Path, encoding: str | None = None) -> TextIO:
    """Open a file as text. `encoding`: one of OTHER_ENCODINGS.

    If it is None, the file is read as UTF-8, or as UTF-16 if it has that byte order mark.
    """
    if encoding is not None:
        return path.open(encoding=OTHER_ENCODINGS[encoding], newline="")
    with path.open("rb") as file:
        mark = file.read(2)
    return path.open(encoding=_MARKED.get(mark, "utf-8-sig"), newline="")


class Records:
    """The rows that have a filled cell, the heading first. The delimiter is found by the heading.

    `line`: the line, from 1, at which the row begins that was read last, or that can't be read.
    Cells have no blanks around them, and empty ones at the end are left out. A line such as `sep=;`
    above the heading is no row. Raises csv.Error and Undecodable.
    """

    def __init__(self, file: TextIO, names: Collection[str]) -> None:
        """`names`: the column names that a heading may have."""
        self.line = 1
        self._file = file
        self._names = frozenset(names)

    def __iter__(self) -> Iterator[list[str]]:
        try:
            yield from self._read(self._delimiter())
        except UnicodeDecodeError as error:
            encoding = _ENCODING_NAMES.get(self._file.encoding, self._file.encoding.upper())
            raise Undecodable(_undecodable(self._file), encoding) from error

    def _delimiter(self) -> str:
        """Return the delimiter that splits the heading into most names; the comma if none does."""
        return max(DELIMITERS, key=lambda each: len(self._names & self._heading(each)))

    def _lines_above(self) -> int:
        """Return how many lines are above the heading, with the file positioned after them."""
        self._file.seek(0)
        if _SEPARATOR_LINE.fullmatch(self._file.readline()):
            return 1
        self._file.seek(0)
        return 0

    def _heading(self, delimiter: str) -> set[str]:
        return {cell.lower() for cell in next(self._read(delimiter), list[str]())}

    def _read(self, delimiter: str) -> Iterator[list[str]]:
        above = self._lines_above()
        # Strict, or a quotation mark that is never closed makes one cell of all rows behind it.
        reader = csv.reader(self._file, delimiter=delimiter, strict=True)
        self.line = above + 1
        for row in reader:
            cells = [cell.strip() for cell in row]
            while cells and not cells[-1]:
                cells.pop()
            if cells:
                yield cells
            self.line = above + reader.line_num + 1


def _undecodable(file: TextIO) -> int:
    """Return the line of the first bytes that are no text.

    The whole file is read again for this, since it had been read ahead of that line.
    """
    file.buffer.seek(0)
    whole = file.buffer.read()
    try:
        whole.decode(file.encoding)
    except UnicodeDecodeError as error:
        whole = whole[: error.start]
    return 1 + whole.decode(file.encoding).count("\n")


def half_width(text: str) -> str:
    """Return text with full-width characters, such as １２－３, in the plain ones (12-3)."""
    if text.isascii():
        return text
    # Each by itself: a whole cell would take the square of its accents, and stop all threads.
    return "".join(normalize("NFKC", each) for each in text).translate(_DASHES)


def split_names(text: str) -> list[str]:
    """Return the names in a cell: `Oma Ida, Bo`, or `ida bo`.

    Blanks separate names only if nothing else in the cell does.
    """
    parted = _BETWEEN.split(text) if _BETWEEN.search(text) else text.split()
    return [name.strip() for name in parted if name.strip()]


def slug_named(kind: Literal["player", "match"], name: str) -> str:
    """Return the name if it is a slug, or else a slug made of it, the same for the same name."""
    try:
        return msgspec.convert(name, Slug)
    except msgspec.ValidationError:
        kept = in_slug(name)
    if kept is not None and len(name) <= _MOST_KEPT:
        return kept
    return f"{kept or kind}-{sha256(name.encode()).hexdigest()[:_DIGITS]}"


class People:
    """The players of a league, and those that a file adds to them.

    `slug`: finds a player, as `_slug` does, and remembers it. `slugs`: of the league's players.
    `new`: the names of other players who were looked up, by the slugs that they get.
    """

    def __init__(self, there: Iterable[tuple[str, str | None]] = ()) -> None:
        """`there`: slug and name of each player of the league."""
        self.slugs: set[str] = set()
        self._called: dict[str, list[str]] = defaultdict(list)
        for slug, name in there:
            self.slugs.add(slug)
            if name is not None:
                self._called[_plain(name)].append(slug)
        self.new: dict[str, str] = {}
        self.slug = lru_cache(maxsize=None)(self._slug)

    def _slug(self, written: str) -> str:
        """Return the slug of the player that a slug or a name means, also of a new player.

        Raises Unreadable if several players have this name, or if it can't be a name.
        """
        if written in self.slugs:
            return written
        if len(written) > MOST_IN_NAME:
            raise Unreadable("name-long", "players", name=written, most=MOST_IN_NAME)
        called = self._called.get(_plain(written), [])
        if len(called) > 1:
            raise Unreadable("name-unclear", "players", name=written, either=" and ".join(called))
        if called:
            return called[0]
        if "\0" in written:
            raise Unreadable("name-nul", "players", name=written)
        name = normalize("NFC", written)
        slug = slug_named("player", name)
        if slug not in self.slugs:
            self.new.setdefault(slug, name)
        return slug


def _plain(name: str) -> str:
    """Return a name in a form that ignores capitals, extra blanks, and how accents are encoded."""
    return " ".join(normalize("NFC", name).casefold().split())


def date(text: str) -> datetime:
    """A day, or a time in RFC 3339; without a zone it is UTC. Raises Unreadable."""
    try:
        for pattern in _DAYS:
            if match := pattern.fullmatch(text):
                month, day = int(match["month"]), int(match["day"])
                return datetime(_year(match["year"]), month, day, tzinfo=UTC)
        at = datetime.fromisoformat(text)
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError):
        raise Unreadable("no-date", "date", found=text or None) from None


def _year(text: str) -> int:
    year = text.removeprefix(_REPUBLIC).strip()
    return int(year) if len(year) == len("2024") else int(year) + _BEFORE_REPUBLIC


def pairs(text: str) -> list[tuple[str, str]]:
    """Parse pairs of column and substitute, each in the form `ann=eve`. Raises Unreadable."""
    if not text:
        return []
    found: list[tuple[str, str]] = []
    text = text.replace("＝", _SITS_IN)
    for pair in [text] if text.count(_SITS_IN) == 1 else split_names(text):
        column, sits_in, person = (part.strip() for part in pair.partition(_SITS_IN))
        if not (column and sits_in and person) or _SITS_IN in person:
            raise Unreadable("no-substitute", "substitutes", found=pair)
        found.append((column, person))
    return found


def mode(text: str) -> ModeName | None:
    """Parse the name of a mode; None if the cell is empty. Raises Unreadable."""
    try:
        return msgspec.convert(text, ModeName) if text else None
    except msgspec.ValidationError:
        raise Unreadable("no-mode", "mode", found=text) from None


def number(name: str, text: str) -> int | None:
    """Parse a number of at most seven digits in the column `name`; None if the cell is empty.

    Raises Unreadable.
    """
    if not text:
        return None
    if not text.isdecimal() or not text.isascii() or len(text) > len("1000000"):
        raise Unreadable("no-number", name, found=text, name=name)
    return int(text)


def hand_count(points: str, cards: str) -> int:
    """Return how many hands the cells of points and cards have, readable or not."""
    return len(_split(_BETWEEN_POINTS, points)) if points else len(cards.split(_BETWEEN_HANDS))


def _split(between: re.Pattern[str], text: str) -> list[str]:
    return [each for each in between.split(text) if each]


def hands(points: str, cards: str, players: Sequence[str]) -> dict[str, HandCell]:
    """Parse the hands of the players, in their order. Raises Unreadable.

    Only one of the two cells, `points` and `cards`, may be filled.
    """
    if bool(points) == bool(cards):
        raise Unreadable("hands-twice", "points")
    found: list[HandCell]
    if points:
        found = [_points_left(hand) for hand in _split(_BETWEEN_POINTS, points)]
    else:
        found = [_cards_left(hand) for hand in cards.split(_BETWEEN_HANDS)]
    if len(found) != len(players):
        if len(players) < FEWEST_PLAYERS:
            raise Unreadable("few-players", "players")
        column = "points" if points else "cards"
        why = "hand-alone" if len(found) == 1 else "hand-count"
        raise Unreadable(why, column, seats=len(players), hands=len(found))
    return dict(zip(players, found, strict=True))


def _points_left(hand: str) -> HandCell:
    if hand == _NOTHING_LEFT:
        return None
    return OUT if hand == OUT else number("points", hand)


def _cards_left(hand: str) -> HandCell:
    match _split(_BETWEEN_CARDS, hand):
        case [] | ["-"]:
            return None
        case ["out"]:
            return OUT
        case cards:
            return tuple(cards)


def winners(named: Sequence[str], hands: Mapping[str, HandCell]) -> tuple[str, ...]:
    """Return the players who are named, or else those whose hand is given as empty (`-`).

    If there are none either, the only player with 0 points has won. Raises Unreadable.
    """
    winners = tuple(named)
    if not winners:
        winners = tuple(player for player, hand in hands.items() if hand is None)
        nothing = tuple(player for player, hand in hands.items() if hand == 0)
        winners = winners or nothing[: 1 if len(nothing) == 1 else 0]
    if not winners:
        raise Unreadable("nobody-won", "winners", sign=_NOTHING_LEFT)
    strangers = [player for player in winners if player not in hands]
    if strangers:
        raise Unreadable("winner-away", "winners", names=strangers)
    return winners


def tally(winners: tuple[str, ...], hands: Mapping[str, HandCell], at: datetime) -> RoundTallied:
    """Return the event of the whole round. Raises Unreadable."""
    left: dict[str, object] = {}
    for player, hand in hands.items():
        if player in winners or hand == OUT:
            continue
        if hand is None:
            raise Unreadable("hand-empty", "winners", name=player)
        left[player] = {"points": hand} if isinstance(hand, int) else {"cards": list(hand)}
    body = {"winners": list(winners), "hands": left, "at": at, "type": "round_tallied"}
    try:
        return msgspec.convert(body, RoundTallied)
    except msgspec.ValidationError as error:
        raise Unreadable("no-round", "points", found=str(error)) from None
