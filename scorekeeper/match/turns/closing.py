"""How a round and a match end, what is counted then, and who is eliminated before.

Points are counted at the end of a round, and at a catch in the middle of one. A catch can eliminate
a player from the match while the others play on.
"""

from collections.abc import Collection, Mapping
from typing import Final

from msgspec.structs import replace

from scorekeeper.match.events.events import (
    MatchAbandoned,
    MatchClosed,
    MatchWon,
    RoundEnded,
    RoundTallied,
    RoundVoided,
)
from scorekeeper.match.events.refusal import Refusal, Violation, impossible
from scorekeeper.match.knowledge import points_possible
from scorekeeper.match.known_cards import UNTOLD, Hand, Hands, card_count, worth
from scorekeeper.match.state import Round, State, running_round
from scorekeeper.match.table import Table, end_round, give_turn, next_seat, owe_no_call
from scorekeeper.match.turns.dealing import pass_the_deal
from scorekeeper.match.turns.event_rule import BETWEEN_ROUNDS, IN_A_ROUND, EventRule
from scorekeeper.rules.scoring import Sides, has_won, knocked_out


def charges_with(state: State, tally: RoundTallied) -> dict[str, int]:
    """Return the points counted at catches in the round, by player.

    The tally's points prevail over those in the book. The result is empty if the tally has scores,
    because scores already contain these points.
    """
    if tally.scores is not None:
        return {}
    return {**state.charges, **(tally.charges or {})}


def left_after(state: State, charges: Mapping[str, int]) -> tuple[str, ...]:
    """Return the players who are still in once these points are counted, in seating order.

    `charges`: the points counted at catches in the running round, by player.
    """
    if not charges:
        return state.staying
    totals = {player: state.totals[player] + charges.get(player, 0) for player in state.staying}
    out = knocked_out(totals, state.scoring.target)
    return tuple(player for player in totals if player not in out)


def caught_out(state: State) -> tuple[str, ...]:
    """Return the players whom catches have eliminated in the running round.

    They are in the order of the catches. Nobody knows this order of those whom only a tally's
    charges eliminate: they follow in seating order.
    """
    running = state.running
    if running is None:
        return ()
    if state.table is not None:
        return state.table.out
    left = left_after(state, state.charges)
    earlier = tuple(player for player in running.caught_out if player not in left)
    return earlier + tuple(
        player for player in state.staying if player not in left and player not in earlier
    )


def sides_of(state: State, players: Collection[str]) -> Sides:
    """Return the sides that have a member among the given players.

    `players`: players of the match, each named once.
    """
    if len(players) == len(state.totals):
        return state.sides
    return tuple(side for side in state.sides if has_won(side, players))


def points_needed(state: State, player: str, hand: Hand, points: int | None) -> Refusal | None:
    """Return a refusal if a catch counts a hand whose value is unknown or impossible."""
    if not state.options.caught_counts:
        return None
    if points is None:
        if worth(state.box, hand) is None:
            return Refusal(code="points-needed", facts={"player": player})
        return None
    if points < 0:
        return impossible("points-negative", player=player, points=points)
    if hand.unknown and state.table and not points_possible(state.box, state.table, hand, points):
        return impossible(
            "points-impossible", player=player, points=points, cards_left=card_count(hand)
        )
    return None


def points_contradict(
    state: State, player: str, hand: Hand, points: int | None
) -> tuple[Violation, ...]:
    """Return a violation if the told points differ from those of the hand that the book knows."""
    book = worth(state.box, hand)
    if points is None or book is None or points == book:
        return ()
    facts = {"player": player, "points": points, "book": book}
    return (Violation(clause=state.edition.points.clause, reason="points-told", facts=facts),)


def points_seen(state: State, hand: Hand | None, points: int | None) -> int | None:
    """Return the points that a catch counted, which are said aloud, or None if it counted none."""
    if points is not None or hand is None or not state.options.caught_counts:
        return points
    return worth(state.box, hand)


def charge(state: State, table: Table, player: str, hand: Hand, points: int | None) -> bool:
    """Count a hand against a player who was caught, and return whether that eliminates the player.

    It can eliminate others too: if two players remain, a total of exactly the target has lost. If
    catches don't count in this match, nothing happens, and the result is False.
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
    """Take a player out of the round.

    The hand goes under the discard pile, and the seat is skipped from now on (H-ELIMINATION).
    """
    hand = table.hands[player]
    table.hands = {p: h for p, h in table.hands.items() if p != player}
    if table.discards:
        table.discards = (*hand.known, *table.discards)
        table.buried += hand.unknown or 0
    else:
        # The top card is not known, but it is no card of this hand.
        table.buried += card_count(hand)
    table.debts = tuple(d for d in table.debts if player not in (d.player, d.to))
    owe_no_call(table, player)
    table.skipped = tuple(p for p in table.skipped if p != player)
    table.skipping = tuple(p for p in table.skipping if p != player)
    if table.suspect and player in (table.suspect.player, table.suspect.challenger):
        table.suspect = None
    if table.blow and player == table.blow.victim:
        table.blow = None
    elif table.blow and player == table.blow.source:
        # The penalty stays, but it can't be sent back any more.
        table.blow = replace(table.blow, source=None)
    table.misplayed = None
    after = next_seat(table, player)
    table.seats = tuple(p for p in table.seats if p != player)
    table.out = (*table.out, player)
    if after == player:
        return
    if table.color_pending == player:
        table.color_pending = after
    if table.turn == player:
        give_turn(table, after)


def end(state: State, event: RoundEnded) -> None:
    """Add the scores of the round to the totals, eliminate players, and pass the deal on."""
    running, charges = running_round(state), state.charges
    caught = caught_out(state)
    totals, scores = {**state.totals}, event.scores
    for player in running.seating:
        totals[player] += scores[player]
    state.totals = totals
    rounds_won = {**state.rounds_won}
    for player in event.winners:
        rounds_won[player] += 1
    state.rounds_won = rounds_won
    # Without teams each side is one player, and both mappings stay the same.
    state.sides_won = _sides_won(state, event.winners) if state.teams else rounds_won
    hands = _hands_of(state, state.staying)
    if state.mode.knocks_out:
        _knock_out(state, caught)
    ended = replace(
        running,
        status="ended",
        last_version=state.version,
        result=event,
        hands=hands,
        charges=charges,
        counted=True,
    )
    _finish(state, ended)
    pass_the_deal(state, event.winners)


def _sides_won(state: State, winners: tuple[str, ...]) -> Mapping[str, int]:
    return {side[0]: state.sides_won[side[0]] + has_won(side, winners) for side in state.sides}


def _hands_of(state: State, players: tuple[str, ...]) -> Hands:
    hands = state.hands
    if len(hands) >= len(players):
        return hands
    return {player: hands.get(player, UNTOLD) for player in players}


def _knock_out(state: State, caught: tuple[str, ...]) -> None:
    """Add the players who are out to `eliminated`, in the order in which they were eliminated.

    `caught`: those whom catches eliminated during the round. Those whom its hands eliminate follow.
    """
    totals = {player: state.totals[player] for player in state.staying if player not in caught}
    out = knocked_out(totals, state.scoring.target)
    state.eliminated = (*state.eliminated, *caught, *out)


def void(state: State, event: RoundVoided) -> None:
    """End the round without scores. Unless it is dealt again, it counts, and the deal passes on."""
    _void(state, counted=not event.redealt)
    if not event.redealt:
        pass_the_deal(state, ())


def _void(state: State, *, counted: bool = False) -> None:
    running = running_round(state)
    voided = replace(
        running,
        status="voided",
        last_version=state.version,
        hands=state.hands,
        counted=counted,
    )
    _finish(state, voided)
    state.table = None


def _finish(state: State, finished: Round) -> None:
    state.finished = (finished, state.finished)
    state.running = None
    state.phase = "ready"


def refused_close(state: State, _event: MatchClosed) -> Refusal | None:
    """A match without a round has no winner."""
    return None if state.rounds_counted else impossible("no-round-played")


def close(state: State, _event: MatchClosed) -> None:
    """Close the match, which is then decided by the rounds played so far."""
    state.closed = True


def abandon(state: State, _event: MatchAbandoned) -> None:
    """End the match without winners. A round in progress is voided."""
    if state.running is not None:
        _void(state)
    state.status = "abandoned"
    state.phase = "over"


def win(state: State, event: MatchWon) -> None:
    """End the match with its winners."""
    state.winners = event.winners
    state.status = "won"
    state.phase = "over"


ROUND_ENDED: Final = EventRule(event=RoundEnded, evolve=end)

ROUND_VOIDED: Final = EventRule(event=RoundVoided, phases=IN_A_ROUND, evolve=void)

MATCH_CLOSED: Final = EventRule(
    event=MatchClosed,
    settles_debts=True,
    phases=BETWEEN_ROUNDS,
    refuse=refused_close,
    evolve=close,
)

MATCH_ABANDONED: Final = EventRule(
    event=MatchAbandoned,
    phases=BETWEEN_ROUNDS | IN_A_ROUND,
    evolve=abandon,
)

MATCH_WON: Final = EventRule(event=MatchWon, evolve=win)
