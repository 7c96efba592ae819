"""The play as told by people who name some cards and leave out others at random."""

from random import Random

from msgspec.structs import replace

from scorekeeper.match.events.card_events import (
    CardPlayed,
    CardsDrawn,
    Draw,
    FirstCardTurned,
    Give,
    PileReshuffled,
    ToldEffect,
    WildDrawFourChallenged,
)
from scorekeeper.match.events.events import RoundStarted, TableEvent
from scorekeeper.rules.cards import Card


def halved(rng: Random, event: TableEvent) -> TableEvent:
    """Return the event with fewer cards named, or unchanged."""
    match event:
        case RoundStarted():
            hands = {p: _some(rng, cards) for p, cards in (event.hands or {}).items()}
            told = {p: cards for p, cards in hands.items() if rng.randrange(3)}
            pile = event.draw_pile if rng.randrange(4) == 0 else None
            return replace(event, hands=told or None, draw_pile=pile)
        case FirstCardTurned() | PileReshuffled():
            return event if rng.randrange(4) == 0 else replace(event, draw_pile=None)
        case CardsDrawn():
            return replace(event, cards=_some(rng, event.cards) or None)
        case CardPlayed() if event.effects:
            return replace(event, effects=tuple(_halved_effect(rng, one) for one in event.effects))
        case WildDrawFourChallenged():
            left_out = {"guilty": None} if rng.randrange(2) else {"hand": None}
            return replace(event, **left_out)
        case _:
            return event


def _halved_effect(rng: Random, effect: ToldEffect) -> ToldEffect:
    match effect:
        case Draw():
            return replace(effect, cards=_some(rng, effect.cards) or None)
        case Give(cards=cards) if cards and rng.randrange(2):
            return Give(giver=effect.giver, to=effect.to, count=len(cards))
        case _:
            return effect


def _some(rng: Random, cards: tuple[Card, ...] | None) -> tuple[Card, ...]:
    """Return all of the cards half of the time, otherwise a random part of them."""
    if rng.randrange(2):
        return cards or ()
    return tuple(card for card in cards or () if rng.randrange(3))
