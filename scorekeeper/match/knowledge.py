"""What can be said about cards that nobody recorded: where they can lie, what they can be worth.

Which points some cards can be worth is exact, and quick enough for every tally: all pairs of points
and count are worked out once for what is left of a box, and looked up from then on.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

from msgspec import Struct

from scorekeeper.match.events.refusal import Refusal, impossible
from scorekeeper.match.known_cards import Hand, height, held, known_in
from scorekeeper.match.table import Table
from scorekeeper.rules.cards import Box, Card

Test: TypeAlias = Callable[[Card], bool]

CardGroups: TypeAlias = tuple[tuple[int, int], ...]
"""Points and how many cards are worth that, by points."""


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


def known_to_hold(box: Box, table: Table, hand: Hand, test: Test, player: str | None) -> bool:
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


class Reach(Struct, frozen=True, gc=False):
    """`rows` has for each number of points `width` bytes, little-endian.

    Bit `count` of a row: so many cards can be worth that.
    """

    size: int
    most_points: int
    width: int
    rows: bytes

    def holds(self, points: int, *, at_least: int, at_most: int | None) -> bool:
        """Whether so many of the cards can be worth exactly `points`; None: any number."""
        if points > self.most_points or at_least > self.size:
            return False
        width = self.width
        counts = int.from_bytes(self.rows[points * width : (points + 1) * width], "little")
        if at_most is not None:
            counts &= (1 << at_most + 1) - 1
        return counts >> at_least != 0


def groups(box: Box, taken: Mapping[Card, int]) -> CardGroups:
    """What is left of a box once some cards lie elsewhere."""
    if not taken:
        return box.by_points
    left = dict(box.by_points)
    for card, count in taken.items():
        left[box.points[card]] -= count
    # A log that is read otherwise may show more of a card than the box has, and then none is left.
    return tuple((points, count) for points, count in left.items() if count > 0)


@lru_cache(maxsize=64)
def reach(cards: CardGroups) -> Reach:
    """What some of these cards can be worth."""
    size = sum(count for _, count in cards)
    most_points = sum(value * count for value, count in cards)
    width = size // 8 + 1
    # All rows are one integer, and a group of cards of the same value is a few shifts of it.
    rows = 1
    for value, count in cards:
        step, left = 1, count
        while left:
            taken = min(step, left)
            rows |= rows << taken * (value * width * 8 + 1)
            left -= taken
            step *= 2
    return Reach(size, most_points, width, rows.to_bytes((most_points + 1) * width, "little"))


def points_possible(box: Box, table: Table, hand: Hand, points: int) -> bool:
    """Whether cards that may still be in the hand, with those that are, can be worth that."""
    lying = Counter(
        chain(table.discards, known_in(table.pile), *(h.known for h in table.hands.values()))
    )
    if table.added:
        return True
    known = sum(box.points[card] for card in hand.known)
    unknown = hand.unknown or 0
    if points < known:
        return False
    return reach(groups(box, lying)).holds(points - known, at_least=unknown, at_most=unknown)
