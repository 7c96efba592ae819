"""The cards that several booklets share: how many there are, their points and their effects."""

from collections.abc import Mapping, Sequence
from typing import Final

from scorekeeper.rules.cards import ACTIONS, NUMBERS, Card, Color, face
from scorekeeper.rules.clauses import Cited
from scorekeeper.rules.edition import CardRule
from scorekeeper.rules.parameters import ColorNaming, Effect, TurnAfter, TurnedUp

PLAIN: Final = Effect()
REVERSES: Final = Effect(turn=TurnAfter.NEXT_REVERSED)
SKIPS: Final = Effect(turn=TurnAfter.NEXT_IS_SKIPPED)
DRAWS_TWO: Final = Effect(next_draws=2, turn=TurnAfter.NEXT_IS_SKIPPED)
NAMES_COLOR: Final = Effect(color=ColorNaming.ALWAYS)
DRAWS_FOUR: Final = Effect(color=ColorNaming.ALWAYS, next_draws=4, turn=TurnAfter.NEXT_IS_SKIPPED)
AS_AGREED: Final = Effect(color=ColorNaming.ALWAYS, as_agreed=True)

GOES_AGAIN: Final = Effect(turn=TurnAfter.SAME_PLAYER)
DRAWS_TWO_AND_GOES_AGAIN: Final = Effect(next_draws=2, turn=TurnAfter.SAME_PLAYER)
DRAWS_FOUR_AND_GOES_AGAIN: Final = Effect(
    color=ColorNaming.ALWAYS, next_draws=4, turn=TurnAfter.SAME_PLAYER
)


def colored(colors: Sequence[Color]) -> Mapping[Card, int]:
    """Return how many of each coloured card a deck has.

    In every colour, these are one 0, two each of 1 to 9, and two of each action.
    """
    return {
        f"{color}-{symbol}": 1 if symbol == "0" else 2
        for color in colors
        for symbol in (*NUMBERS, *ACTIONS)
    }


def worth(deck: Mapping[Card, int]) -> Mapping[Card, int]:
    """Return the points of each card: the face value of numbers, 20 for actions, 50 for wilds."""
    return {card: _worth(card) for card in deck}


def _worth(card: Card) -> int:
    printed = face(card)
    if printed.is_number:
        return int(printed.symbol)
    return 50 if printed.is_wild else 20


def card_rule(
    turned_up: Cited[TurnedUp],
    played: Cited[Effect],
    *,
    turned_up_two_players: TurnedUp | None = None,
    played_two_players: Cited[Effect] | None = None,
) -> CardRule:
    """Return the rule of a card.

    Among two players the card does the same, unless the keyword arguments say otherwise.
    """
    return CardRule(
        turned_up=turned_up,
        turned_up_two_players=(
            turned_up
            if turned_up_two_players is None
            else Cited(turned_up_two_players, turned_up.clause)
        ),
        played=played,
        played_two_players=played_two_players or played,
    )
