"""A card is laid."""

from typing import Final

from scorekeeper.match.events.card_events import CardPlayed
from scorekeeper.match.events.refusal import Refusal, Violation
from scorekeeper.match.table.hand import held
from scorekeeper.match.table.knowledge import not_in_box, too_many
from scorekeeper.match.table.matching import matches
from scorekeeper.match.table.players import not_in_play, table_of
from scorekeeper.match.table.state import State
from scorekeeper.match.table.table import Table
from scorekeeper.match.turns.effects import not_in_hand, without_unseen_cards
from scorekeeper.match.turns.event_rule import PLAYING, EventRule
from scorekeeper.match.turns.laying import (
    color_needed,
    laid,
    play,
    refused_color,
    refused_outcome,
)
from scorekeeper.match.turns.legality import (
    answers,
    bluff,
    bluffs,
    is_known_bluff,
    out_of_turn,
    was_drawn,
)
from scorekeeper.match.turns.payments import before_turn
from scorekeeper.match.turns.uno import not_called
from scorekeeper.rules.cards import WILD_DRAW_FOUR, face


def refused_play(state: State, event: CardPlayed) -> Refusal | None:
    """Why the card can't have been laid."""
    table = table_of(state)
    refused = (
        not_in_play(state, event.player)
        or not_in_box(state.box, (event.card,))
        or refused_color(state, event.color)
        or color_needed(state, table)
    )
    if refused is not None:
        return refused
    hand = table.hands[event.player]
    if event.card not in hand.known:
        if not hand.unknown:
            return not_in_hand(event.player, (event.card,), hand)
        refused = too_many(state.box, table, (event.card,), beside=1)
        if refused is not None:
            return refused
    return refused_outcome(state, table, event) if event.effects or event.color else None


def breaches_of_play(state: State, event: CardPlayed) -> tuple[Violation, ...]:
    """What forbids the card; whether it is a bluff is another question."""
    table = table_of(state)
    found = _on_penalty(state, table, event)
    if found:
        return found
    if not answers(state, table, event):
        found = out_of_turn(table, event.player)
    fits = matches(state.edition, event.card, table.top, table.color)
    if not fits:
        top = face(table.top or "")
        facts = {
            "player": event.player,
            "card": event.card,
            "top_card": table.top,
            "color": table.color,
            "named_color": table.color if top.color != table.color else None,
        }
        clause = state.edition.match_by.clause
        found = (*found, Violation(clause=clause, reason="card-does-not-match", facts=facts))
    if was_drawn(state.box, table, event) is False:
        facts = {"player": event.player, "card": event.card}
        clause = state.edition.keep.clause
        found = (*found, Violation(clause=clause, reason="not-the-drawn-card", facts=facts))
    return found


def _on_penalty(state: State, table: Table, event: CardPlayed) -> tuple[Violation, ...]:
    """A player whom a penalty hits lays nothing on it, whether it matches or not."""
    if not table.debts:
        return ()
    hits = sum(debt.count for debt in table.debts if debt.hit and debt.player == event.player)
    if not hits or event.player == table.turn or answers(state, table, event):
        return ()
    facts = {"player": event.player, "card": event.card, "count": hits}
    clause = state.edition.lays_on_penalty.clause
    return (Violation(clause=clause, reason="card-on-penalty", facts=facts),)


def flags_of_play(state: State, event: CardPlayed) -> tuple[Violation, ...]:
    """What is recorded whoever tells it: a known bluff, and UNO known not to be called."""
    found: tuple[Violation, ...] = ()
    if event.card == WILD_DRAW_FOUR and is_known_bluff(state, event):
        found = (bluff(state, event.player),)
    if event.uno is False and _owes_call(state, event):
        found = (*found, not_called(state, event.player))
    return found


def _owes_call(state: State, event: CardPlayed) -> bool:
    table = laid(state, event)
    return event.player in table.owing and held(table.hands[event.player]) == 1


def _take_in(state: State, event: CardPlayed) -> None:
    table = table_of(state)
    known_bluff = event.card == WILD_DRAW_FOUR and is_known_bluff(state, event)
    forbidden = event.as_played and bool(breaches_of_play(state, event))
    may_be_called = forbidden or (
        table.drawn is not None and was_drawn(state.box, table, event) is None
    )
    play(state, table, event, may_be_called=may_be_called, known_bluff=known_bluff)


def _in_doubt(state: State, event: CardPlayed) -> bool:
    table = state.table
    if table is None:
        return False
    return bluffs(state, event) is None or was_drawn(state.box, table, event) is None


CARD_PLAYED: Final = EventRule(
    event=CardPlayed,
    names=("player", "effects"),
    presupposes=before_turn,
    phases=PLAYING,
    refuse=refused_play,
    breach=breaches_of_play,
    flag=flags_of_play,
    evolve=_take_in,
    doubt=_in_doubt,
    hides=without_unseen_cards,
)
