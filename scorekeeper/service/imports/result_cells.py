"""Parsing one cell of a row of past rounds: a day, a hand, the winner, a substitute."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

import msgspec

from scorekeeper.match.events.events import RoundTallied
from scorekeeper.rules.scoring import ModeName
from scorekeeper.service.imports.finding import Unreadable
from scorekeeper.service.imports.people import split_names

_DAY: Final = re.compile(r"(\d{4})[/.](\d{1,2})[/.](\d{1,2})", re.ASCII)
"""As spreadsheets write it too; with the year behind, nobody knows which is the month."""

_NOTHING_LEFT: Final = "-"
_BETWEEN_HANDS: Final = "/"
_SITS_IN: Final = "="

HandCell = int | tuple[str, ...] | None
"""Points, cards, or nothing left."""


def date(text: str) -> datetime:
    """A day, or a time in RFC 3339; without a zone it is UTC. Raises Unreadable."""
    try:
        if day := _DAY.fullmatch(text):
            year, month, number = map(int, day.groups())
            return datetime(year, month, number, tzinfo=UTC)
        at = datetime.fromisoformat(text)
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError):
        raise Unreadable("no-date", "date", found=text or None) from None


def pairs(text: str) -> list[tuple[str, str]]:
    """Column and substitute, as `ann=eve` says it of each. Raises Unreadable."""
    if not text:
        return []
    found: list[tuple[str, str]] = []
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
    return len(points.split()) if points else len(cards.split(_BETWEEN_HANDS))


def hands(points: str, cards: str, players: Sequence[str]) -> dict[str, HandCell]:
    """One of the two cells tells a hand for each player, in this order. Raises Unreadable."""
    if bool(points) == bool(cards):
        raise Unreadable("hands-twice", "points")
    found: list[HandCell]
    if points:
        found = [None if one == _NOTHING_LEFT else number("points", one) for one in points.split()]
    else:
        found = [tuple(hand.split()) or None for hand in cards.split(_BETWEEN_HANDS)]
        found = [None if hand == (_NOTHING_LEFT,) else hand for hand in found]
    if len(found) != len(players):
        told = "points" if points else "cards"
        raise Unreadable("hand-count", told, seats=len(players), hands=len(found))
    return dict(zip(players, found, strict=True))


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
        if player in winners:
            continue
        if hand is None:
            raise Unreadable("hand-empty", "winners", name=player)
        left[player] = {"points": hand} if isinstance(hand, int) else {"cards": list(hand)}
    body = {"winners": list(winners), "hands": left, "at": at, "type": "round_tallied"}
    try:
        return msgspec.convert(body, RoundTallied)
    except msgspec.ValidationError as error:
        raise Unreadable("no-round", "points", found=str(error)) from None
