"""A hand as the book knows it: some cards, and how many more."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from scorekeeper.rules.box import Box
from scorekeeper.rules.cards import Card


class Hand(Struct, frozen=True, gc=False):
    """What is known of a hand; `unknown`: how many cards more, None where nobody knows.

    `points`: its value, where that was told in place of the cards.
    """

    known: tuple[Card, ...] = ()
    unknown: int | None = None
    points: int | None = None

    @property
    def count(self) -> int | None:
        """The cards in it, if that is known."""
        return None if self.unknown is None else len(self.known) + self.unknown


UNTOLD: Final = Hand()
"""Of a round that nobody followed card by card, and whose tally does not say it."""

Hands = dict[str, Hand]
"""By player; never changed, only replaced."""


def held(hand: Hand) -> int:
    """The cards in a hand of a round that is followed card by card."""
    return len(hand.known) + (hand.unknown or 0)


def without(cards: tuple[Card, ...], gone: Iterable[Card]) -> tuple[Card, ...]:
    """The cards once each of `gone` is taken out, as far as it is among them."""
    left = list(cards)
    for card in gone:
        if card in left:
            left.remove(card)
    return tuple(left)


def less(hand: Hand, cards: Sequence[Card]) -> Hand | None:
    """The hand without these cards; None where it can't hold them."""
    unknown = hand.unknown or 0
    if not hand.known:
        unknown -= len(cards)
        return Hand((), unknown) if unknown >= 0 else None
    left = list(hand.known)
    for card in cards:
        if card in left:
            left.remove(card)
        else:
            unknown -= 1
    return Hand(tuple(left), unknown) if unknown >= 0 else None


def less_one(hand: Hand, card: Card) -> Hand | None:
    """The same for a single card, which is what almost every turn takes from a hand."""
    known, unknown = hand.known, hand.unknown or 0
    if card in known:
        at = known.index(card)
        return Hand(known[:at] + known[at + 1 :], unknown)
    return Hand(known, unknown - 1) if unknown else None


def less_unseen(hand: Hand, count: int) -> Hand | None:
    """The hand once somebody took cards from it that nobody named; None where it has too few.

    Of a hand that keeps cards nobody can say any more which ones they are.
    """
    left = held(hand) - count
    return Hand((), left) if left >= 0 else None


def more(hand: Hand, cards: tuple[Card, ...], unknown: int = 0) -> Hand:
    """The hand with these cards and so many unknown ones."""
    return Hand(hand.known + cards, (hand.unknown or 0) + unknown)


def worth(box: Box, hand: Hand) -> int | None:
    """The points of a hand; None where neither its cards nor its value are known."""
    if hand.points is not None:
        return hand.points
    return sum(box.points[card] for card in hand.known) if hand.unknown == 0 else None
