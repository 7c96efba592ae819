"""An event that came from a row, in short."""

from collections.abc import Mapping
from typing import Final

from scorekeeper.match.events.events import (
    MatchAbandoned,
    MatchClosed,
    PlayerSubstituted,
    RoundTallied,
    TableEvent,
    TalliedHand,
    event_type,
)
from scorekeeper.texts.language import Language
from scorekeeper.texts.message import import_message

_BETWEEN: Final[Mapping[Language, str]] = {"en": "; ", "zh-TW": "；"}


def event_in_short(event: TableEvent, language: Language = "en") -> str:
    """With its day, where it has one."""
    told = _told(event, language)
    if event.at is None:
        return told
    day = event.at.isoformat().removesuffix("T00:00:00+00:00")
    return _say("told-day", language, day=day, told=told)


def _told(event: TableEvent, language: Language) -> str:
    match event:
        case RoundTallied():
            hands = [f"{player} {_hand(hand)}" for player, hand in (event.hands or {}).items()]
            listed = _BETWEEN[language].join(hands) or None
            return _say("told-round", language, names=event.winners, hands=listed)
        case PlayerSubstituted(player=player, substitute=substitute) if player == substitute:
            return _say("told-back", language, name=player)
        case PlayerSubstituted(player=player, substitute=substitute):
            return _say("told-substitute", language, name=substitute, absent=player)
        case MatchClosed():
            return _say("told-closed", language)
        case MatchAbandoned():
            return _say("told-abandoned", language)
        case _:
            return event_type(event)


def _hand(hand: TalliedHand) -> str:
    return str(hand.points) if hand.cards is None else " ".join(hand.cards)


def _say(reason: str, language: Language, **facts: object) -> str:
    return import_message(reason, facts, language, whole=True)
