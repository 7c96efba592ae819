"""Reading a spreadsheet saved as text: its lines, its cells, and the names in them.

It finds the encoding, the delimiter and the lines of the rows. Each cell of a row of past rounds is
parsed by itself. Names are matched with the players of a league, and new players get slugs. A
finding is what is to be said of a row or a match, in any language.
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
"""What spreadsheets write between cells, as their country or the kind of file has it; or people."""
OTHER_ENCODINGS: Final = {"big5": "cp950", "windows-1252": "cp1252"}
"""What spreadsheets on Windows write where nobody asks them for UTF-8: its name, and Python's."""
_MARKED: Final = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_ENCODING_NAMES: Final = {"utf-8-sig": "UTF-8", "cp950": "Big5", "cp1252": "Windows-1252"}
_BETWEEN: Final = re.compile(r"[,;/\n，；／、]+")
_BETWEEN_POINTS: Final = re.compile(r"[\s,;/、]+")
_BETWEEN_CARDS: Final = re.compile(r"[\s,;、]+")
_DASHES: Final = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))
_DIGITS: Final = 10
_MOST_KEPT: Final = 40
"""Characters of a name that a slug can keep."""
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
"""As spreadsheets write it too. With dots the day stands in front everywhere; with slashes and the
year behind, nobody knows which is the month."""
_SEPARATOR_LINE: Final = re.compile(r'"?sep=.?"?[\r\n]*', re.IGNORECASE)
"""What some spreadsheets write above the heading for one another."""
_NOTHING_LEFT: Final = "-"
_BETWEEN_HANDS: Final = "/"
_SITS_IN: Final = "="
OUT: Final = "out"
"""Of a hand: its player was eliminated before and has none."""
HandCell = int | tuple[str, ...] | Literal["out"] | None
"""Points, cards, out, or nothing left."""


class Finding(Struct, frozen=True):
    """`reason`: of the import's messages, or of the messages of `code`, where the rules refuse.

    `column`: the one of the spreadsheet that it is about, as far as it is about one.
    """

    reason: str | None
    facts: Mapping[str, object] = {}
    column: str | None = None
    code: str | None = None

    def told(self, language: Language, *, whole: bool = False) -> str:
        """In words; `whole`: what cells hold stands there however long it is."""
        if self.code is not None:
            return message(self.code, self.reason, self.facts, language)
        assert self.reason is not None
        return import_message(self.reason, self.facts, language, whole=whole)


class Unreadable(Exception):
    """A cell, a row or a file can't be read, for what the finding says."""

    def __init__(self, reason: str, column: str | None = None, **facts: object) -> None:
        super().__init__(reason)
        self.finding = Finding(reason, facts, column)


def of_refusal(refusal: Refusal, column: str) -> Finding:
    """What the rules say of a round; `column`: the one that told of it."""
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
    """`encoding`: one of OTHER_ENCODINGS; else UTF-8, or UTF-16 where a byte order mark says so."""
    if encoding is not None:
        return path.open(encoding=OTHER_ENCODINGS[encoding], newline="")
    with path.open("rb") as file:
        mark = file.read(2)
    return path.open(encoding=_MARKED.get(mark, "utf-8-sig"), newline="")


class Records:
    """The rows that have a filled cell, the heading first; what parts cells is seen by it.

    `line`: where the row begins that was read last, or that can't be read; from 1. Cells have no
    blanks around them, and empty ones at the end are left out. A line such as `sep=;` above the
    heading is no row. Raises csv.Error and Undecodable.
    """

    def __init__(self, file: TextIO, names: Collection[str]) -> None:
        """`names`: those that the cells of a heading may have."""
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
        """The one that parts the heading into most names, the comma where none does."""
        return max(DELIMITERS, key=lambda each: len(self._names & self._heading(each)))

    def _lines_above(self) -> int:
        """How many there are above the heading; the file stands behind them."""
        self._file.seek(0)
        if _SEPARATOR_LINE.fullmatch(self._file.readline()):
            return 1
        self._file.seek(0)
        return 0

    def _heading(self, delimiter: str) -> set[str]:
        return {cell.lower() for cell in next(self._read(delimiter), list[str]())}

    def _read(self, delimiter: str) -> Iterator[list[str]]:
        above = self._lines_above()
        # Strictly, or a quotation mark that is never closed makes one cell of all rows behind it.
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
    """The line of the first bytes that are no text; the file was read ahead of it."""
    file.buffer.seek(0)
    whole = file.buffer.read()
    try:
        whole.decode(file.encoding)
    except UnicodeDecodeError as error:
        whole = whole[: error.start]
    return 1 + whole.decode(file.encoding).count("\n")


def half_width(text: str) -> str:
    """What was typed in full width, as in １２－３, in the plain characters that it looks like."""
    return text if text.isascii() else normalize("NFKC", text).translate(_DASHES)


def split_names(text: str) -> list[str]:
    """The names in a cell, which blanks part where nothing else does: `Oma Ida, Bo` or `ida bo`."""
    parted = _BETWEEN.split(text) if _BETWEEN.search(text) else text.split()
    return [name.strip() for name in parted if name.strip()]


def slug_named(kind: Literal["player", "match"], name: str) -> str:
    """The name where it is a slug; else what a slug keeps of it, the same for the same name."""
    try:
        return msgspec.convert(name, Slug)
    except msgspec.ValidationError:
        kept = in_slug(name)
    if kept is not None and len(name) <= _MOST_KEPT:
        return kept
    return f"{kept or kind}-{sha256(name.encode()).hexdigest()[:_DIGITS]}"


class People:
    """Those of a league, and who comes to it with a file.

    `slugs`: of those who are there. `new`: names of others who were asked for, by slug.
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
        """Whom a slug or a name means. Raises Unreadable where several of them are called so."""
        if written in self.slugs:
            return written
        called = self._called.get(_plain(written), [])
        if len(called) > 1:
            raise Unreadable("name-unclear", "players", name=written, either=" and ".join(called))
        if called:
            return called[0]
        if len(written) > MOST_IN_NAME:
            raise Unreadable("name-long", "players", name=written, most=MOST_IN_NAME)
        if "\0" in written:
            raise Unreadable("name-nul", "players", name=written)
        name = normalize("NFC", written)
        slug = slug_named("player", name)
        if slug not in self.slugs:
            self.new.setdefault(slug, name)
        return slug


def _plain(name: str) -> str:
    """Whatever its capitals and blanks are, and whether its accents are characters of their own."""
    return " ".join(normalize("NFC", name).casefold().split())


def date(text: str) -> datetime:
    """A day, or a time in RFC 3339; without a zone it is UTC. Raises Unreadable."""
    try:
        for pattern in _DAYS:
            if told := pattern.fullmatch(text):
                month, day = int(told["month"]), int(told["day"])
                return datetime(_year(told["year"]), month, day, tzinfo=UTC)
        at = datetime.fromisoformat(text)
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError):
        raise Unreadable("no-date", "date", found=text or None) from None


def _year(text: str) -> int:
    year = text.removeprefix(_REPUBLIC).strip()
    return int(year) if len(year) == len("2024") else int(year) + _BEFORE_REPUBLIC


def pairs(text: str) -> list[tuple[str, str]]:
    """Column and substitute, as `ann=eve` says it of each. Raises Unreadable."""
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
    """None where the cell is empty. Raises Unreadable."""
    try:
        return msgspec.convert(text, ModeName) if text else None
    except msgspec.ValidationError:
        raise Unreadable("no-mode", "mode", found=text) from None


def number(name: str, text: str) -> int | None:
    """None where the cell is empty. Raises Unreadable."""
    if not text:
        return None
    if not text.isdecimal() or not text.isascii() or len(text) > len("1000000"):
        raise Unreadable("no-number", name, found=text, name=name)
    return int(text)


def hand_count(points: str, cards: str) -> int:
    """How many hands the two cells tell, readable or not."""
    return len(_split(_BETWEEN_POINTS, points)) if points else len(cards.split(_BETWEEN_HANDS))


def _split(between: re.Pattern[str], text: str) -> list[str]:
    return [each for each in between.split(text) if each]


def hands(points: str, cards: str, players: Sequence[str]) -> dict[str, HandCell]:
    """One of the two cells tells a hand for each player, in this order. Raises Unreadable."""
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
        told = "points" if points else "cards"
        why = "hand-alone" if len(found) == 1 else "hand-count"
        raise Unreadable(why, told, seats=len(players), hands=len(found))
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
    """Those who are named, or else whose hand says that nothing is left. Raises Unreadable."""
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
    """The round as it is told. Raises Unreadable."""
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
