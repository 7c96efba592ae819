"""What the rules force at once, and the service therefore writes itself."""

from collections.abc import Mapping

from scorekeeper.match.events.events import (
    MatchWon,
    RoundEnded,
    RoundTallied,
    ServerEvent,
    TableEvent,
)
from scorekeeper.match.table.hand import worth
from scorekeeper.match.table.state import State
from scorekeeper.match.turns.counting import left_after, sides_of, value
from scorekeeper.match.turns.payments import payment
from scorekeeper.match.turns.shown import awaited
from scorekeeper.rules.scoring import best, reaches


def inferred(state: State) -> ServerEvent | TableEvent | None:
    """The next entry that follows without anybody telling it; ask again once it is taken in."""
    if state.phase == "showing_hands" and state.running is not None:
        if state.running.tally is not None:
            return _told_round_ended(state, state.running.number, state.running.tally)
        return _played_round_ended(state, state.running.number)
    if state.phase == "ready" and _is_decided(state):
        return _match_won(state)
    return None


def _told_round_ended(state: State, number: int, tally: RoundTallied) -> RoundEnded:
    points = {player: value(state.box, hand) for player, hand in (tally.hands or {}).items()}
    charges = state.running.charges if state.running else {}
    return _round_ended(state, number, tally.winners, points, charges, tally.scores)


def _played_round_ended(state: State, number: int) -> ServerEvent | TableEvent | None:
    """The end of a round that was followed card by card, once nothing is open any more."""
    table = state.table
    if table is None:
        return None
    if table.debts:
        # Where hands do not count, nobody is asked for the cards that the last one forces.
        return payment(table, table.debts[0]) if state.mode.rounds_decide else None
    if awaited(state):
        return None
    points: dict[str, int] = {}
    for player in table.seats:
        known = worth(state.box, table.hands[player])
        if known is not None:
            points[player] = known
    return _round_ended(state, number, table.winners, points, table.charges, None)


def _round_ended(
    state: State,
    number: int,
    winners: tuple[str, ...],
    hands: Mapping[str, int],
    charges: Mapping[str, int],
    told: Mapping[str, int] | None,
) -> RoundEnded:
    """`hands`: the points of those that are known; `told`: the scores, where a sheet has them."""
    left = left_after(state, charges)
    points = {**hands}
    for player in winners:
        points[player] = 0
    award = state.mode.award(sides_of(state, left), winners, points) if told is None else told
    scores: dict[str, int] = {}
    hand_points: dict[str, int | None] = {}
    for player in sorted(state.seating):  # as its body will have them
        scores[player] = award.get(player, 0) + charges.get(player, 0)
        hand_points[player] = points.get(player)
    return RoundEnded(
        round=number,
        winners=tuple([player for player in state.seating if player in winners]),
        scores=scores,
        hand_points=hand_points,
    )


def _is_decided(state: State) -> bool:
    scoring = state.scoring
    return (
        state.closed
        or (scoring.rounds is not None and state.rounds_counted >= scoring.rounds)
        or (state.mode.target_ends and reaches(state.totals.values(), scoring.target))
        or (state.mode.knocks_out and len(state.staying) < 2)
    )


def _match_won(state: State) -> MatchWon:
    contenders = state.staying
    if not contenders and state.finished is not None:
        # All went out together: the best of those who began the last round.
        contenders = tuple(state.finished[0].hands)
    standings = state.sides_won if state.mode.rounds_decide else state.totals
    sides = sides_of(state, contenders)
    firsts = best(state.mode, {side[0]: standings[side[0]] for side in sides})
    won = {player for side in sides if side[0] in firsts for player in side}
    return MatchWon(
        winners=tuple(player for player in state.seating if player in won),
        totals=dict(sorted(state.totals.items())),
    )
