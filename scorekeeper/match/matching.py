"""Which card may be laid on which."""

from scorekeeper.match.hand import Hand
from scorekeeper.match.knowledge import alone_unknown, holds
from scorekeeper.match.table import Table
from scorekeeper.rules.box import Box
from scorekeeper.rules.cards import WILD_DRAW_FOUR, Card, Color, face
from scorekeeper.rules.edition import Edition
from scorekeeper.rules.parameters import Keep, MatchBy, WildDrawFourLegal


def matches(edition: Edition, card: Card, top: Card | None, color: Color | None) -> bool:
    """Whether a card fits on the top card while that colour is in force.

    A wild of any kind always does; where no colour is in force (None), so does every card.
    """
    laid = face(card)
    if laid.color is None or color is None or top is None:
        return True
    by = edition.match_by.value
    if laid.color == color and MatchBy.COLOR in by:
        return True
    if laid.symbol != face(top).symbol:
        return False
    return (MatchBy.NUMBER if laid.is_number else MatchBy.SYMBOL) in by


def is_bluff(
    edition: Edition,
    box: Box,
    table: Table,
    hand: Hand,
    top: Card | None,
    color: Color | None,
    *,
    alone: bool,
) -> bool | None:
    """Whether a wild-draw-four was laid on `top` beside a hand that forbids it.

    None where the hand is not known well enough. `alone`: as `holds` takes it.
    """
    if hand.unknown == 0 and not hand.known:
        return False
    legal = edition.wild_draw_four_legal.value

    def forbids(card: Card) -> bool:
        if card == WILD_DRAW_FOUR:
            return False
        if legal is WildDrawFourLegal.PLAYABLE:
            return matches(edition, card, top, color)
        own = face(card).color
        if own is None:
            return legal is WildDrawFourLegal.COLOR_OR_WILD
        return own == color

    return holds(box, table, hand, forbids, alone=alone)


def may_not_draw(edition: Edition, box: Box, table: Table, player: str) -> bool | None:
    """Whether a player draws although a card of the hand has to be played first.

    None where the hand is not known well enough.
    """
    keep = edition.keep.value
    if keep is Keep.ANYTHING:
        return False
    top, color = table.top, table.color

    def playable(card: Card) -> bool:
        # Beside a wild-draw-four that may not be laid there is always another card that may.
        if card == WILD_DRAW_FOUR:
            return keep is Keep.NOTHING
        return matches(edition, card, top, color)

    alone = alone_unknown(box, table, player)
    return holds(box, table, table.hands[player], playable, alone=alone)
