"""What a partly known hand can be worth."""

from collections import Counter
from itertools import chain

from scorekeeper.match.table.feasible import groups, reach
from scorekeeper.match.table.hand import Hand
from scorekeeper.match.table.pile import known_in
from scorekeeper.match.table.table import Table
from scorekeeper.rules.box import Box


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
