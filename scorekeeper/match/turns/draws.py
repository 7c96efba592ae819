"""Cards that are drawn, owed or not, gifts that are paid, and turns that end without a card."""

from collections import Counter
from typing import Final

from msgspec.structs import replace

from scorekeeper.match.events.card_events import CardGiven, CardsDrawn, TurnPassed
from scorekeeper.match.events.events import TableEvent
from scorekeeper.match.events.refusal import Refusal, Violation, impossible
from scorekeeper.match.knowledge import Test, alone_unknown, holds, known_to_hold
from scorekeeper.match.known_cards import card_count
from scorekeeper.match.state import State, not_in_play, table_of
from scorekeeper.match.table import (
    Closing,
    Debt,
    Drawn,
    Misplayed,
    Table,
    beyond_debt,
    end_round,
    give_turn,
    next_seat,
    owed,
)
from scorekeeper.match.turns.calls import is_for_a_call
from scorekeeper.match.turns.drawn_cards import (
    beyond_owed,
    drawn_past,
    flags_of_pass,
    may_be_past,
    pass_in_doubt,
)
from scorekeeper.match.turns.effects import (
    draw_cards,
    emptied,
    hand_over,
    move_drawn,
    pile_too_short,
)
from scorekeeper.match.turns.event_rule import PLAYING, PLAYING_OR_OUT, EventRule, without_fields
from scorekeeper.match.turns.laying import color_needed
from scorekeeper.match.turns.legality import bars_drawing, out_of_turn
from scorekeeper.match.turns.payments import before_turn, pile_for
from scorekeeper.match.turns.uno import settle, turn_begun


def refused_draw(state: State, event: CardsDrawn) -> Refusal | None:
    """Why the cards can't have been drawn."""
    table = table_of(state)
    refused = not_in_play(state, event.player)
    if refused is not None:
        return refused
    if not owed(table, event.player):
        if not event.number:
            return impossible("nothing-owed", player=event.player)
        if state.phase == "showing_hands":
            return impossible("wrong-phase", phase=state.phase, type="cards_drawn")
        refused = color_needed(state, table)
        if refused is not None:
            return refused
    if not event.cards:
        return pile_too_short(table, event.player, event.number)
    return draw_cards(state, table.copy(), event.player, event.number, event.cards)


def breaches_of_draw(state: State, event: CardsDrawn) -> tuple[Violation, ...]:
    """Return the violations of a draw.

    A player who draws without a debt has to be on turn, and may draw as many cards as the edition
    says. A draw that is told as played may pay too few cards for a debt.
    """
    table = table_of(state)
    allowed = state.edition.draws_without_match
    debt, number = owed(table, event.player), event.number
    facts = {"player": event.player, "count": number, "allowed": debt or allowed.value}
    unpaid = _first_unpaid(table, event) if event.as_played else None
    if unpaid is not None:
        return (Violation(clause=unpaid.clause, reason="too-few-drawn", facts=facts),)
    extra = number - debt
    if extra <= 0:
        return ()
    found = () if debt else out_of_turn(table, event.player)
    before = table.drawn.count if table.drawn and table.turn == event.player else 0
    bounded = state.edition.house.draws_until_playable is None
    too_many = bounded and extra + before > allowed.value
    if too_many or (debt and table.turn != event.player):
        left = debt or max(0, allowed.value - before)
        found = (
            *found,
            Violation(
                clause=allowed.clause, reason="too-many-drawn", facts=facts | {"allowed": left}
            ),
        )
    return found


def _first_unpaid(table: Table, event: CardsDrawn) -> Debt | None:
    """Return the oldest debt of cards to draw for which the draw has too few cards."""
    left = event.number
    for debt in table.debts:
        if debt.kind == "draw" and debt.player == event.player:
            left -= debt.count
            if left < 0:
                return debt
    return None


def drawing_forbidden(state: State, event: CardsDrawn) -> bool | None:
    """Return whether the player draws although a card has to be played; None: not known."""
    bars = _bars(state, event)
    if bars is None:
        return False
    table = table_of(state)
    return holds(state.box, table, table.hands[event.player], bars, event.player)


def _bars(state: State, event: CardsDrawn) -> Test | None:
    """Return a test for the cards that have to be played before such a draw, None if none has."""
    table = table_of(state)
    if table.drawn is not None or table.turn != event.player or not beyond_debt(table, event):
        return None
    last = card_count(table.hands[event.player]) == 1
    return bars_drawing(state.edition, table.top, table.color, last=last)


def flags_of_draw(state: State, event: CardsDrawn) -> tuple[Violation, ...]:
    """Return the violations of the duty to play a card, or to stop drawing.

    They are recorded whether or not the draw is told as played.
    """
    found = _against_duty(state, event)
    if state.edition.house.draws_until_playable is None:
        return found
    past = drawn_past(state, event)
    return found if past is None else (*found, past)


def _against_duty(state: State, event: CardsDrawn) -> tuple[Violation, ...]:
    table = table_of(state)
    hand = table.hands[event.player]
    if not hand.known and not alone_unknown(state.box, table, event.player):
        # In most cases, nobody has seen a card of this hand.
        return ()
    bars = _bars(state, event)
    if bars is None or not known_to_hold(state.box, table, hand, bars, event.player):
        return ()
    clause = state.edition.keep.clause
    facts = {"player": event.player}
    return (Violation(clause=clause, reason="drawn-while-able", facts=facts),)


def draw(state: State, event: CardsDrawn) -> None:
    """Draw cards. They pay the player's debts first, the oldest debt first."""
    before = table_of(state)
    misplayed = None if before.misplayed is None else _still_open(state, event)
    table = replace(before, misplayed=misplayed)
    player, number = event.player, event.number
    if number:
        move_drawn(table, player, number, event.cards or ())
    extra = number
    if table.debts:
        extra = beyond_debt(table, event)
        _pay(table, event)
    hand = before.hands[player]
    if player in table.called or not (hand.known or hand.unknown):
        # Any other draw ends no call, and brings no hand to one card.
        settle(table, before.hands, (player,))
    new = table.hands[player].known[len(hand.known) :]
    if table.over and state.mode.rounds_decide:
        table.closing = (*table.closing, Closing(event, new, number - len(new)))
    if extra and table.turn is not None:
        if player != table.turn:
            # Whoever draws has the turn, even if it is one that a card leaves out.
            table.turn, table.drawn = player, None
        new, ordered = beyond_owed(before, event, new, extra) if new else ((), False)
        earlier = table.drawn or Drawn((), 0, hand.known)
        cards, unknown = (*earlier.cards, *new), earlier.unknown + extra - len(new)
        table.drawn = Drawn(cards, unknown, earlier.beside, earlier.ordered and ordered)
        turn_begun(state, table, player)
    state.lay_out(table)


def _still_open(state: State, event: CardsDrawn) -> Misplayed | None:
    """Return the misplay if it can still be called after the draw, else None.

    The draw is also made on the table from before the misplay. A draw by the next player ends the
    time for the call. One by another player does not, if it pays for advice, for an accusation, or
    for a debt from before the misplay. After a reshuffle every draw ends it, since the card under
    the misplay may be the one that is drawn.
    """
    table, player = table_of(state), event.player
    misplayed = table.misplayed
    if misplayed is None or misplayed.shuffled:
        return None
    if player in (table.turn, next_seat(table, misplayed.player)):
        return None
    own, earlier = (
        Counter(debt for debt in each.debts if debt.player == player)
        for each in (table, misplayed.before)
    )
    of_calls = all(is_for_a_call(state, debt) for debt in own - earlier)
    if not of_calls or earlier - own or beyond_debt(table, event):
        return None
    before = misplayed.before.copy()
    if event.number and not move_drawn(before, player, event.number, event.cards or ()):
        return None
    _pay(before, event)
    settle(before, misplayed.before.hands, (player,))
    return replace(misplayed, before=before)


def _pay(table: Table, event: CardsDrawn) -> None:
    left = event.number
    debts: list[Debt] = []
    for debt in table.debts:
        if debt.kind != "draw" or debt.player != event.player:
            debts.append(debt)
            continue
        if debt.hit and (left or event.as_played):
            _answer_no_more(table, event.player)
        if not event.as_played and debt.count > left:
            debts.append(replace(debt, count=debt.count - left))
        left = max(0, left - debt.count)
    table.debts = tuple(debts)


def _answer_no_more(table: Table, player: str) -> None:
    """End a player's time to answer or challenge a penalty, for which the player now draws."""
    if table.blow is not None and table.blow.victim == player:
        table.blow = None
    if table.suspect is not None and table.suspect.challenger == player:
        table.suspect = None


def refused_gift(state: State, event: CardGiven) -> Refusal | None:
    """Refuse a gift that is not owed, or a card that can't be given."""
    table = table_of(state)
    refused = not_in_play(state, event.player) or not_in_play(state, event.to, "to")
    if refused is not None:
        return refused
    if _gift(table, event) is None:
        return impossible("no-gift-owed", player=event.player, to=event.to)
    return _hand_over(state, table.copy(), event)


def _gift(table: Table, event: CardGiven) -> Debt | None:
    for debt in table.debts:
        if (debt.kind, debt.player, debt.to) == ("give", event.player, event.to):
            return debt
    return None


def _hand_over(state: State, table: Table, event: CardGiven) -> Refusal | None:
    cards = () if event.card is None else (event.card,)
    return hand_over(state, table, event.player, event.to, cards, 1 - len(cards))


def give(state: State, event: CardGiven) -> None:
    """Give a card that is owed. A player who gives away the last card wins the round."""
    before = table_of(state)
    table = before.copy()
    _hand_over(state, table, event)
    paid = _gift(table, event)
    table.debts = tuple(debt for debt in table.debts if debt is not paid)
    if table.misplayed is not None and table.misplayed.player == event.player:
        # If the card that asked for the gift is taken back, the gift is too (X-MISPLAY).
        table.misplayed = replace(table.misplayed, moved=True, alone=False)
    settle(table, before.hands, (event.player, event.to))
    out = emptied(table)
    if out:
        end_round(table, out)
    state.lay_out(table)


def refused_pass(state: State, event: TurnPassed) -> Refusal | None:
    """Refuse a pass by a stranger, or while a colour has still to be named."""
    return not_in_play(state, event.player) or color_needed(state, table_of(state))


def breaches_of_pass(state: State, event: TurnPassed) -> tuple[Violation, ...]:
    """Return the violation of a player who passes out of turn, or without a draw before it.

    Without a draw, a player may pass only if no card is left to draw.
    """
    table = table_of(state)
    found = out_of_turn(table, event.player)
    if not found and table.drawn is None and table.available:
        facts = {"player": event.player}
        clause = state.edition.draws_without_match.clause
        return (Violation(clause=clause, reason="passed-without-drawing", facts=facts),)
    return found


def pass_turn(state: State, event: TurnPassed) -> None:
    """The next player is on turn."""
    table = replace(table_of(state), misplayed=None)
    give_turn(table, next_seat(table, event.player))
    state.lay_out(table)


def _before_draw(state: State, event: CardsDrawn) -> TableEvent | None:
    before = None if owed(table_of(state), event.player) else before_turn(state, event)
    return before or pile_for(state, event.number)


def _in_doubt(state: State, event: CardsDrawn) -> bool:
    return drawing_forbidden(state, event) is None or may_be_past(state, event)


def _without_cards(event: CardsDrawn) -> CardsDrawn:
    """Return the draw with the number of its cards in place of the cards."""
    return event if event.cards is None else replace(event, cards=None, count=event.number)


CARDS_DRAWN: Final = EventRule(
    event=CardsDrawn,
    names=("player",),
    presupposes=_before_draw,
    phases=PLAYING_OR_OUT,
    refuse=refused_draw,
    breach=breaches_of_draw,
    flag=flags_of_draw,
    evolve=draw,
    doubt=_in_doubt,
    hides=_without_cards,
)

CARD_GIVEN: Final = EventRule(
    event=CardGiven,
    names=("player", "to"),
    phases=PLAYING,
    refuse=refused_gift,
    evolve=give,
    hides=without_fields("card"),
)

TURN_PASSED: Final = EventRule(
    event=TurnPassed,
    names=("player",),
    presupposes=before_turn,
    phases=PLAYING,
    refuse=refused_pass,
    breach=breaches_of_pass,
    flag=flags_of_pass,
    evolve=pass_turn,
    doubt=pass_in_doubt,
)
