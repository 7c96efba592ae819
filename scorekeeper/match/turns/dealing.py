"""Who sits where and who sits in for whom, who deals, and the hands that are dealt."""

from collections.abc import Collection, Sequence
from typing import Final

from scorekeeper.match.events.events import (
    DealerDrawn,
    PlayerSubstituted,
    RoundStarted,
    RoundTallied,
    SeatsChanged,
    event_type,
)
from scorekeeper.match.events.opening import partners_face_each_other
from scorekeeper.match.events.refusal import Refusal, Violation, impossible
from scorekeeper.match.knowledge import beyond_box
from scorekeeper.match.known_cards import Hand, known_pile, unknown_pile
from scorekeeper.match.state import Round, State, not_in_match, not_staying
from scorekeeper.match.table import Table
from scorekeeper.match.turns.event_rule import BETWEEN_ROUNDS, EventRule, without_fields
from scorekeeper.rules.cards import Card
from scorekeeper.rules.parameters import DealerDraw, NextDealer

# Bound once: to look a member up in its enum costs a play two calls each time.
_WINNER_DEALS: Final = NextDealer.WINNER


def refused_seats(state: State, event: SeatsChanged) -> Refusal | None:
    """Refuse seats with other players, or at which partners do not face each other."""
    for player in event.players:
        refused = not_in_match(state, player, "players")
        if refused is not None:
            return refused
    if sorted(event.players) != sorted(state.seating):
        return impossible("seats-invalid", players=event.players)
    if not partners_face_each_other(state.teams, event.players):
        facts = {"teams": state.teams, "players": event.players}
        return Refusal(code="teams-not-opposite", facts=facts)
    return None


def change_seats(state: State, event: SeatsChanged) -> None:
    """Change the seating from the next round on."""
    state.seating = event.players


def refused_substitute(state: State, event: PlayerSubstituted) -> Refusal | None:
    """Refuse a substitute for somebody who is out, or one who already plays in the match."""
    player, substitute = event.player, event.substitute
    refused = not_staying(state, player)
    if refused is not None:
        return refused
    sitting = {state.substitutes.get(column, column) for column in state.seating}
    if substitute in sitting or (substitute in state.totals and substitute != player):
        return impossible("substitute-in-match", player=player, substitute=substitute)
    return None


def substitute(state: State, event: PlayerSubstituted) -> None:
    """Let a substitute sit in. If the substitute is the player, the player is back."""
    sitting = dict(state.substitutes)
    if event.substitute == event.player:
        del sitting[event.player]
    else:
        sitting[event.player] = event.substitute
    state.substitutes = sitting


SEATS_CHANGED: Final = EventRule(
    event=SeatsChanged,
    names=("players",),
    settles_debts=True,
    phases=BETWEEN_ROUNDS,
    refuse=refused_seats,
    evolve=change_seats,
)

PLAYER_SUBSTITUTED: Final = EventRule(
    event=PlayerSubstituted,
    # The field `substitute` names a person, not a column.
    names=("player",),
    settles_debts=True,
    phases=BETWEEN_ROUNDS,
    refuse=refused_substitute,
    evolve=substitute,
)


def refused_dealer_draw(state: State, event: DealerDrawn) -> Refusal | None:
    """Why these can't be the cards of those who draw for the deal."""
    if state.round:
        return impossible(
            "wrong-phase", phase=state.phase, type=event_type(event), rounds=state.round
        )
    awaited = state.drawing or state.seating
    for player in event.draws:
        refused = not_in_match(state, player, "draws")
        if refused is not None:
            return refused
    if set(event.draws) != set(awaited):
        return impossible("draws-invalid", players=tuple(event.draws), awaited=awaited)
    return beyond_box(state.box, {player: (card,) for player, card in event.draws.items()})


def draw_dealer(state: State, event: DealerDrawn) -> None:
    """Make the player with the highest card the dealer. Players who tie have to draw again."""
    values = {player: _draw_value(state, event.draws[player]) for player in event.draws}
    highest = max(values.values())
    tied = tuple(player for player in state.seating if values.get(player) == highest)
    if len(tied) == 1 and highest >= 0:
        state.dealer = tied[0]
        state.drawing = ()
    else:
        state.drawing = tied


def _draw_value(state: State, card: Card) -> int:
    """Return the value of a card in the draw for the dealer.

    A value below 0 means that its drawer can't become the dealer.
    """
    printed = state.edition.face(card)
    if printed.is_number:
        return int(printed.symbol)
    return -1 if state.edition.dealer_draw.value is DealerDraw.LETTERED_CANNOT_DEAL else 0


def refused_deal(state: State, event: RoundStarted) -> Refusal | None:
    """Why these can't be the dealer, the hands and the pile."""
    dealer = event.dealer or state.dealer
    if dealer is None:
        return Refusal(code="dealer-needed")
    hands, pile = event.hands or {}, event.draw_pile
    refused = not_staying(state, dealer, "dealer")
    for player in hands:
        refused = refused or not_staying(state, player, "hands")
    refused = refused or beyond_box(state.box, hands, pile or ())
    if refused is not None or pile is None:
        return refused
    size = state.edition.hand_size.value
    dealt = sum(max(size, len(hands.get(player, ()))) for player in state.staying)
    if len(pile) + dealt != state.box.size:
        return impossible("draw-pile-not-whole", cards=len(pile), whole=state.box.size - dealt)
    return None


def breaches_of_deal(state: State, event: RoundStarted) -> tuple[Violation, ...]:
    """Return a violation for each hand with more cards than the edition deals."""
    dealt = state.edition.hand_size
    return tuple(
        Violation(
            clause=dealt.clause,
            reason="cards-dealt",
            facts={"player": player, "cards": len(cards), "hand_size": dealt.value},
        )
        for player, cards in (event.hands or {}).items()
        if len(cards) > dealt.value
    )


def deal(state: State, event: RoundStarted) -> None:
    """The hands are dealt, and a card is to be turned up."""
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
    state.running = begin_round(state, event.dealer)
    state.phase = "turning"
    state.lay_out(Table(seats=state.staying, hands=held, pile=pile))


def begin_round(
    state: State,
    dealer: str | None,
    *,
    tally: RoundTallied | None = None,
    charges: dict[str, int] | None = None,
) -> Round:
    """Begin a round in the state, and return it.

    `dealer`: None means the player whose turn it is to deal. `tally`, `charges`: those of a round
    that is told as a whole.
    """
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
        substitutes=state.substitutes,
        out=state.eliminated,
        tally=tally,
        hands={},
        charges=charges or {},
    )


def pass_the_deal(state: State, winners: tuple[str, ...]) -> None:
    """Count a round that is over, and set the dealer and the seats of the next one."""
    state.rounds_counted += 1
    state.dealer = _next_dealer(state, winners)
    if state.plan:
        take_planned_seats(state)


def take_planned_seats(state: State) -> None:
    """Take the seats and the dealer that a schedule fixed for the next round, if there is one.

    If that dealer is out of the match, the deal passes to the left.
    """
    if state.rounds_counted < len(state.plan):
        planned = state.plan[state.rounds_counted]
        state.seating = planned.players
        state.dealer = planned.dealer
        if planned.dealer in state.eliminated:
            state.dealer = _next_staying(state, planned.dealer, planned.players)


def _next_dealer(state: State, winners: Collection[str]) -> str | None:
    """Return the dealer of the next round, None if nobody knows.

    `winners` is empty after a voided round.
    """
    dealer, seating = state.dealer, state.seating
    if state.edition.next_dealer.value is _WINNER_DEALS:
        if state.table and state.table.direction == "counter-clockwise":
            # Joint winners are taken in the direction of play.
            seating = seating[::-1]
        if winners:
            return next(player for player in _from_left_of(dealer, seating) if player in winners)
    return None if dealer is None else _next_staying(state, dealer, seating)


def _next_staying(state: State, player: str, seating: Sequence[str]) -> str | None:
    """Return the next player after `player` who is still in the match, None if there is none."""
    staying = state.staying
    return next((one for one in _from_left_of(player, seating) if one in staying), None)


def _from_left_of(player: str | None, seating: Sequence[str]) -> tuple[str, ...]:
    """Return the seating from a player's left neighbour to that player.

    If `player` is None, the seating is returned as it is.
    """
    if player is None:
        return tuple(seating)
    seat = seating.index(player) + 1
    return (*seating[seat:], *seating[:seat])


DEALER_DRAWN: Final = EventRule(
    event=DealerDrawn,
    names=("draws",),
    phases=BETWEEN_ROUNDS,
    refuse=refused_dealer_draw,
    evolve=draw_dealer,
)

ROUND_STARTED: Final = EventRule(
    event=RoundStarted,
    names=("dealer", "hands"),
    settles_debts=True,
    phases=BETWEEN_ROUNDS,
    refuse=refused_deal,
    breach=breaches_of_deal,
    evolve=deal,
    hides=without_fields("hands", "draw_pile"),
)
