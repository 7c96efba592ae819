"""What must have happened before an event that the table tells, although nobody told it."""

from scorekeeper.match.events.card_events import (
    CardGiven,
    CardPlayed,
    CardsDrawn,
    HandCounted,
    HandShown,
    PileReshuffled,
    TurnPassed,
)
from scorekeeper.match.events.dispute_events import DisputeEvent
from scorekeeper.match.events.events import (
    MatchClosed,
    PlayerSubstituted,
    RoundStarted,
    RoundTallied,
    SeatsChanged,
    TableEvent,
)
from scorekeeper.match.table.pile import height
from scorekeeper.match.table.state import State
from scorekeeper.match.table.table import Debt, Table, owed
from scorekeeper.match.turns.effects import drawn_by_effects
from scorekeeper.match.turns.legality import answers
from scorekeeper.match.turns.reshuffles import reshuffled_early

BETWEEN = (RoundTallied, RoundStarted, SeatsChanged, PlayerSubstituted, MatchClosed)
PAYMENTS = (CardsDrawn, PileReshuffled)


def presupposed(state: State, event: TableEvent | DisputeEvent) -> TableEvent | None:
    """The next entry that has to stand before the event; ask again once it is taken in."""
    table = state.table
    if table is None or state.phase not in ("playing", "showing_hands"):
        return None
    match event:
        case CardPlayed() | TurnPassed():
            return _before_turn(state, table, event)
        case CardsDrawn():
            before = None if owed(table, event.player) else _before_turn(state, table, event)
            return before or _pile_for_told(state, table, event.number)
        case HandShown() | HandCounted():
            return _paid(table, [d for d in table.debts if d.player == event.player])
        case _ if isinstance(event, BETWEEN):
            return _paid(table, table.debts)
        case _:
            return None


def _before_turn(
    state: State, table: Table, event: CardPlayed | TurnPassed | CardsDrawn
) -> TableEvent | None:
    """Somebody acts: the others have paid and passed, and so has whoever begins a turn."""
    player = event.player
    if player not in table.seats or table.color_pending is not None:
        return None
    if table.drawn is not None and table.turn not in (None, player):
        # The turn ends without a card, which is an act of its own and presupposes as much.
        passed = TurnPassed(player=table.turn or "")
        return _before_turn(state, table, passed) or passed
    if table.debts:
        answering = isinstance(event, CardPlayed) and answers(state, table, event)
        own = table.turn == player
        due = [d for d in table.debts if d.player != player or own or (answering and not d.hit)]
        if due:
            return payment(table, due[0])
    if isinstance(event, CardPlayed) and event.effects:
        return _pile_for_told(state, table, drawn_by_effects(event))
    return None


def _paid(table: Table, debts: "tuple[Debt, ...] | list[Debt]") -> TableEvent | None:
    return payment(table, debts[0]) if debts else None


def payment(table: Table, debt: Debt) -> TableEvent:
    """The entry that pays a debt, or the reshuffle that it needs first."""
    if debt.kind == "give":
        return CardGiven(player=debt.player, to=debt.to or debt.player)
    shuffled = _pile_for(table, debt.count)
    return shuffled or CardsDrawn(player=debt.player, count=min(debt.count, height(table.pile)))


def _pile_for_told(state: State, table: Table, count: int) -> PileReshuffled | None:
    """The same for a draw that the table tells; where only a forbidden one needs it, as played."""
    shuffled = _pile_for(table, count)
    if shuffled is not None and reshuffled_early(state):
        return PileReshuffled(as_played=True)
    return shuffled


def _pile_for(table: Table, count: int) -> PileReshuffled | None:
    """The reshuffle without which so many cards can't be drawn."""
    if height(table.pile) < count and table.under_top:
        return PileReshuffled()
    return None
