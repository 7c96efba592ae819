"""How each event changes the state. Only a fold calls this, on a state of its own."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from scorekeeper.match.decider.breaches import BREACHES, FLAGS, breaches
from scorekeeper.match.events.card_events import (
    AccusationMade,
    AdviceCalled,
    CardGiven,
    CardPlayed,
    CardsDrawn,
    ColorNamed,
    FirstCardTurned,
    HandCounted,
    HandShown,
    MisplayCalled,
    PileReshuffled,
    TurnPassed,
    UnoCalled,
    UnoCaught,
    WildDrawFourChallenged,
)
from scorekeeper.match.events.dispute_events import DisputeEvent, DisputeOpened, DisputeRuled
from scorekeeper.match.events.events import (
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
    ServerEvent,
    TableEvent,
)
from scorekeeper.match.events.seats import WINNER_DEALS, next_dealer
from scorekeeper.match.table.hand import Hand, Hands
from scorekeeper.match.table.pile import known_pile, unknown_pile
from scorekeeper.match.table.players import table_of
from scorekeeper.match.table.state import Round, State
from scorekeeper.match.table.table import Table
from scorekeeper.match.turns.calls import accuse, advise
from scorekeeper.match.turns.challenges import challenge
from scorekeeper.match.turns.disputes import open_dispute, rule
from scorekeeper.match.turns.draws import draw, give, pass_turn
from scorekeeper.match.turns.late import is_late, tell_late
from scorekeeper.match.turns.legality import is_known_bluff, was_drawn
from scorekeeper.match.turns.misplays import take_back
from scorekeeper.match.turns.plays import play
from scorekeeper.match.turns.reshuffles import reshuffle
from scorekeeper.match.turns.shown import count, show
from scorekeeper.match.turns.tally import charges_with, hands_at_end, left_after
from scorekeeper.match.turns.turning import name_color, turn_first_card
from scorekeeper.match.turns.uno import call, catch
from scorekeeper.rules.cards import WILD_DRAW_FOUR, Card, face
from scorekeeper.rules.parameters import DealerDraw
from scorekeeper.rules.scoring import has_won, knocked_out

_UNTOLD: Final = Hand()


def evolve(state: State, event: TableEvent | DisputeEvent | ServerEvent) -> None:
    """Change the state to the one after the event, which was decided in this state."""
    state.version += 1
    table, kind = state.table, type(event)
    if table is not None and table.over and is_late(state, event):
        tell_late(state, event)
        return
    if event.as_played and kind in BREACHES:
        state.violations += len(BREACHES[kind](state, event))
    if kind in FLAGS and (flagged := FLAGS[kind](state, event)):
        state.violations += len(flagged)
    EVOLVERS[kind](state, event)


def take_planned_seats(state: State) -> None:
    """Seats and dealer that a schedule fixed for the next round that counts."""
    if state.plan and state.rounds_counted < len(state.plan):
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
    held = {
        player: Hand(known=cards, unknown=max(0, dealt - len(cards)))
        for player, cards in hands.items()
    }
    if event.draw_pile is not None:
        pile = known_pile(event.draw_pile)
    else:
        pile = unknown_pile(state.box.size - sum(max(dealt, len(c)) for c in hands.values()))
    state.running = _begun(state, event.dealer)
    state.phase = "turning"
    state.lay_out(Table(seats=state.staying, hands=held, pile=pile))


def _round_tallied(state: State, event: RoundTallied) -> None:
    charges = charges_with(state, event)
    if state.running is None:
        state.running = _begun(state, event.dealer, tally=event, charges=charges)
    else:
        dealer = state.dealer = event.dealer or state.dealer
        state.running = replace(state.running, dealer=dealer, tally=event, charges=charges)
    state.hands = hands_at_end(state, event)
    state.table = None
    state.phase = "showing_hands"


def _begun(
    state: State,
    dealer: str | None,
    *,
    tally: RoundTallied | None = None,
    charges: dict[str, int] | None = None,
) -> Round:
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
        out=state.eliminated,
        tally=tally,
        hands={},
        charges=charges or {},
    )


def _round_ended(state: State, event: RoundEnded) -> None:
    running = _running(state)
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
    _pass_the_deal(state, event.winners)


def _hands_of(state: State, players: tuple[str, ...]) -> Hands:
    hands = state.hands
    if len(hands) >= len(players):
        return hands
    return {player: hands.get(player, _UNTOLD) for player in players}


def _knock_out(state: State, left: tuple[str, ...]) -> None:
    """Whoever is not `left` was caught too often, and goes out before those whose hands count."""
    out = knocked_out({player: state.totals[player] for player in left}, state.scoring.target)
    caught = tuple(player for player in state.staying if player not in left)
    state.eliminated = (*state.eliminated, *caught, *out)


def _round_voided(state: State, event: RoundVoided) -> None:
    _void(state, counted=not event.redealt)
    if not event.redealt:
        _pass_the_deal(state, ())


def _void(state: State, *, counted: bool = False) -> None:
    running = _running(state)
    voided = replace(
        running,
        status="voided",
        last_version=state.version,
        hands=state.hands,
        counted=counted,
    )
    _finish(state, voided)
    state.table = None


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
    seating = state.seating
    by = state.edition.next_dealer.value
    table = state.table
    if by is WINNER_DEALS and table and table.direction == "counter-clockwise":
        # Joint winners are taken in the direction of play.
        seating = seating[::-1]
    state.dealer = next_dealer(state.dealer, winners, seating, state.staying, by)
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


def _card_played(state: State, event: CardPlayed) -> None:
    table = table_of(state)
    known_bluff = event.card == WILD_DRAW_FOUR and is_known_bluff(state, event)
    forbidden = event.as_played and bool(breaches(state, event))
    may_be_called = forbidden or (
        table.drawn is not None and was_drawn(state.box, table, event) is None
    )
    play(state, table, event, may_be_called=may_be_called, known_bluff=known_bluff)


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
    DisputeOpened: open_dispute,
    DisputeRuled: rule,
    FirstCardTurned: turn_first_card,
    ColorNamed: name_color,
    CardPlayed: _card_played,
    CardsDrawn: draw,
    CardGiven: give,
    TurnPassed: pass_turn,
    UnoCalled: call,
    UnoCaught: catch,
    WildDrawFourChallenged: challenge,
    MisplayCalled: take_back,
    AdviceCalled: advise,
    AccusationMade: accuse,
    PileReshuffled: reshuffle,
    HandShown: show,
    HandCounted: count,
    RoundEnded: _round_ended,
    MatchWon: _match_won,
}
