"""Whether a card that can be laid may be laid."""

from typing import Final

from scorekeeper.match.events.card_events import CardPlayed
from scorekeeper.match.events.refusal import Violation
from scorekeeper.match.table.hand import Hand, less_one
from scorekeeper.match.table.knowledge import copies, holds, known_to_hold, located
from scorekeeper.match.table.matching import bars_wild_draw_four
from scorekeeper.match.table.players import table_of
from scorekeeper.match.table.state import State
from scorekeeper.match.table.table import Table
from scorekeeper.rules.box import Box
from scorekeeper.rules.cards import WILD_DRAW_FOUR, face

TURN: Final = "X-TURN"


def out_of_turn(table: Table, player: str) -> tuple[Violation, ...]:
    """A move by a player who is not on turn."""
    if player == table.turn:
        return ()
    facts = {"player": player, "turn": table.turn}
    return (Violation(clause=TURN, reason="out-of-turn", facts=facts),)


def answers(state: State, table: Table, event: CardPlayed) -> bool:
    """Whether the card is laid by a player whom a penalty hits, and may be."""
    blow = table.blow
    return (
        blow is not None
        and blow.victim == event.player
        and face(event.card).symbol in state.edition.lays_on_penalty.value
    )


def was_drawn(box: Box, table: Table, event: CardPlayed) -> bool | None:
    """Whether the card is the one that its player has just drawn; True where none was drawn.

    None where it may be that one or another.
    """
    drawn = table.drawn
    if drawn is None or event.player != table.turn or event.card in drawn.cards:
        return True
    if not drawn.unknown:
        return False
    hand, card = table.hands[event.player], event.card
    if card not in hand.known:
        return True if (hand.unknown or 0) == drawn.unknown else None
    elsewhere = located(table, card) - hand.known.count(card)
    left = copies(box, table, card) - elsewhere - drawn.beside.count(card)
    return None if left > 0 else False


def bluffs(state: State, event: CardPlayed) -> bool | None:
    """Whether a wild-draw-four is laid beside a hand that forbids it; None: not known."""
    if event.card != WILD_DRAW_FOUR:
        return False
    table = table_of(state)
    bars = bars_wild_draw_four(state.edition, table.top, table.color)
    return holds(state.box, table, _left_with(table, event), bars, event.player)


def is_known_bluff(state: State, event: CardPlayed) -> bool:
    """Whether what is known of the hand forbids the wild-draw-four that is laid."""
    table = table_of(state)
    bars = bars_wild_draw_four(state.edition, table.top, table.color)
    return known_to_hold(state.box, table, _left_with(table, event), bars, event.player)


def _left_with(table: Table, event: CardPlayed) -> Hand:
    return less_one(table.hands[event.player], event.card) or Hand(unknown=0)


def bluff(state: State, player: str) -> Violation:
    """The breach of whoever lays a wild-draw-four that is not allowed."""
    return Violation(
        clause=state.edition.wild_draw_four_legal.clause,
        reason="wild-draw-four-bluff",
        facts={"player": player, "card": WILD_DRAW_FOUR},
    )
