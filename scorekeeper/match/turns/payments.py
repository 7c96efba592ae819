"""What players owe is paid before anything goes on, whoever tells it or not."""

from collections.abc import Sequence
from typing import Final

from scorekeeper.match.events.card_events import (
    CardGiven,
    CardPlayed,
    CardsDrawn,
    PileReshuffled,
    TurnPassed,
)
from scorekeeper.match.events.events import TableEvent
from scorekeeper.match.table.pile import height
from scorekeeper.match.table.players import table_of
from scorekeeper.match.table.state import State
from scorekeeper.match.table.table import Debt, Table
from scorekeeper.match.turns.effects import drawn_by_effects
from scorekeeper.match.turns.legality import answers, jumps_in
from scorekeeper.match.turns.reshuffles import reshuffled_early

PAYMENTS: Final = (CardsDrawn, PileReshuffled)
"""What a table that draws tells, and would tell again if it were written before."""


def before_turn(state: State, event: CardPlayed | TurnPassed | CardsDrawn) -> TableEvent | None:
    """Somebody acts: the others have paid and passed, and so has whoever begins a turn."""
    table, player = table_of(state), event.player
    if player not in table.seats or table.color_pending is not None:
        return None
    jumping = isinstance(event, CardPlayed) and jumps_in(state, table, event)
    if table.drawn is not None and table.turn not in (None, player) and not jumping:
        # The turn ends without a card, which is an act of its own and presupposes as much.
        passed = TurnPassed(player=table.turn or "")
        return before_turn(state, passed) or passed
    if table.debts:
        answering = isinstance(event, CardPlayed) and answers(state, table, event)
        own = table.turn == player
        if jumping:
            due = [d for d in table.debts if not _waits(table, d)]
        else:
            due = [d for d in table.debts if d.player != player or own or (answering and not d.hit)]
        if due:
            return payment(table, due[0])
    if isinstance(event, CardPlayed) and event.effects:
        return pile_for(state, drawn_by_effects(event))
    return None


def _waits(table: Table, debt: Debt) -> bool:
    """Whether nothing is drawn or challenged yet of what the card on top does to a player."""
    return table.blow is not None and debt.hit and debt.player == table.blow.victim


def pile_for(state: State, count: int) -> PileReshuffled | None:
    """The reshuffle without which so many cards, which are told, can't be drawn.

    Where only a draw that is forbidden needs it, it is as played.
    """
    shuffled = _pile_for(table_of(state), count)
    if shuffled is not None and reshuffled_early(state):
        return PileReshuffled(as_played=True)
    return shuffled


def first_paid(table: Table, debts: Sequence[Debt]) -> TableEvent | None:
    """The entry that pays the first of these debts, of which there may be none."""
    return payment(table, debts[0]) if debts else None


def payment(table: Table, debt: Debt) -> TableEvent:
    """The entry that pays a debt, or the reshuffle that it needs first."""
    if debt.kind == "give":
        return CardGiven(player=debt.player, to=debt.to or debt.player)
    shuffled = _pile_for(table, debt.count)
    return shuffled or CardsDrawn(player=debt.player, count=min(debt.count, height(table.pile)))


def _pile_for(table: Table, count: int) -> PileReshuffled | None:
    if height(table.pile) < count and table.under_top:
        return PileReshuffled()
    return None
