"""Which card may be laid on which, and whether a card that can be laid may be laid now."""

from typing import Final

from scorekeeper.match.events.card_events import CardPlayed
from scorekeeper.match.events.refusal import Violation
from scorekeeper.match.knowledge import Test, copies, holds, known_to_hold, located
from scorekeeper.match.known_cards import NO_CARDS, Hand, hand_without
from scorekeeper.match.state import State, table_of
from scorekeeper.match.table import Table
from scorekeeper.rules.cards import WILD_DRAW_FOUR, Box, Card, Color
from scorekeeper.rules.edition import Edition
from scorekeeper.rules.parameters import Bluff, JumpIn, Keep, LastCard, MatchBy, WildDrawFourLegal

# Bound once: to look a member up in its enum costs a play two calls each time.
_COLOR: Final = MatchBy.COLOR
_NUMBER: Final = MatchBy.NUMBER
_SYMBOL: Final = MatchBy.SYMBOL
_PLAYABLE: Final = WildDrawFourLegal.PLAYABLE
_COLOR_OR_WILD: Final = WildDrawFourLegal.COLOR_OR_WILD
_ANYTHING: Final = Keep.ANYTHING
_NOTHING: Final = Keep.NOTHING
_NUMBER_LAST: Final = LastCard.NUMBER
_ANY: Final = JumpIn.ANY
_LEGAL: Final = Bluff.LEGAL

TURN: Final = "X-TURN"


def matches(edition: Edition, card: Card, top: Card | None, color: Color | None) -> bool:
    """Return whether a card fits on the top card while this colour is in force.

    A wild of any kind always fits. If no colour is in force (None), every card fits.
    """
    printed = edition.face(card)
    if printed.color is None or color is None or top is None:
        return True
    by = edition.match_by.value
    if printed.color == color and _COLOR in by:
        return True
    if printed.symbol != edition.face(top).symbol:
        return False
    return (_NUMBER if printed.is_number else _SYMBOL) in by


def bars_wild_draw_four(edition: Edition, top: Card | None, color: Color | None) -> Test:
    """Return a test for the cards that make a wild-draw-four illegal if they stay in the hand.

    `top`, `color`: those before it is laid.
    """
    legal = edition.wild_draw_four_legal.value

    def bars(card: Card) -> bool:
        if card == WILD_DRAW_FOUR:
            return False
        if legal is _PLAYABLE:
            return matches(edition, card, top, color)
        own = edition.face(card).color
        if own is None:
            return legal is _COLOR_OR_WILD
        return own == color

    return bars


def playable(edition: Edition, top: Card | None, color: Color | None) -> Test:
    """Return a test for the cards that count as playable if there is a duty to play one.

    Nobody has to play a wild-draw-four.
    """

    def fits(card: Card) -> bool:
        return card != WILD_DRAW_FOUR and matches(edition, card, top, color)

    return fits


def forbidden_last(edition: Edition, card: Card) -> bool:
    """Return whether a house rule forbids the card as the last one of a hand."""
    last = edition.house.last_card
    if last is None:
        return False
    printed = edition.face(card)
    return not printed.is_number if last.value is _NUMBER_LAST else printed.is_wild


def bars_drawing(
    edition: Edition, top: Card | None, color: Color | None, *, last: bool
) -> Test | None:
    """Return a test for the cards that a player has to play and not keep back for a draw.

    None if all cards may be kept back. `last`: the player holds a single card.
    """
    keep = edition.keep.value
    if keep is _ANYTHING:
        return None

    def bars(card: Card) -> bool:
        if last and forbidden_last(edition, card):
            return False
        # If the wild-draw-four may not be laid, the hand has another card that must be played.
        if card == WILD_DRAW_FOUR:
            return keep is _NOTHING
        return matches(edition, card, top, color)

    return bars


def out_of_turn(table: Table, player: str) -> tuple[Violation, ...]:
    """Return a violation of X-TURN if the player is not on turn."""
    if player == table.turn:
        return ()
    facts = {"player": player, "turn": table.turn}
    return (Violation(clause=TURN, reason="out-of-turn", facts=facts),)


def answers_penalty(state: State, table: Table, event: CardPlayed) -> bool:
    """Return whether the card may be laid by a player whom a penalty hits, as an answer to it."""
    blow = table.blow
    return (
        blow is not None
        and blow.victim == event.player
        and (
            (
                blow.source is not None
                and state.edition.face(event.card).symbol in state.edition.lays_on_penalty.value
            )
            or stackable(state.edition, table, event.card)
        )
    )


def stackable(edition: Edition, table: Table, card: Card) -> bool:
    """Return whether the card may be stacked on the penalty card on top, adding to its draws."""
    stacks = edition.house.stacks
    if stacks is None or table.blow is None:
        return False
    lying = edition.face(table.top or "").symbol
    return edition.face(card).symbol in stacks.value.get(lying, ())


def jumps_in(state: State, table: Table, event: CardPlayed) -> bool:
    """Return whether the play is a jump-in that the house rule allows (V-JUMP-IN)."""
    jump_in = state.edition.house.jump_in
    if not event.jump_in or jump_in is None:
        return False
    if not table.laid or event.card != table.top:
        return False
    return jump_in.value is _ANY or not state.edition.face(event.card).is_wild


def was_drawn(box: Box, table: Table, event: CardPlayed) -> bool | None:
    """Return whether all laid cards are among those that their player has just drawn.

    It is True as well if the player is not on turn, or has drawn no card in this turn. It is None
    if that is not known.
    """
    drawn = table.drawn
    if drawn is None or event.player != table.turn:
        return True
    hand, card = table.hands[event.player], event.card
    seen = drawn.cards.count(card)
    if seen >= event.number:
        return True
    if seen + drawn.unknown < event.number:
        return False
    known = hand.known.count(card)
    if known == seen:
        return True if drawn.all_unseen_of(hand) else None
    elsewhere = located(table, card) - known
    left = copies(box, table, card) - elsewhere - drawn.beside.count(card)
    return None if left >= event.number else False


def bluffs(state: State, event: CardPlayed) -> bool | None:
    """Return whether a wild-draw-four is laid beside a hand that forbids it; None: not known."""
    if event.card != WILD_DRAW_FOUR:
        return False
    table = table_of(state)
    if state.edition.house.bluff is not None and state.edition.house.bluff.value is _LEGAL:
        return False
    bars = bars_wild_draw_four(state.edition, table.top, table.color)
    return holds(state.box, table, hand_left(table, event), bars, event.player)


def is_known_bluff(state: State, event: CardPlayed) -> bool:
    """Return whether what is known of the hand forbids the wild-draw-four that is laid."""
    table = table_of(state)
    bars = bars_wild_draw_four(state.edition, table.top, table.color)
    return known_to_hold(state.box, table, hand_left(table, event), bars, event.player)


def hand_left(table: Table, event: CardPlayed) -> Hand:
    """Return the hand of the card's player without the card. `table`: the one before the play."""
    return hand_without(table.hands[event.player], event.cards) or NO_CARDS


def bluff_violation(state: State, player: str) -> Violation:
    """Return the violation of a player who lays a wild-draw-four that the hand forbids."""
    edition = state.edition
    return Violation(
        clause=(edition.house.bluff or edition.wild_draw_four_legal).clause,
        reason="wild-draw-four-bluff",
        facts={"player": player, "card": WILD_DRAW_FOUR},
    )
