"""What the rules force at once, and the service therefore writes itself."""

from scorekeeper.match.events import MatchWon, RoundEnded, RoundTallied, ServerEvent
from scorekeeper.match.state import State
from scorekeeper.match.tally import left_after_charges, sides_of, value
from scorekeeper.rules.scoring import best, reaches


def inferred(state: State) -> ServerEvent | None:
    """The next entry that follows without anybody telling it; ask again once it is taken in."""
    if state.phase == "showing_hands" and state.running and state.running.tally:
        return _round_ended(state, state.running.number, state.running.tally)
    if state.phase == "ready" and _is_decided(state):
        return _match_won(state)
    return None


def _round_ended(state: State, number: int, tally: RoundTallied) -> RoundEnded:
    left = left_after_charges(state, tally)
    points = {player: value(state.box, hand) for player, hand in (tally.hands or {}).items()}
    points |= dict.fromkeys(tally.winners, 0)
    if tally.scores is None:
        scores = state.mode.award(sides_of(state, left), tally.winners, points)
    else:
        scores = dict(tally.scores)
    charges = tally.charges or {}
    return RoundEnded(
        round=number,
        winners=tuple(player for player in state.seating if player in tally.winners),
        scores={p: scores.get(p, 0) + charges.get(p, 0) for p in state.seating},
        hand_points={player: points.get(player) for player in state.seating},
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
        totals=state.totals.copy(),
    )
