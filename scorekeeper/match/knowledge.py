"""What can be said about cards that nobody recorded: where they can lie, what they can be worth.

The points that some cards can be worth are computed exactly. To be fast enough for every tally, all
possible pairs of points and number of cards are computed once for what is left of a box, and are
then looked up.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

from msgspec import Struct

from scorekeeper.match.events.refusal import Refusal, impossible
from scorekeeper.match.known_cards import Hand, card_count, height, known_in
from scorekeeper.match.table import Table
from scorekeeper.rules.cards import Box, Card

Test: TypeAlias = Callable[[Card], bool]

CardGroups: TypeAlias = tuple[tuple[int, int], ...]
"""Pairs of a value in points and the number of cards with that value, in ascending order."""


def located(table: Table, card: Card) -> int:
    """Return how many copies of a card are known to be in hands and piles."""
    count = table.discards.count(card)
    for hand in table.hands.values():
        if hand.known:
            count += hand.known.count(card)
    for stretch in table.pile:
        if stretch.cards is not None:
            count += stretch.cards.count(card)
    return count


def copies(box: Box, table: Table, card: Card) -> int:
    """Return how many copies of a card there can be on this table."""
    if table.uncounted:
        return box.size
    return box.counts.get(card, 0) + table.added.get(card, 0)


def too_many(box: Box, table: Table, cards: Iterable[Card], *, beside: int = 0) -> Refusal | None:
    """Return a refusal if there are more copies of one of these cards than there can be.

    `beside`: how many copies there are in addition to those that the table shows.
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
    """Return a refusal if one box can't hold all these hands and the cards in `beside` at once."""
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
    """Return the fact `players`: those whose hands have the card. It is left out if none has."""
    players = tuple(player for player, cards in hands.items() if card in cards)
    return {"players": players} if players else {}


def not_in_box(box: Box, cards: Iterable[Card]) -> Refusal | None:
    """Return a refusal if the box does not have one of these cards."""
    for card in cards:
        if card not in box.counts:
            return impossible("card-not-in-box", card=card)
    return None


def holds(box: Box, table: Table, hand: Hand, test: Test, player: str | None = None) -> bool | None:
    """Return whether a hand holds a card that passes the test, None if that can't be known.

    `player`: the player who has the unknown cards of this hand now, None if nobody can say. A hand
    with unknown cards holds no such card if all copies of such cards are located elsewhere.
    """
    if known_to_hold(box, table, hand, test, player):
        return True
    return None if hand.unknown and _may_hold(box, table, test) else False


def known_to_hold(box: Box, table: Table, hand: Hand, test: Test, player: str | None) -> bool:
    """Return whether `holds` would return True, which is much faster to find out.

    If no cards are unknown except some of this hand, the hand holds every card that is not located
    elsewhere.
    """
    for card in hand.known:
        if test(card):
            return True
    if not hand.unknown or player is None or not alone_unknown(box, table, player):
        return False
    return _may_hold(box, table, test)


def _may_hold(box: Box, table: Table, test: Test) -> bool:
    """Return whether a card that passes the test may be among the unknown cards of the table."""
    for card in box.last_first:
        if test(card) and located(table, card) < copies(box, table, card):
            return True
    return False


def alone_unknown(box: Box, table: Table, player: str) -> bool:
    """Return whether all cards outside this player's hand are known, with the place of each."""
    if table.buried or table.uncounted or table.added:
        return False
    for stretch in table.pile:
        if stretch.cards is None and stretch.count:
            return False
    if any(hand.unknown for one, hand in table.hands.items() if one != player):
        return False
    hands = sum(card_count(hand) for hand in table.hands.values())
    return hands + len(table.discards) + height(table.pile) == box.size


class Reach(Struct, frozen=True, gc=False):
    """Which points any number of some given cards can be worth together.

    `size`: how many cards there are. `most_points`: what all of them are worth together. `rows`:
    for each number of points from 0 to `most_points`, a row of `width` bytes, little-endian. Bit n
    of the row is set if some n of the cards are worth that many points.
    """

    size: int
    most_points: int
    width: int
    rows: bytes

    def holds(self, points: int, *, at_least: int, at_most: int | None) -> bool:
        """Return whether a number of the cards in these bounds can be worth exactly `points`.

        Both bounds are included. `at_most` None: no upper bound.
        """
        if points > self.most_points or at_least > self.size:
            return False
        width = self.width
        counts = int.from_bytes(self.rows[points * width : (points + 1) * width], "little")
        if at_most is not None:
            counts &= (1 << at_most + 1) - 1
        return counts >> at_least != 0


def groups(box: Box, taken: Mapping[Card, int]) -> CardGroups:
    """Return the cards that are left of a box, grouped by points.

    `taken`: how many copies of each card are located elsewhere.
    """
    if not taken:
        return box.by_points
    left = dict(box.by_points)
    for card, count in taken.items():
        left[box.points[card]] -= count
    # In an amended log, more copies of a card may be located than the box has. Then none is left.
    return tuple((points, count) for points, count in left.items() if count > 0)


@lru_cache(maxsize=64)
def reach(cards: CardGroups) -> Reach:
    """Return which points any number of these cards can be worth."""
    size = sum(count for _, count in cards)
    most_points = sum(value * count for value, count in cards)
    width = size // 8 + 1
    # All rows form one integer. To add a group of cards with the same value takes a few shifts.
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
    """Return whether the hand can be worth `points`, for some choice of its unknown cards."""
    if table.added:
        return True
    lying = Counter(
        chain(table.discards, known_in(table.pile), *(h.known for h in table.hands.values()))
    )
    known = box.worth(hand.known)
    unknown = hand.unknown or 0
    if points < known:
        return False
    return reach(groups(box, lying)).holds(points - known, at_least=unknown, at_most=unknown)
