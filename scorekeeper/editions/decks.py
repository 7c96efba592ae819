"""Card counts and points that several booklets share."""

from collections.abc import Mapping, Sequence

from scorekeeper.rules.cards import ACTIONS, NUMBERS, Card, Color, face


def colored(colors: Sequence[Color]) -> Mapping[Card, int]:
    """One 0, two each of 1 to 9 and two of each action, in every colour."""
    return {
        f"{color}-{symbol}": 1 if symbol == "0" else 2
        for color in colors
        for symbol in (*NUMBERS, *ACTIONS)
    }


def worth(deck: Mapping[Card, int]) -> Mapping[Card, int]:
    """Numbers their face value, actions 20, wilds of every kind 50."""
    return {card: _worth(card) for card in deck}


def _worth(card: Card) -> int:
    printed = face(card)
    if printed.is_number:
        return int(printed.symbol)
    return 50 if printed.is_wild else 20
