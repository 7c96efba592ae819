"""How a round ends, and how a match does."""

from typing import Final

from msgspec.structs import replace

from scorekeeper.match.events.events import (
    MatchAbandoned,
    MatchClosed,
    MatchWon,
    RoundEnded,
    RoundVoided,
)
from scorekeeper.match.events.refusal import Refusal, impossible
from scorekeeper.match.table.hand import UNTOLD, Hands
from scorekeeper.match.table.state import Round, State, running_round
from scorekeeper.match.turns.counting import left_after
from scorekeeper.match.turns.dealing import pass_the_deal
from scorekeeper.match.turns.event_rule import BETWEEN_ROUNDS, IN_A_ROUND, EventRule
from scorekeeper.rules.scoring import has_won, knocked_out


def end(state: State, event: RoundEnded) -> None:
    """The scores are counted, and the deal goes on."""
    running = running_round(state)
    table = state.table
    charges = running.charges if table is None else dict(table.charges)
    left = left_after(state, charges) if state.mode.knocks_out else ()
    totals, scores = state.totals, event.scores
    for player in running.seating:
        totals[player] += scores[player]
    for player in event.winners:
        state.rounds_won[player] += 1
    sides_won = state.sides_won
    if state.teams:
        for side in state.sides:
            sides_won[side[0]] += has_won(side, event.winners)
    else:
        for player in event.winners:
            sides_won[player] += 1
    hands = _hands_of(state, state.staying)
    if state.mode.knocks_out:
        _knock_out(state, left)
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


def _hands_of(state: State, players: tuple[str, ...]) -> Hands:
    hands = state.hands
    if len(hands) >= len(players):
        return hands
    return {player: hands.get(player, UNTOLD) for player in players}


def _knock_out(state: State, left: tuple[str, ...]) -> None:
    """Whoever is not `left` was caught too often, and goes out before those whose hands count."""
    out = knocked_out({player: state.totals[player] for player in left}, state.scoring.target)
    caught = tuple(player for player in state.staying if player not in left)
    state.eliminated = (*state.eliminated, *caught, *out)


def void(state: State, event: RoundVoided) -> None:
    """The round has no scores."""
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
    """It is decided by what there is."""
    state.closed = True


def abandon(state: State, _event: MatchAbandoned) -> None:
    """A round in progress is void."""
    if state.running is not None:
        _void(state)
    state.status = "abandoned"
    state.phase = "over"


def win(state: State, event: MatchWon) -> None:
    """The match is over."""
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
