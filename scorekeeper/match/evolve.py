"""How each event changes the state. Only a fold calls this, on a state of its own."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from scorekeeper.match.breaches import breaches
from scorekeeper.match.events import (
    DealerDrawn,
    Event,
    MatchAbandoned,
    MatchClosed,
    MatchWon,
    NoteAdded,
    PlayerSubstituted,
    RoundEnded,
    RoundStarted,
    RoundTallied,
    RoundVoided,
    SeatsChanged,
    TableEvent,
    Told,
)
from scorekeeper.match.seats import next_dealer
from scorekeeper.match.state import Hand, Round, State
from scorekeeper.match.tally import hands_at_end, left_after_charges
from scorekeeper.rules.cards import Card, face
from scorekeeper.rules.parameters import DealerDraw
from scorekeeper.rules.scoring import has_won, knocked_out


def evolve(state: State, event: TableEvent | RoundEnded | MatchWon) -> None:
    """Change the state to the one after the event, which was decided in this state."""
    state.version += 1
    if isinstance(event, Told) and event.as_played:
        state.violations += len(breaches(state, event))
    EVOLVERS[type(event)](state, event)


def take_planned_seats(state: State) -> None:
    """Seats and dealer that a schedule fixed for the next round that counts."""
    if state.rounds_counted < len(state.plan):
        planned = state.plan[state.rounds_counted]
        state.seating = planned.players
        state.dealer = planned.dealer


def _dealer_drawn(state: State, event: DealerDrawn) -> None:
    values = {player: _draw_value(state, event.draws[player]) for player in event.draws}
    highest = max(values.values())
    tied = tuple(player for player in state.seating if values.get(player) == highest)
    if len(tied) == 1 and highest >= 0:
        state.dealer = tied[0]
        state.drawing = ()
    else:
        state.drawing = tied


def _draw_value(state: State, card: Card) -> int:
    """Below 0: its drawer can't become the dealer."""
    printed = face(card)
    if printed.is_number:
        return int(printed.symbol)
    return -1 if state.edition.dealer_draw.value is DealerDraw.LETTERED_CANNOT_DEAL else 0


def _round_started(state: State, event: RoundStarted) -> None:
    dealt = state.edition.hand_size.value
    told = event.hands or {}
    hands = {player: told.get(player, ()) for player in state.staying}
    state.hands = {
        player: Hand(known=cards, unknown=max(0, dealt - len(cards)))
        for player, cards in hands.items()
    }
    state.running = _begun(state, event.dealer)
    state.phase = "turning"


def _round_tallied(state: State, event: RoundTallied) -> None:
    running = state.running or _begun(state, event.dealer)
    if event.dealer is not None:
        state.dealer = event.dealer
    state.hands = hands_at_end(state, event)
    state.running = replace(running, dealer=state.dealer, tally=event)
    state.phase = "showing_hands"


def _begun(state: State, dealer: str | None) -> Round:
    state.round += 1
    state.drawing = ()
    if dealer is not None:
        state.dealer = dealer
    return Round(
        number=state.round,
        status="running",
        dealer=state.dealer,
        seating=state.seating,
        first_version=state.version,
        last_version=state.version,
        substitutes=state.substitutes.copy(),
        hands={},
    )


def _round_ended(state: State, event: RoundEnded) -> None:
    running = _running(state)
    left = state.staying if running.tally is None else left_after_charges(state, running.tally)
    staying = state.staying
    for player, score in event.scores.items():
        state.totals[player] += score
    for player in event.winners:
        state.rounds_won[player] += 1
    for side in state.sides:
        state.sides_won[side[0]] += has_won(side, event.winners)
    if state.mode.knocks_out:
        totals = {player: state.totals[player] for player in left}
        out = knocked_out(totals, state.scoring.target)
        caught = tuple(player for player in staying if player not in left)
        state.eliminated = (*state.eliminated, *caught, *out)
    ended = replace(
        running,
        status="ended",
        last_version=state.version,
        winners=event.winners,
        hands=state.hands,
        hand_points={player: event.hand_points.get(player) for player in running.seating},
        scores={player: event.scores[player] for player in running.seating},
    )
    _finish(state, ended)
    _pass_the_deal(state, event.winners)


def _round_voided(state: State, event: RoundVoided) -> None:
    _void(state)
    if not event.redealt:
        _pass_the_deal(state, ())


def _void(state: State) -> None:
    running = _running(state)
    _finish(
        state,
        replace(running, status="voided", last_version=state.version, hands=state.hands),
    )


def _running(state: State) -> Round:
    if state.running is None:
        raise ValueError("no round is running: the entries are not the book's")
    return state.running


def _finish(state: State, finished: Round) -> None:
    state.finished = (finished, state.finished)
    state.running = None
    state.phase = "ready"


def _pass_the_deal(state: State, winners: tuple[str, ...]) -> None:
    state.rounds_counted += 1
    state.dealer = next_dealer(
        state.dealer, winners, state.seating, state.staying, state.edition.next_dealer.value
    )
    take_planned_seats(state)


def _seats_changed(state: State, event: SeatsChanged) -> None:
    state.seating = event.players


def _player_substituted(state: State, event: PlayerSubstituted) -> None:
    if event.substitute == event.player:
        del state.substitutes[event.player]
    else:
        state.substitutes[event.player] = event.substitute


def _match_closed(state: State, event: MatchClosed) -> None:
    del event
    state.closed = True


def _match_abandoned(state: State, event: MatchAbandoned) -> None:
    del event
    if state.running is not None:
        _void(state)
    state.status = "abandoned"
    state.phase = "over"


def _match_won(state: State, event: MatchWon) -> None:
    state.winners = event.winners
    state.status = "won"
    state.phase = "over"


def _note_added(state: State, event: NoteAdded) -> None:
    """A note changes nothing but the version."""


EVOLVERS: Final[Mapping[type[Event], Callable[[State, Any], None]]] = {
    DealerDrawn: _dealer_drawn,
    RoundStarted: _round_started,
    RoundTallied: _round_tallied,
    RoundVoided: _round_voided,
    SeatsChanged: _seats_changed,
    PlayerSubstituted: _player_substituted,
    MatchClosed: _match_closed,
    MatchAbandoned: _match_abandoned,
    NoteAdded: _note_added,
    RoundEnded: _round_ended,
    MatchWon: _match_won,
}
