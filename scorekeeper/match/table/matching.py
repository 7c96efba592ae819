"""Which card may be laid on which."""

from typing import Final

from scorekeeper.match.table.knowledge import Test
from scorekeeper.rules.cards import WILD_DRAW_FOUR, Card, Color, face
from scorekeeper.rules.edition import Edition
from scorekeeper.rules.parameters import Keep, LastCard, MatchBy, WildDrawFourLegal

_COLOR: Final = MatchBy.COLOR
_NUMBER: Final = MatchBy.NUMBER
_SYMBOL: Final = MatchBy.SYMBOL
_PLAYABLE: Final = WildDrawFourLegal.PLAYABLE
_COLOR_OR_WILD: Final = WildDrawFourLegal.COLOR_OR_WILD
_ANYTHING: Final = Keep.ANYTHING
_NOTHING: Final = Keep.NOTHING
_NUMBER_LAST: Final = LastCard.NUMBER


def matches(edition: Edition, card: Card, top: Card | None, color: Color | None) -> bool:
    """Whether a card fits on the top card while that colour is in force.

    A wild of any kind always does; where no colour is in force (None), so does every card.
    """
    laid = face(card)
    if laid.color is None or color is None or top is None:
        return True
    by = edition.match_by.value
    if laid.color == color and _COLOR in by:
        return True
    if laid.symbol != face(top).symbol:
        return False
    return (_NUMBER if laid.is_number else _SYMBOL) in by


def bars_wild_draw_four(edition: Edition, top: Card | None, color: Color | None) -> Test:
    """Which cards must not stay in a hand from which a wild-draw-four is laid on `top`."""
    legal = edition.wild_draw_four_legal.value

    def bars(card: Card) -> bool:
        if card == WILD_DRAW_FOUR:
            return False
        if legal is _PLAYABLE:
            return matches(edition, card, top, color)
        own = face(card).color
        if own is None:
            return legal is _COLOR_OR_WILD
        return own == color

    return bars


def playable(edition: Edition, top: Card | None, color: Color | None) -> Test:
    """Which cards can be played, in the sense of a duty to play one.

    Nobody has to play a wild-draw-four.
    """

    def fits(card: Card) -> bool:
        return card != WILD_DRAW_FOUR and matches(edition, card, top, color)

    return fits


def forbidden_last(edition: Edition, card: Card) -> bool:
    """Whether the card must not be the one that empties its player's hand."""
    last = edition.house.last_card
    if last is None:
        return False
    printed = face(card)
    return not printed.is_number if last.value is _NUMBER_LAST else printed.is_wild


def bars_drawing(
    edition: Edition, top: Card | None, color: Color | None, *, last: bool = False
) -> Test | None:
    """Which cards have to be played before anybody draws; None where all may be kept back.

    `last`: whoever draws holds a single card.
    """
    keep = edition.keep.value
    if keep is _ANYTHING:
        return None

    def bars(card: Card) -> bool:
        if last and forbidden_last(edition, card):
            return False
        # Beside a wild-draw-four that may not be laid there is always another card that may.
        if card == WILD_DRAW_FOUR:
            return keep is _NOTHING
        return matches(edition, card, top, color)

    return bars
