"""The cells of a row of past rounds, each parsed on its own, and the names in them.

Names are matched with the players of a league, and new players get slugs.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from typing import Final, Literal
from unicodedata import normalize

import msgspec

from scorekeeper.match.events.events import RoundTallied
from scorekeeper.match.events.fields import Slug
from scorekeeper.match.events.opening import FEWEST_PLAYERS
from scorekeeper.rules.scoring import ModeName
from scorekeeper.service.imports.findings import Unreadable
from scorekeeper.service.slugs import in_slug, out_of_slug
from scorekeeper.service.views import MOST_IN_NAME

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
_FIRST_YEAR: Final = 1971
"""When the first UNO was sold. An earlier year is a slip, such as 1024."""
_TIME: Final = r"(?: (?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d))?)?"
_DAYS: Final = tuple(
    re.compile(pattern + _TIME, re.ASCII)
    for pattern in (
        r"(?P<year>\d{4}|[1-9]\d\d)[/.-](?P<month>\d{1,2})[/.-](?P<day>\d{1,2})",
        r"(?P<day>\d{1,2})\. ?(?P<month>\d{1,2})\. ?(?P<year>\d{4})",
        (
            rf"(?P<year>\d{{4}}|(?:{_REPUBLIC} ?)?[1-9]\d\d|{_REPUBLIC} ?[1-9]\d)"
            r" ?年 ?(?P<month>\d{1,2}) ?月 ?(?P<day>\d{1,2}) ?日"
        ),
    )
)
"""Forms of a day, with or without a time, also as spreadsheets write them.

With dots and the year last, the day comes first everywhere. With slashes and the year last, nobody
knows which is the month, so that is no form.
"""
_NOTHING_LEFT: Final = "-"
_BETWEEN_HANDS: Final = "/"
_SITS_IN: Final = "="
OUT: Final = "out"
"""In place of a hand: the player was eliminated before, and has none."""
HandCell = int | tuple[str, ...] | Literal["out"] | None
"""Points, cards, out, or nothing left."""


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
    return _hashed(kept or kind, name)


def _hashed(slug: str, name: str) -> str:
    return f"{slug}-{sha256(name.encode()).hexdigest()[:_DIGITS]}"


def told_apart(one: str, other: str) -> bool:
    """Return whether two names of one slug mean different people or matches, as 王Tony and 李Tony.

    Names that differ only in capitals, accents or signs are taken for the same.
    """
    return out_of_slug(one) != out_of_slug(other)


class People:
    """The players of a league, and those that a file adds to them.

    `slug`: finds a player, as `_slug` does, and remembers it. `slugs`: of the league's players.
    `new`: the names of other players who were looked up, by the slugs that they get.
    """

    def __init__(self, there: Iterable[tuple[str, str | None]] = ()) -> None:
        """`there`: slug and name of each player of the league."""
        self.slugs: set[str] = set()
        self._names: dict[str, str] = {}
        self._called: dict[str, list[str]] = defaultdict(list)
        for slug, name in there:
            self.slugs.add(slug)
            if name is not None:
                self._names[slug] = name
                self._called[_plain(name)].append(slug)
        self.new: dict[str, str] = {}
        self.slug = lru_cache(maxsize=None)(self._slug)

    def _slug(self, written: str) -> str:
        """Return the slug of the player that a slug or a name means, also of a new player.

        Raises Unreadable if several players have this name, if it can't be a name, or if its slug
        is that of a player of another name.
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
        own = _hashed(slug, name)
        if own in self.slugs:
            return own
        if slug in self.slugs:
            other = self._names.get(slug)
            if out_of_slug(name) and other is not None and told_apart(name, other):
                raise Unreadable("slug-taken", "players", name=written, slug=slug, other=other)
            return slug
        if told_apart(name, self.new.setdefault(slug, name)):
            self.new[own] = name
            return own
        return slug


def _plain(name: str) -> str:
    """Return a name in a form that ignores capitals, extra blanks, and how accents are encoded."""
    return " ".join(normalize("NFC", name).casefold().split())


def date(text: str) -> datetime:
    """Return a day with or without a time, or a time in RFC 3339; without a zone it is UTC.

    Raises Unreadable.
    """
    try:
        at = _date(text)
    except (ValueError, OverflowError):
        raise Unreadable("no-date", "date", found=text or None) from None
    if at.year < _FIRST_YEAR:
        raise Unreadable("before-uno", "date", day=at.date().isoformat(), year=_FIRST_YEAR)
    return at


def _date(text: str) -> datetime:
    for pattern in _DAYS:
        if match := pattern.fullmatch(text):
            month, day = int(match["month"]), int(match["day"])
            hour, minute, second = (int(match[part] or 0) for part in ("hour", "minute", "second"))
            return datetime(_year(match["year"]), month, day, hour, minute, second, tzinfo=UTC)
    at = datetime.fromisoformat(text)
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


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


def hands(
    points: str, cards: str, players: Sequence[str], mode: ModeName | None
) -> dict[str, HandCell]:
    """Parse the hands of the players, in their order. Raises Unreadable.

    Only one of the two cells, `points` and `cards`, may be filled. Where no hand counts, both may
    be empty.
    """
    if mode == "first-out" and not points and not cards and len(players) >= FEWEST_PLAYERS:
        return dict.fromkeys(players, OUT)
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
    winners = tuple(named) or _emptied(hands)
    if not winners:
        raise Unreadable("nobody-won", "winners", sign=_NOTHING_LEFT)
    strangers = [player for player in winners if player not in hands]
    if strangers:
        raise Unreadable("winner-away", "winners", names=strangers)
    return winners


def _emptied(hands: Mapping[str, HandCell]) -> tuple[str, ...]:
    given_as_empty = tuple(player for player, hand in hands.items() if hand is None)
    without_points = tuple(player for player, hand in hands.items() if hand == 0)
    if not given_as_empty and len(without_points) == 1:
        return without_points
    return given_as_empty


def tally(winners: tuple[str, ...], hands: Mapping[str, HandCell], at: datetime) -> RoundTallied:
    """Return the event of the whole round. Raises Unreadable.

    A winner's hand is in it only if it is not empty, so that the rules refuse it.
    """
    left: dict[str, object] = {}
    for player, hand in hands.items():
        if hand == OUT or (player in winners and not hand):
            continue
        if hand is None:
            raise Unreadable("hand-empty", "winners", name=player)
        left[player] = {"points": hand} if isinstance(hand, int) else {"cards": list(hand)}
    body = {"winners": list(winners), "hands": left, "at": at, "type": "round_tallied"}
    try:
        return msgspec.convert(body, RoundTallied)
    except msgspec.ValidationError as error:
        raise Unreadable("no-round", "points", found=str(error)) from None
