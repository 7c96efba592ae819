"""What the book knows of hands and of the draw pile.

A hand consists of known cards and of a number of unknown ones. The draw pile consists of stretches
of cards, the topmost stretch first.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from scorekeeper.rules.cards import Box, Card


class Hand(Struct, frozen=True, gc=False):
    """What is known of a hand.

    `known`: the cards that are known to be in it. `unknown`: how many more cards it has, None if
    nobody knows. `points`: its value, if that was told in place of the cards.
    """

    known: tuple[Card, ...] = ()
    unknown: int | None = None
    points: int | None = None

    @property
    def count(self) -> int | None:
        """The number of cards in the hand, None if nobody knows."""
        return None if self.unknown is None else len(self.known) + self.unknown


NO_CARDS: Final = Hand(unknown=0)
"""An empty hand."""

UNTOLD: Final = Hand()
"""A hand of which nothing is known, because its round was only tallied, without this hand."""

Hands = dict[str, Hand]
"""Hands by player. Such a mapping is never changed, only replaced."""


def card_count(hand: Hand) -> int:
    """Return the number of cards in a hand of a round that is followed card by card."""
    return len(hand.known) + (hand.unknown or 0)


def without(cards: tuple[Card, ...], gone: Iterable[Card]) -> tuple[Card, ...]:
    """Return the cards without those in `gone`. A card of `gone` that is not there is ignored."""
    left = list(cards)
    for card in gone:
        if card in left:
            left.remove(card)
    return tuple(left)


def hand_without(hand: Hand, cards: Sequence[Card]) -> Hand | None:
    """Return the hand without these cards, None if it can't hold them.

    A card that is not among the known ones is taken from the unknown ones.
    """
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


def hand_without_one(hand: Hand, card: Card) -> Hand | None:
    """Return the same as `hand_without` for a single card.

    It is faster, and almost every play uses it.
    """
    known, unknown = hand.known, hand.unknown or 0
    if card in known:
        at = known.index(card)
        return Hand(known[:at] + known[at + 1 :], unknown)
    return Hand(known, unknown - 1) if unknown else None


def hand_without_unseen(hand: Hand, count: int) -> Hand | None:
    """Return the hand without `count` cards that nobody named, None if it has too few.

    Nobody knows which cards are left, so that all of them count as unknown.
    """
    left = card_count(hand) - count
    return Hand((), left) if left >= 0 else None


def hand_with(hand: Hand, cards: tuple[Card, ...], unknown: int = 0) -> Hand:
    """Return the hand with these cards added, and `unknown` more cards that nobody knows."""
    return Hand(hand.known + cards, (hand.unknown or 0) + unknown)


def worth(box: Box, hand: Hand) -> int | None:
    """Return the points of a hand, None if neither all of its cards nor its value are known."""
    if hand.points is not None:
        return hand.points
    return box.worth(hand.known) if hand.unknown == 0 else None


class Stretch(Struct, frozen=True, gc=False):
    """A number of cards in the pile, one on the other.

    `count`: how many. `cards`: all of these cards, or None if nobody knows them. `ordered`: whether
    `cards` are in the order in which they lie, the top one first. If not, nobody knows the order.
    """

    count: int
    cards: tuple[Card, ...] | None = None
    ordered: bool = True


Pile: TypeAlias = tuple[Stretch, ...]


class Taken(Struct, frozen=True, gc=False):
    """What a draw yields: the known cards, the number of unknown ones, and the remaining pile."""

    cards: tuple[Card, ...]
    unknown: int
    pile: Pile


def unknown_pile(count: int) -> Pile:
    """Return a pile of which nothing but its height is known."""
    return (Stretch(count),) if count else ()


def known_pile(cards: Sequence[Card], *, ordered: bool = True) -> Pile:
    """Return a pile of these cards; if `ordered`, in the order in which they lie, top one first."""
    return (Stretch(len(cards), tuple(cards), ordered),) if cards else ()


def height(pile: Pile) -> int:
    """Return how many cards lie in it."""
    if len(pile) == 1:
        return pile[0].count
    return sum(stretch.count for stretch in pile)


def unknown_in(pile: Pile) -> int:
    """Return how many of its cards nobody knows."""
    return sum(stretch.count for stretch in pile if stretch.cards is None)


def on_top(pile: Pile, count: int) -> Mapping[str, object]:
    """Return the fact `top`: up to `count` cards from the top of the pile, if they are known.

    The result is empty if the topmost card is not known.
    """
    first = pile[0] if pile else None
    if first is None or first.cards is None or not first.ordered:
        return {}
    return {"top": first.cards[:count]}


def known_in(pile: Pile) -> Iterator[Card]:
    """Yield the cards that are known to lie in it."""
    for stretch in pile:
        if stretch.cards is not None:
            yield from stretch.cards


def pile_without(pile: Pile, card: Card) -> Pile:
    """Return the pile without one copy of a card, taken from the lowest stretch that may hold it.

    If no stretch may hold the card, the pile itself is returned.
    """
    for at in reversed(range(len(pile))):
        stretch = pile[at]
        cards = stretch.cards
        if cards is not None and card not in cards:
            continue
        if cards is not None:
            last = len(cards) - 1 - cards[::-1].index(card)
            cards = cards[:last] + cards[last + 1 :]
        rest = (Stretch(stretch.count - 1, cards, stretch.ordered),) if stretch.count > 1 else ()
        return (*pile[:at], *rest, *pile[at + 1 :])
    return pile


def take(pile: Pile, count: int, told: tuple[Card, ...]) -> Taken | None:
    """Draw `count` cards from the top of the pile.

    `told`: the drawn cards that are named, at most `count`. Return None if the pile has too few
    cards, or if the told cards can't be among those drawn.
    """
    if pile and pile[0].cards is None and count <= pile[0].count:
        left, rest = pile[0].count - count, pile[1:]
        return Taken(told, count - len(told), (Stretch(left), *rest) if left else rest)
    return _take_through(pile, count, told)


def _take_through(pile: Pile, count: int, told: tuple[Card, ...]) -> Taken | None:
    sure: list[Card] = []
    mixed: list[tuple[Counter[Card], int]] = []
    hidden = 0
    left = list(pile)
    while count:
        if not left:
            return None
        stretch = left.pop(0)
        taken = min(count, stretch.count)
        count -= taken
        below = stretch.count - taken
        if stretch.cards is None:
            hidden += taken
            rest = Stretch(below)
        elif stretch.ordered or not below:
            sure.extend(stretch.cards[:taken])
            rest = Stretch(below, stretch.cards[taken:])
        else:
            mixed.append((Counter(stretch.cards), taken))
            named = without(told, sure)
            # Unless every drawn card is named, none can be said to come from this stretch.
            whole = named if len(named) == hidden + taken else ()
            rest = _mixed_rest(stretch, taken, whole)
        if below:
            left.insert(0, rest)
    named = without(told, sure)
    if not _can_be_drawn(named, mixed, hidden):
        return None
    unknown = hidden + sum(taken for _, taken in mixed) - len(named)
    return Taken((*sure, *named), unknown, tuple(left))


def _mixed_rest(stretch: Stretch, taken: int, named: tuple[Card, ...]) -> Stretch:
    """Return what is left of cards in an unknown order: known only if each drawn one was named."""
    left = without(stretch.cards or (), named)
    below = stretch.count - taken
    return Stretch(below, left, ordered=False) if len(left) == below else Stretch(below)


def _can_be_drawn(
    named: Sequence[Card], mixed: Sequence[tuple[Counter[Card], int]], hidden: int
) -> bool:
    strangers = sum((Counter(named) - sum((c for c, _ in mixed), Counter[Card]())).values())
    return strangers <= hidden and len(named) <= hidden + sum(taken for _, taken in mixed)


Copies: TypeAlias = dict[Card, int]
"""How many copies of each card there are, at least one. This takes half the time of a Counter."""


def copies_of(cards: Iterable[Card]) -> Copies:
    copies: Copies = {}
    add_copies(copies, cards)
    return copies


def add_copies(copies: Copies, cards: Iterable[Card]) -> None:
    for card in cards:
        copies[card] = copies.get(card, 0) + 1


def more_of_each(copies: Copies, cards: Sequence[Card]) -> Copies:
    """Return of each card as many copies as there are in `copies` or in `cards`, if more."""
    more = copies.copy()
    for card, count in copies_of(cards).items():
        more[card] = max(count, more.get(card, 0))
    return more


def hand_knowing(hand: Hand, copies: Copies) -> Hand:
    """Return the hand with these cards known. If it knows as many already, it stays as it is."""
    if not hand.unknown or sum(copies.values()) <= len(hand.known):
        return hand
    known = _cards_of(copies)
    return Hand(known, card_count(hand) - len(known), hand.points)


def pile_knowing(pile: Pile, copies: Copies) -> Pile:
    """Return the pile with these cards known. If it knows them all already, it keeps its order."""
    cards = _cards_of(copies)
    if len(cards) == height(pile) - unknown_in(pile):
        return pile
    stretches = (Stretch(height(pile) - len(cards)), Stretch(len(cards), cards, ordered=False))
    return tuple(stretch for stretch in stretches if stretch.count)


def _cards_of(copies: Copies) -> tuple[Card, ...]:
    return tuple([card for card, count in copies.items() for _ in range(count)])
