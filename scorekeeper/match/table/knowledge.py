"""What can be said about cards that nobody recorded."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

from scorekeeper.match.events.refusal import Refusal, impossible
from scorekeeper.match.table.hand import Hand, held
from scorekeeper.match.table.pile import height
from scorekeeper.match.table.table import Table
from scorekeeper.rules.box import Box
from scorekeeper.rules.cards import Card

Test: TypeAlias = Callable[[Card], bool]


def located(table: Table, card: Card) -> int:
    """How many copies of a card are known to lie somewhere."""
    count = table.discards.count(card)
    for hand in table.hands.values():
        if hand.known:
            count += hand.known.count(card)
    for stretch in table.pile:
        if stretch.cards is not None:
            count += stretch.cards.count(card)
    return count


def copies(box: Box, table: Table, card: Card) -> int:
    """How many copies of a card there are on this table, at the most."""
    if table.uncounted:
        return box.size
    return box.counts.get(card, 0) + table.added.get(card, 0)


def too_many(box: Box, table: Table, cards: Iterable[Card], *, beside: int = 0) -> Refusal | None:
    """Whether one of these cards lies in more places than the box holds of it.

    `beside`: in how many more than the table shows.
    """
    for card in cards:
        count, in_box = located(table, card) + beside, copies(box, table, card)
        if count > in_box:
            hands = {player: hand.known for player, hand in table.hands.items()}
            return _too_many(card, count, in_box, hands)
    return None


def beyond_box(
    box: Box, hands: Mapping[str, Sequence[Card]], beside: Sequence[Card] = ()
) -> Refusal | None:
    """Whether one box can't hold all these hands, and the cards beside them, at the same time."""
    for card, count in Counter(chain(*hands.values(), beside)).items():
        in_box = box.counts.get(card)
        if in_box is None:
            return impossible("card-not-in-box", card=card, **_holders(card, hands))
        if count > in_box:
            return _too_many(card, count, in_box, hands)
    return None


def _too_many(card: Card, count: int, in_box: int, hands: Mapping[str, Sequence[Card]]) -> Refusal:
    whose = _holders(card, hands)
    return impossible("too-many-of-card", card=card, count=count, in_box=in_box, **whose)


def _holders(card: Card, hands: Mapping[str, Sequence[Card]]) -> Mapping[str, object]:
    """The fact `players`: whose hands are said to have the card, where any are."""
    players = tuple(player for player, cards in hands.items() if card in cards)
    return {"players": players} if players else {}


def not_in_box(box: Box, cards: Iterable[Card]) -> Refusal | None:
    """Whether one of these cards is none of the box."""
    for card in cards:
        if card not in box.counts:
            return impossible("card-not-in-box", card=card)
    return None


def holds(box: Box, table: Table, hand: Hand, test: Test, player: str | None = None) -> bool | None:
    """Whether a hand holds a card that passes; None where that can't be known.

    `player`: whose hand it is, as far as that is unknown. A partly unknown hand holds none if all
    copies of such cards lie elsewhere.
    """
    if known_to_hold(box, table, hand, test, player):
        return True
    return None if hand.unknown and _may_hold(box, table, test) else False


def known_to_hold(
    box: Box, table: Table, hand: Hand, test: Test, player: str | None = None
) -> bool:
    """Whether `holds` is sure that it does, which takes much less to tell.

    Where no other cards than some of this hand are unknown, it holds whatever lies nowhere else.
    """
    for card in hand.known:
        if test(card):
            return True
    if not hand.unknown or player is None or not alone_unknown(box, table, player):
        return False
    return _may_hold(box, table, test)


def _may_hold(box: Box, table: Table, test: Test) -> bool:
    """Whether some card that passes may be among those that nobody knows."""
    for card in box.last_first:
        if test(card) and located(table, card) < copies(box, table, card):
            return True
    return False


def alone_unknown(box: Box, table: Table, player: str) -> bool:
    """Whether every card that is not in this hand is known to lie somewhere."""
    if table.buried or table.uncounted or table.added:
        return False
    for stretch in table.pile:
        if stretch.cards is None and stretch.count:
            return False
    if any(hand.unknown for one, hand in table.hands.items() if one != player):
        return False
    hands = sum(held(hand) for hand in table.hands.values())
    return hands + len(table.discards) + height(table.pile) == box.size
