"""Which clauses bear on a step: read from the edition's values, each of which cites its own."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

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
from scorekeeper.match.events.dispute_events import DisputeOpened, DisputeRuled
from scorekeeper.match.events.events import (
    DealerDrawn,
    Event,
    LogAmended,
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
)
from scorekeeper.match.events.opening import MatchOpened
from scorekeeper.match.events.refusal import Violation
from scorekeeper.match.table.hand import held
from scorekeeper.match.table.players import table_of
from scorekeeper.match.table.state import State
from scorekeeper.match.table.table import Debt, Table, owed
from scorekeeper.match.turns.draws import beyond_debt
from scorekeeper.match.turns.late import is_late
from scorekeeper.match.turns.legality import answers
from scorekeeper.match.turns.shown import COUNT
from scorekeeper.rules.cards import WILD_DRAW_FOUR, Card, face
from scorekeeper.rules.edition import Cited, Edition
from scorekeeper.rules.parameters import NextDealer, TurnAfter, TurnedUp

_LAST: Final = "X-LAST"
_UNO: Final = "X-UNO"
_NEXT_DEALER: Final = "X-NEXT-DEALER"

Clauses: TypeAlias = Iterable[str]


def applied(
    before: State, event: Event, after: State, violations: Iterable[Violation] = ()
) -> tuple[str, ...]:
    """The ids of the clauses, the weightiest first; none where no booklet says anything."""
    edition = after.edition
    if not isinstance(event, MatchOpened | LogAmended) and is_late(before, event):
        return tuple(_reading(edition, COUNT))
    found = list(APPLIED[type(event)](before, event, after))
    for violation in violations:
        found.append(violation.clause)
        if violation.reason == "wild-draw-four-bluff":
            found.append(edition.bluff_stands.clause)
    return tuple(dict.fromkeys(found))


def _reading(edition: Edition, clause: str) -> Clauses:
    """A reading that no value of an edition stands for, where the edition lists it."""
    if any(one.id == clause for one in edition.clauses):
        yield clause


def turned_up(state: State, card: Card) -> Cited[TurnedUp]:
    """What the card does when it is turned up first, among so many players."""
    rule = state.edition.card_rule(card)
    among_two = len(table_of(state).seats) == 2
    return rule.turned_up_two_players if among_two else rule.turned_up


def paid(table: Table, event: CardsDrawn) -> list[tuple[int, Debt, int]]:
    """The debts that a draw pays: their places on the table, and how many cards of each."""
    left = event.number
    found: list[tuple[int, Debt, int]] = []
    for place, debt in enumerate(table.debts):
        if debt.kind == "draw" and debt.player == event.player and left:
            found.append((place, debt, min(left, debt.count)))
            left -= min(left, debt.count)
    return found


def scoring_clauses(state: State) -> Clauses:
    """The clause of the scoring mode, and that of the team's scoring where there are teams."""
    yield state.edition.modes[state.mode.name].clause
    if state.scoring.team_scoring is not None:
        yield state.edition.team_clauses[state.scoring.team_scoring]


def _opened(before: State, event: MatchOpened, after: State) -> Clauses:
    del before, event
    yield after.edition.deck.clause
    yield from scoring_clauses(after)


def _dealer_drawn(before: State, event: DealerDrawn, after: State) -> Clauses:
    del event
    yield before.edition.dealer_draw.clause
    if after.drawing or before.drawing:
        yield before.edition.dealer_tie.clause


def _round_started(before: State, event: RoundStarted, after: State) -> Clauses:
    del event, after
    edition = before.edition
    yield edition.hand_size.clause
    yield edition.next_dealer.clause if before.round else edition.dealer_draw.clause


def _round_tallied(before: State, event: RoundTallied, after: State) -> Clauses:
    del before
    edition = after.edition
    yield edition.round_end.clause
    if event.hands and not after.mode.rounds_decide:
        yield edition.points.clause
    if len(event.winners) > 1:
        yield edition.joint_winner_cards.clause
    yield from scoring_clauses(after)


def _round_voided(before: State, event: RoundVoided, after: State) -> Clauses:
    del event, after
    edition = before.edition
    if edition.next_dealer.value is NextDealer.WINNER:
        yield from _reading(edition, _NEXT_DEALER)
    else:
        yield edition.next_dealer.clause


def _seats_changed(before: State, event: SeatsChanged, after: State) -> Clauses:
    del event, after
    yield before.edition.first_player.clause
    if before.scoring.team_scoring is not None:
        yield before.edition.team_clauses[before.scoring.team_scoring]


def _decided(before: State, event: MatchClosed | MatchWon, after: State) -> Clauses:
    del event
    yield from scoring_clauses(before)
    if sum(any(player in after.winners for player in side) for side in after.sides) > 1:
        yield before.edition.tie.clause


def _round_ended(before: State, event: RoundEnded, after: State) -> Clauses:
    edition = before.edition
    yield from scoring_clauses(before)
    if not before.mode.rounds_decide:
        yield edition.points.clause
    if len(event.winners) > 1:
        yield edition.joint_winner_cards.clause
    if after.status == "open":
        yield edition.next_dealer.clause


def _first_card(before: State, event: FirstCardTurned, after: State) -> Clauses:
    del after
    does = turned_up(before, event.card)
    yield does.clause
    if does.value is TurnedUp.PLAY_STARTS:
        yield before.edition.first_player.clause


def _color_named(before: State, event: ColorNamed, after: State) -> Clauses:
    del event, after
    table = table_of(before)
    if table.top is None:
        return
    rule = before.edition.card_rule(table.top)
    # Only a card that was turned up says who is on turn once its colour is named.
    yield rule.turned_up.clause if table.next_turn is not None else rule.played.clause


def _card_played(before: State, event: CardPlayed, after: State) -> Clauses:
    edition, table = before.edition, table_of(before)
    rule = edition.card_rule(event.card)
    if answers(before, table, event):
        yield edition.lays_on_penalty.clause
    else:
        yield edition.match_by.clause
    yield rule.played.clause
    if len(table.seats) == 2:
        yield rule.played_two_players.clause
    now = table_of(after)
    if event.card == WILD_DRAW_FOUR and _cards_left(now, event.player):
        yield edition.wild_draw_four_legal.clause
    if table.drawn is not None and table.turn == event.player:
        yield edition.keep.clause
    yield from _calls_due(edition, table, now, event.player)
    if now.over:
        yield from _last_card(edition, now, event)


def _cards_left(table: Table, player: str) -> int:
    hand = table.hands.get(player)
    return 0 if hand is None else held(hand)


def _calls_due(edition: Edition, table: Table, now: Table, player: str) -> Clauses:
    due = {one for one, hand in now.hands.items() if held(hand) == 1 and hand != table.hands[one]}
    if due and not now.over:
        yield edition.uno.clause
        if due - {player}:
            yield from _reading(edition, _UNO)


def _last_card(edition: Edition, now: Table, event: CardPlayed) -> Clauses:
    yield edition.round_end.clause
    if len(now.winners) > 1:
        yield edition.joint_winner_cards.clause
    printed = face(event.card)
    effect = edition.card_rule(event.card).played.value
    if printed.symbol in edition.last_card_draws.value:
        yield edition.last_card_draws.clause
    elif printed.color is None or effect.turn is not TurnAfter.NEXT:
        yield from _reading(edition, _LAST)


def _cards_drawn(before: State, event: CardsDrawn, after: State) -> Clauses:
    edition, table = before.edition, table_of(before)
    for _, debt, _ in paid(table, event):
        yield debt.clause
        if table.over and debt.hit:
            yield edition.last_card_draws.clause
    if beyond_debt(table, event):
        yield edition.draws_without_match.clause
        if table.drawn is None:
            yield edition.keep.clause
    now = after.table
    if now is not None and not now.available and event.number < owed(table, event.player):
        yield edition.short_pile.clause


def _card_given(before: State, event: CardGiven, after: State) -> Clauses:
    for debt in table_of(before).debts:
        if debt.kind == "give" and (debt.player, debt.to) == (event.player, event.to):
            yield debt.clause
    if table_of(after).over:
        yield before.edition.round_end.clause
    else:
        yield from _calls_due(before.edition, table_of(before), table_of(after), event.to)


def _turn_passed(before: State, event: TurnPassed, after: State) -> Clauses:
    del event, after
    yield before.edition.draws_without_match.clause
    if not table_of(before).available:
        yield before.edition.short_pile.clause


def _uno(before: State, event: UnoCalled | UnoCaught, after: State) -> Clauses:
    yield before.edition.uno.clause
    if isinstance(event, UnoCaught) and event.player not in table_of(before).owing:
        yield from _reading(before.edition, _UNO)
    yield from _charged(before, after)


def _charged(before: State, after: State) -> Clauses:
    if after.table is not None and after.table.charges != table_of(before).charges:
        yield before.edition.modes[before.mode.name].clause
        yield before.edition.points.clause


def _challenged(before: State, event: WildDrawFourChallenged, after: State) -> Clauses:
    del event
    edition, suspect = before.edition, table_of(before).suspect
    yield edition.challenge.clause
    if suspect is not None and suspect.last:
        yield edition.last_challenge.clause
    else:
        yield edition.wild_draw_four_legal.clause
    yield from _charged(before, after)


def _misplay_called(before: State, event: MisplayCalled, after: State) -> Clauses:
    del event, after
    yield before.edition.misplay.clause
    yield before.edition.misplay_window.clause


def _advice_called(before: State, event: AdviceCalled, after: State) -> Clauses:
    del event, after
    if before.edition.advice_draws is not None:
        yield before.edition.advice_draws.clause


def _accusation_made(before: State, event: AccusationMade, after: State) -> Clauses:
    del event, after
    if before.edition.accusation_draws is not None:
        yield before.edition.accusation_draws.clause


def _pile_reshuffled(before: State, event: PileReshuffled, after: State) -> Clauses:
    del event, after
    yield before.edition.reshuffle.clause
    yield before.edition.short_pile.clause


def _hand_shown(before: State, event: HandShown | HandCounted, after: State) -> Clauses:
    del event, after
    if before.phase == "showing_hands":
        yield before.edition.points.clause
    yield from _reading(before.edition, COUNT)


def _nothing(before: State, event: Event, after: State) -> Clauses:
    """No booklet speaks of such a thing."""
    del before, event, after
    return ()


APPLIED: Final[Mapping[type[Event], Callable[[State, Any, State], Clauses]]] = {
    MatchOpened: _opened,
    DealerDrawn: _dealer_drawn,
    RoundStarted: _round_started,
    RoundTallied: _round_tallied,
    RoundVoided: _round_voided,
    RoundEnded: _round_ended,
    SeatsChanged: _seats_changed,
    PlayerSubstituted: _nothing,
    MatchClosed: _decided,
    MatchAbandoned: _nothing,
    MatchWon: _decided,
    NoteAdded: _nothing,
    LogAmended: _nothing,
    DisputeOpened: _nothing,
    DisputeRuled: _nothing,
    FirstCardTurned: _first_card,
    ColorNamed: _color_named,
    CardPlayed: _card_played,
    CardsDrawn: _cards_drawn,
    CardGiven: _card_given,
    TurnPassed: _turn_passed,
    UnoCalled: _uno,
    UnoCaught: _uno,
    WildDrawFourChallenged: _challenged,
    MisplayCalled: _misplay_called,
    AdviceCalled: _advice_called,
    AccusationMade: _accusation_made,
    PileReshuffled: _pile_reshuffled,
    HandShown: _hand_shown,
    HandCounted: _hand_shown,
}
"""By the type of the event."""
