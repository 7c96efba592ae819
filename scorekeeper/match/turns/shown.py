"""Hands that are shown or counted, and the hands that a round still waits for."""

from typing import Final

from msgspec.structs import replace

from scorekeeper.match.events.card_events import HandCounted, HandShown
from scorekeeper.match.events.events import TableEvent
from scorekeeper.match.events.refusal import Refusal, Violation, impossible
from scorekeeper.match.knowledge import not_in_box, points_possible, too_many
from scorekeeper.match.known_cards import Hand, card_count, take, without, worth
from scorekeeper.match.state import State, not_in_play, table_of
from scorekeeper.match.table import Drawn, Table, owed, set_hand
from scorekeeper.match.turns.closing import points_contradict, sides_of
from scorekeeper.match.turns.event_rule import IN_A_ROUND, EventRule
from scorekeeper.match.turns.payments import first_paid
from scorekeeper.rules.cards import Card

COUNT: Final = "X-COUNT"


def awaited_players(state: State) -> tuple[str, ...]:
    """Return the players whose hands a round that is out still needs for its scores.

    They are in seating order. The result is empty in any other phase.
    """
    table = state.table
    if state.phase != "showing_hands" or table is None:
        return ()
    counted = state.mode.counted(sides_of(state, table.seats), table.winners)
    return tuple(
        player
        for player in table.seats
        if player in counted
        and (worth(state.box, table.hands[player]) is None or _draws_unseen(table, player))
    )


def _draws_unseen(table: Table, player: str) -> bool:
    """Return whether the player still has to draw cards that the book will not know."""
    count = owed(table, player)
    if not count:
        return False
    taken = take(table.pile, count, ())
    return taken is None or taken.unknown > 0


def hand_contradicts(player: str, hand: Hand, cards: tuple[Card, ...]) -> Refusal | None:
    """Return a refusal if a shown hand lacks a card that the book knows to be in it.

    Only a hand with as many cards as in the book is judged.
    """
    if len(cards) != card_count(hand):
        return None
    missing = without(hand.known, cards)
    if missing:
        return impossible("hand-contradicts-book", player=player, card=missing[0])
    return None


def refused_show(state: State, event: HandShown) -> Refusal | None:
    """Why nobody can have shown this hand."""
    table = table_of(state)
    refused = not_in_play(state, event.player) or not_in_box(state.box, event.cards)
    if refused is not None:
        return refused
    refused = hand_contradicts(event.player, table.hands[event.player], event.cards)
    if refused is not None:
        return refused
    after = table.copy()
    set_hand(after, event.player, Hand(event.cards, 0))
    return too_many(state.box, after, event.cards)


def _count_told(player: str, hand: Hand, cards: int | None) -> tuple[Violation, ...]:
    if cards is None or cards == card_count(hand):
        return ()
    facts = {"player": player, "cards": cards, "book": card_count(hand)}
    return (Violation(clause=COUNT, reason="cards-left", facts=facts),)


def breaches_of_show(state: State, event: HandShown) -> tuple[Violation, ...]:
    """Return a violation if the hand has another number of cards than in the book (X-COUNT)."""
    hand = table_of(state).hands[event.player]
    return _count_told(event.player, hand, len(event.cards))


def show(state: State, event: HandShown) -> None:
    """The hand is known from now on."""
    table = table_of(state).copy()
    before = table.hands[event.player]
    set_hand(table, event.player, Hand(event.cards, 0))
    if before.count == len(event.cards):
        _learn(table, event, before)
    state.lay_out(table)


def _learn(table: Table, event: HandShown, before: Hand) -> None:
    """Use a shown hand to name the cards just drawn, and those of a hand that can be challenged."""
    drawn = table.drawn
    if drawn and table.turn == event.player and drawn.all_unseen_of(before):
        shown = without(event.cards, before.known)
        # A hand does not say in which order its cards were drawn.
        ordered = drawn.ordered if not shown else drawn.count == 1
        table.drawn = Drawn((*drawn.cards, *shown), 0, drawn.beside, ordered)
    suspect = table.suspect
    if suspect and suspect.player == event.player and card_count(suspect.hand) == len(event.cards):
        table.suspect = replace(suspect, hand=Hand(event.cards, 0))


def refused_count(state: State, event: HandCounted) -> Refusal | None:
    """Why no hand of this player can be worth that."""
    table = table_of(state)
    refused = not_in_play(state, event.player)
    if refused is not None:
        return refused
    if event.points < 0:
        return impossible("points-negative", player=event.player, points=event.points)
    hand = table.hands[event.player]
    if worth(state.box, hand) is not None or _count_told(event.player, hand, event.cards_left):
        return None
    if not points_possible(state.box, table, hand, event.points):
        return impossible(
            "points-impossible",
            player=event.player,
            points=event.points,
            cards_left=card_count(hand),
        )
    return None


def breaches_of_count(state: State, event: HandCounted) -> tuple[Violation, ...]:
    """Return a violation for a number of cards, and for points, that contradict the book."""
    hand = table_of(state).hands[event.player]
    return (
        *_count_told(event.player, hand, event.cards_left),
        *points_contradict(state, event.player, hand, event.points),
    )


def count(state: State, event: HandCounted) -> None:
    """Record the value of the hand, without its cards."""
    table = table_of(state).copy()
    hand = table.hands[event.player]
    unknown = hand.unknown or 0
    known = hand.known
    if event.cards_left is not None and event.cards_left != card_count(hand):
        known, unknown = (), event.cards_left
    if unknown or worth(state.box, hand) != event.points:
        set_hand(table, event.player, Hand(known, unknown, event.points))
    state.lay_out(table)


def _own_debts_paid(state: State, event: HandShown | HandCounted) -> TableEvent | None:
    table = table_of(state)
    return first_paid(table, [debt for debt in table.debts if debt.player == event.player])


HAND_SHOWN: Final = EventRule(
    event=HandShown,
    names=("player",),
    presupposes=_own_debts_paid,
    phases=IN_A_ROUND,
    refuse=refused_show,
    breach=breaches_of_show,
    evolve=show,
)

HAND_COUNTED: Final = EventRule(
    event=HandCounted,
    names=("player",),
    presupposes=_own_debts_paid,
    phases=frozenset({"showing_hands"}),
    refuse=refused_count,
    breach=breaches_of_count,
    evolve=count,
)
