"""Whether an event can be recorded in a state. Nothing is changed here."""

from collections.abc import Callable, Mapping
from typing import Any, Final, get_args

from scorekeeper.match.decider.breaches import breaches, flags
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
    MatchAbandoned,
    MatchClosed,
    NoteAdded,
    PlayerSubstituted,
    RoundStarted,
    RoundTallied,
    RoundVoided,
    SeatsChanged,
    TableEvent,
    event_type,
)
from scorekeeper.match.events.refusal import Refusal, Violation, impossible
from scorekeeper.match.events.seats import partners_face_each_other
from scorekeeper.match.table.knowledge import beyond_box
from scorekeeper.match.table.state import Phase, State
from scorekeeper.match.turns.calls import refused_accusation, refused_advice
from scorekeeper.match.turns.challenges import refused_challenge
from scorekeeper.match.turns.disputes import refused_dispute, refused_ruling
from scorekeeper.match.turns.draws import refused_draw, refused_gift, refused_pass
from scorekeeper.match.turns.late import is_late, refused_late
from scorekeeper.match.turns.misplays import refused_misplay
from scorekeeper.match.turns.plays import refused_play
from scorekeeper.match.turns.reshuffles import refused_reshuffle
from scorekeeper.match.turns.shown import refused_count, refused_show, refused_told_hands
from scorekeeper.match.turns.tally import refused_tally
from scorekeeper.match.turns.turning import refused_color_named, refused_first_card
from scorekeeper.match.turns.uno import refused_call, refused_catch

BETWEEN_ROUNDS: Final[frozenset[Phase]] = frozenset({"ready"})
IN_A_ROUND: Final[frozenset[Phase]] = frozenset({"turning", "playing", "showing_hands"})
PLAYING: Final[frozenset[Phase]] = frozenset({"playing"})
PLAYING_OR_OUT: Final[frozenset[Phase]] = frozenset({"playing", "showing_hands"})
ALWAYS: Final[frozenset[Phase]] = frozenset(get_args(Phase))


def decide(state: State, event: TableEvent | DisputeEvent) -> tuple[Violation, ...] | Refusal:
    """The violations to be flagged with the event, or why it is not recorded."""
    table, kind = state.table, type(event)
    if table is not None and table.over and is_late(state, event):
        return refused_late(state, event) or ()
    phases = PHASES[kind]
    if state.phase not in phases:
        if state.phase == "turning" and "playing" in phases:
            return impossible("card-needed", type=event_type(event))
        return impossible("wrong-phase", phase=state.phase, type=event_type(event))
    refused = CHECKS[kind](state, event)
    if refused is not None:
        return refused
    violations = breaches(state, event)
    if violations and not event.as_played:
        return Refusal(code="rule-violation", violations=violations)
    return violations + flags(state, event)


def _dealer_drawn(state: State, event: DealerDrawn) -> Refusal | None:
    if state.round:
        return impossible(
            "wrong-phase", phase=state.phase, type=event_type(event), rounds=state.round
        )
    awaited = state.drawing or state.seating
    for player in event.draws:
        if player not in state.totals:
            return impossible("player-not-in-match", player=player, field="draws")
    if set(event.draws) != set(awaited):
        return impossible("draws-invalid", players=tuple(event.draws), awaited=awaited)
    return beyond_box(state.box, {player: (card,) for player, card in event.draws.items()})


def _round_started(state: State, event: RoundStarted) -> Refusal | None:
    dealer = event.dealer or state.dealer
    if dealer is None:
        return Refusal(code="dealer-needed")
    if dealer not in state.totals:
        return impossible("player-not-in-match", player=dealer, field="dealer")
    if dealer in state.eliminated:
        return impossible("player-eliminated", player=dealer, field="dealer")
    hands = event.hands or {}
    for player in hands:
        if player not in state.totals:
            return impossible("player-not-in-match", player=player, field="hands")
        if player in state.eliminated:
            return impossible("player-eliminated", player=player, field="hands")
    pile = event.draw_pile
    refused = beyond_box(state.box, hands, pile or ())
    if refused is not None or pile is None:
        return refused
    size = state.edition.hand_size.value
    dealt = sum(max(size, len(hands.get(player, ()))) for player in state.staying)
    if len(pile) + dealt != state.box.size:
        return impossible("draw-pile-not-whole", cards=len(pile), whole=state.box.size - dealt)
    return None


def _seats_changed(state: State, event: SeatsChanged) -> Refusal | None:
    for player in event.players:
        if player not in state.totals:
            return impossible("player-not-in-match", player=player, field="players")
    if sorted(event.players) != sorted(state.seating):
        return impossible("seats-invalid", players=event.players)
    if not partners_face_each_other(state.teams, event.players):
        facts = {"teams": state.teams, "players": event.players}
        return Refusal(code="teams-not-opposite", facts=facts)
    return None


def _player_substituted(state: State, event: PlayerSubstituted) -> Refusal | None:
    player, substitute = event.player, event.substitute
    if player not in state.totals:
        return impossible("player-not-in-match", player=player, field="player")
    if player in state.eliminated:
        return impossible("player-eliminated", player=player, field="player")
    sitting = {state.substitutes.get(column, column) for column in state.seating}
    if substitute in sitting or (substitute in state.totals and substitute != player):
        return impossible("substitute-in-match", player=player, substitute=substitute)
    return None


def _match_closed(state: State, event: MatchClosed) -> Refusal | None:
    del event
    return None if state.rounds_counted else impossible("no-round-played")


def _nothing(state: State, event: TableEvent) -> Refusal | None:
    """The phase is all that such an event depends on."""
    del state, event
    return None


def _refused_round(state: State, event: RoundTallied) -> Refusal | None:
    return refused_tally(state, event) or refused_told_hands(state, event)


PHASES: Final[Mapping[type[TableEvent | DisputeEvent], frozenset[Phase]]] = {
    DealerDrawn: BETWEEN_ROUNDS,
    RoundStarted: BETWEEN_ROUNDS,
    RoundTallied: BETWEEN_ROUNDS | IN_A_ROUND,
    RoundVoided: IN_A_ROUND,
    SeatsChanged: BETWEEN_ROUNDS,
    PlayerSubstituted: BETWEEN_ROUNDS,
    MatchClosed: BETWEEN_ROUNDS,
    MatchAbandoned: BETWEEN_ROUNDS | IN_A_ROUND,
    NoteAdded: ALWAYS,
    DisputeOpened: ALWAYS,
    DisputeRuled: ALWAYS,
    FirstCardTurned: frozenset({"turning"}),
    ColorNamed: frozenset({"turning", "playing"}),
    CardPlayed: PLAYING,
    CardsDrawn: PLAYING_OR_OUT,
    CardGiven: PLAYING,
    TurnPassed: PLAYING,
    UnoCalled: PLAYING,
    UnoCaught: PLAYING,
    WildDrawFourChallenged: PLAYING_OR_OUT,
    MisplayCalled: PLAYING,
    AdviceCalled: PLAYING,
    AccusationMade: PLAYING,
    PileReshuffled: PLAYING_OR_OUT,
    HandShown: IN_A_ROUND,
    HandCounted: frozenset({"showing_hands"}),
}

CHECKS: Final[Mapping[type[TableEvent | DisputeEvent], Callable[[State, Any], Refusal | None]]] = {
    DealerDrawn: _dealer_drawn,
    RoundStarted: _round_started,
    RoundTallied: _refused_round,
    RoundVoided: _nothing,
    SeatsChanged: _seats_changed,
    PlayerSubstituted: _player_substituted,
    MatchClosed: _match_closed,
    MatchAbandoned: _nothing,
    NoteAdded: _nothing,
    DisputeOpened: refused_dispute,
    DisputeRuled: refused_ruling,
    FirstCardTurned: refused_first_card,
    ColorNamed: refused_color_named,
    CardPlayed: refused_play,
    CardsDrawn: refused_draw,
    CardGiven: refused_gift,
    TurnPassed: refused_pass,
    UnoCalled: refused_call,
    UnoCaught: refused_catch,
    WildDrawFourChallenged: refused_challenge,
    MisplayCalled: refused_misplay,
    AdviceCalled: refused_advice,
    AccusationMade: refused_accusation,
    PileReshuffled: refused_reshuffle,
    HandShown: refused_show,
    HandCounted: refused_count,
}
