"""Points counted at a catch, and players who leave the match by them in the middle of a round."""

from scorekeeper.match.events.refusal import Refusal, Violation, impossible
from scorekeeper.match.table.hand import Hand, held, worth
from scorekeeper.match.table.state import State
from scorekeeper.match.table.table import Table, end_round, give_turn, next_seat, owe_no_call
from scorekeeper.match.table.worth import points_possible
from scorekeeper.rules.scoring import knocked_out


def points_needed(state: State, player: str, hand: Hand, points: int | None) -> Refusal | None:
    """Whether a catch counts a hand whose value nobody knows, or one that it can't have."""
    if not state.options.caught_counts:
        return None
    if points is None:
        if worth(state.box, hand) is None:
            return Refusal(code="points-needed", facts={"player": player})
        return None
    if points < 0:
        return impossible("points-negative", player=player, points=points)
    if hand.unknown and state.table and not points_possible(state.box, state.table, hand, points):
        return impossible("points-impossible", player=player, points=points, cards_left=held(hand))
    return None


def points_contradict(
    state: State, player: str, hand: Hand, points: int | None
) -> tuple[Violation, ...]:
    """Told points that are not those of the cards that the book knows."""
    book = worth(state.box, hand)
    if points is None or book is None or points == book:
        return ()
    facts = {"player": player, "points": points, "book": book}
    return (Violation(clause=state.edition.points.clause, reason="points-told", facts=facts),)


def points_seen(state: State, hand: Hand | None, points: int | None) -> int | None:
    """The points that a catch counted, which are said aloud; None where it counted none."""
    if points is not None or hand is None or not state.options.caught_counts:
        return points
    return worth(state.box, hand)


def charge(state: State, table: Table, player: str, hand: Hand, points: int | None) -> bool:
    """Count a hand against a player who was caught; whether that player is now out.

    Others can be out by it too: where two remain, the target itself has lost.
    """
    if not state.options.caught_counts:
        return False
    counted = points if points is not None else worth(state.box, hand) or 0
    table.charges = {**table.charges, player: table.charges.get(player, 0) + counted}
    totals = {p: state.totals[p] + table.charges.get(p, 0) for p in table.seats}
    leaving = knocked_out(totals, state.scoring.target)
    for one in leaving:
        _leave(table, one)
    if len(table.seats) < 2:
        end_round(table, table.seats)
        table.debts = ()
    return player in leaving


def _leave(table: Table, player: str) -> None:
    """The hand goes under the discard pile, and the seat is skipped from now on."""
    hand = table.hands[player]
    table.hands = {p: h for p, h in table.hands.items() if p != player}
    table.discards = (*hand.known, *table.discards)
    table.buried += hand.unknown or 0
    table.debts = tuple(d for d in table.debts if player not in (d.player, d.to))
    owe_no_call(table, player)
    table.skipped = tuple(p for p in table.skipped if p != player)
    if table.suspect and player in (table.suspect.player, table.suspect.challenger):
        table.suspect = None
    if table.blow and player in (table.blow.source, table.blow.victim):
        table.blow = None
    table.misplayed = None
    after = next_seat(table, player)
    table.seats = tuple(p for p in table.seats if p != player)
    table.out = (*table.out, player)
    if after == player:
        return
    if table.color_pending == player:
        table.color_pending = after
    if table.next_turn == player:
        table.next_turn = after
    if table.turn == player:
        give_turn(table, after)
