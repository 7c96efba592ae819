"""Hands and the draw pile as far as the book knows them.

A hand is some cards, and how many more. The draw pile is stretches of cards, the top one first.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from scorekeeper.rules.cards import Box, Card


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


class Stretch(Struct, frozen=True, gc=False):
    """Some cards of the pile, one on the other.

    `cards` None: nobody knows which; else all of them, in their order or, not `ordered`, in an
    order that nobody knows.
    """

    count: int
    cards: tuple[Card, ...] | None = None
    ordered: bool = True


Pile: TypeAlias = tuple[Stretch, ...]


class Taken(Struct, frozen=True, gc=False):
    """What a draw yields: the cards that are known, how many more, and the pile that is left."""

    cards: tuple[Card, ...]
    unknown: int
    pile: Pile


def unknown_pile(count: int) -> Pile:
    """A pile of which nothing but its height is known."""
    return (Stretch(count),) if count else ()


def known_pile(cards: Sequence[Card], *, ordered: bool = True) -> Pile:
    """A pile of these cards."""
    return (Stretch(len(cards), tuple(cards), ordered),) if cards else ()


def height(pile: Pile) -> int:
    """How many cards lie in it."""
    if len(pile) == 1:
        return pile[0].count
    return sum(stretch.count for stretch in pile)


def unknown_in(pile: Pile) -> int:
    """How many of its cards nobody knows."""
    return sum(stretch.count for stretch in pile if stretch.cards is None)


def on_top(pile: Pile, count: int) -> Mapping[str, object]:
    """The fact `top`: the first cards, `count` at the most; none where they are not known."""
    first = pile[0] if pile else None
    if first is None or first.cards is None or not first.ordered:
        return {}
    return {"top": first.cards[:count]}


def known_in(pile: Pile) -> Iterator[Card]:
    """The cards that are known to lie in it."""
    for stretch in pile:
        if stretch.cards is not None:
            yield from stretch.cards


def lifted(pile: Pile, card: Card) -> Pile:
    """The pile without a card of it, taken from as far below as it can lie."""
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
    """Draw from the top; None where the told cards, at most `count`, can't lie there.

    So it is where the pile has fewer cards.
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
            # Of cards that nobody names, none can be said to have come from here.
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
    """What is left of cards in an unknown order: known only if each drawn one was named."""
    left = without(stretch.cards or (), named)
    below = stretch.count - taken
    return Stretch(below, left, ordered=False) if len(left) == below else Stretch(below)


def _can_be_drawn(
    named: Sequence[Card], mixed: Sequence[tuple[Counter[Card], int]], hidden: int
) -> bool:
    strangers = sum((Counter(named) - sum((c for c, _ in mixed), Counter[Card]())).values())
    return strangers <= hidden and len(named) <= hidden + sum(taken for _, taken in mixed)
