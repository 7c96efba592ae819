"""The first card of a round, and colours that are named by an event of their own."""

from typing import Final

from scorekeeper.match.events.card_events import ColorNamed, FirstCardTurned
from scorekeeper.match.events.refusal import Refusal, impossible
from scorekeeper.match.knowledge import not_in_box, too_many
from scorekeeper.match.known_cards import Stretch, height, known_pile, on_top, take
from scorekeeper.match.state import State, not_in_play, table_of
from scorekeeper.match.table import Table, give_turn, next_seat, owe_draw
from scorekeeper.match.turns.event_rule import EventRule, without_fields
from scorekeeper.match.turns.laying import refused_color
from scorekeeper.rules.cards import Card
from scorekeeper.rules.clauses import Cited
from scorekeeper.rules.parameters import TurnedUp

NAMES_COLOR = (TurnedUp.FIRST_NAMES_COLOR_AND_PLAYS, TurnedUp.FIRST_NAMES_COLOR_FOR_NEXT)


def turned_up(state: State, card: Card) -> Cited[TurnedUp]:
    """Return what the card does when it is turned up, with the number of players now in play."""
    rule = state.edition.card_rule(card)
    among_two = len(table_of(state).seats) == 2
    return rule.turned_up_two_players if among_two else rule.turned_up


def refused_first_card(state: State, event: FirstCardTurned) -> Refusal | None:
    """Why this card can't have been turned up."""
    refused = not_in_box(state.box, (event.card, *(event.draw_pile or ()))) or refused_color(
        state, event.color
    )
    if refused is not None:
        return refused
    if event.color is not None and turned_up(state, event.card).value not in NAMES_COLOR:
        return Refusal(code="color-not-open", facts={"card": event.card, "color": event.color})
    table = table_of(state).copy()
    return _turn_up(state, table, event)


def _turn_up(state: State, table: Table, event: FirstCardTurned) -> Refusal | None:
    """Move the card from the draw pile to where it belongs, or return why that is impossible."""
    taken = take(table.pile, 1, (event.card,)) if table.pile else None
    if taken is None:
        return impossible("card-not-on-top", card=event.card, **on_top(table.pile, 1))
    table.pile = taken.pile
    if turned_up(state, event.card).value is TurnedUp.TO_BOTTOM_OF_DRAW_PILE:
        table.pile = (*taken.pile, Stretch(1, (event.card,)))
    else:
        table.discards = (*table.discards, event.card)
    if event.draw_pile is None:
        return too_many(state.box, table, (event.card,))
    return tell_pile(state, table, event.draw_pile)


def tell_pile(state: State, table: Table, told: tuple[Card, ...]) -> Refusal | None:
    """Replace the draw pile by a told one, or return why that contradicts the known cards."""
    whole = height(table.pile)
    if len(told) != whole:
        return impossible("draw-pile-not-whole", cards=len(told), whole=whole)
    at = 0
    for stretch in table.pile:
        cards = told[at : at + stretch.count]
        at += stretch.count
        if stretch.cards is None:
            continue
        same = cards == stretch.cards if stretch.ordered else sorted(cards) == sorted(stretch.cards)
        if not same:
            return impossible("pile-contradicts-book", cards=cards)
    table.pile = known_pile(told)
    return too_many(state.box, table, (*told, *table.discards))


def turn_first_card(state: State, event: FirstCardTurned) -> None:
    """Turn up the card, and let play begin by what it does, unless another card is turned up."""
    table = table_of(state).copy()
    _turn_up(state, table, event)
    does = turned_up(state, event.card)
    if does.value not in (TurnedUp.TO_BOTTOM_OF_DRAW_PILE, TurnedUp.STAYS_UNDER_NEXT):
        _begin(state, table, event, does)
    state.lay_out(table)


def _begin(state: State, table: Table, event: FirstCardTurned, does: Cited[TurnedUp]) -> None:
    state.phase = "playing"
    dealer = state.dealer or table.seats[0]
    first = next_seat(table, dealer)
    table.color = state.edition.face(event.card).color
    match does.value:
        case TurnedUp.DEALER_BEGINS:
            give_turn(table, dealer)
        case TurnedUp.DEALER_BEGINS_REVERSED:
            table.direction = "counter-clockwise"
            give_turn(table, dealer)
        case TurnedUp.LEFT_BEGINS_REVERSED:
            table.direction = "counter-clockwise"
            give_turn(table, first)
        case TurnedUp.FIRST_IS_SKIPPED:
            give_turn(table, next_seat(table, first))
        case TurnedUp.FIRST_DRAWS_TWO:
            owe_draw(table, first, 2, does.clause, hit=True)
            give_turn(table, next_seat(table, first))
        case TurnedUp.FIRST_NAMES_COLOR_AND_PLAYS:
            give_turn(table, first)
            _open_color(table, event, first, first)
        case TurnedUp.FIRST_NAMES_COLOR_FOR_NEXT:
            give_turn(table, first)
            _open_color(table, event, first, next_seat(table, first))
        case _:
            give_turn(table, first)


def _open_color(table: Table, event: FirstCardTurned, namer: str, then: str) -> None:
    if event.color is None:
        table.color_pending, table.next_turn = namer, then
    else:
        table.color = event.color
        give_turn(table, then)


def refused_color_named(state: State, event: ColorNamed) -> Refusal | None:
    """Refuse a colour that the edition does not have, or that is not this player's to name."""
    refused = not_in_play(state, event.player) or refused_color(state, event.color)
    if refused is not None:
        return refused
    pending = table_of(state).color_pending
    if pending is None:
        return Refusal(code="color-not-open", facts={"color": event.color})
    if pending != event.player:
        return impossible("not-their-color", player=event.player, pending=pending)
    return None


def name_color(state: State, event: ColorNamed) -> None:
    """Put the colour in force, and put the player on turn who has waited for it."""
    table = table_of(state).copy()
    table.color = event.color
    table.color_pending = None
    if table.next_turn is not None:
        give_turn(table, table.next_turn)
        table.next_turn = None
    state.lay_out(table)


FIRST_CARD_TURNED: Final = EventRule(
    event=FirstCardTurned,
    phases=frozenset({"turning"}),
    refuse=refused_first_card,
    evolve=turn_first_card,
    hides=without_fields("draw_pile"),
)

COLOR_NAMED: Final = EventRule(
    event=ColorNamed,
    names=("player",),
    phases=frozenset({"turning", "playing"}),
    refuse=refused_color_named,
    evolve=name_color,
)
