"""What the table tells of a round that the book has closed already.

If everything is known, or hands do not count, the book closes a round as soon as it can. A table
that tells one event at a time then tells its last draws and hands too late, because the book has
inferred them. Such a late event is accepted if it repeats an inferred entry or names its cards.
"""

from msgspec.structs import replace

from scorekeeper.match.events.card_events import CardsDrawn, HandCounted, HandShown, PileReshuffled
from scorekeeper.match.events.events import DisputeEvent, ServerEvent, TableEvent
from scorekeeper.match.events.refusal import Refusal, impossible
from scorekeeper.match.knowledge import not_in_box, too_many
from scorekeeper.match.known_cards import Hand, card_count, without, worth
from scorekeeper.match.state import State, table_of
from scorekeeper.match.table import Closing, Table, set_hand


def is_late(state: State, event: TableEvent | DisputeEvent | ServerEvent) -> bool:
    """Return whether the event only repeats how the last round ended, or names the cards in it."""
    table = state.table
    if state.phase not in ("ready", "over") or table is None or not table.over:
        return False
    match event:
        case CardsDrawn() | PileReshuffled():
            return _written(table, event) is not None
        case HandShown(player=player, cards=cards):
            hand = table.hands.get(player)
            return hand is not None and not hand.unknown and sorted(cards) == sorted(hand.known)
        case HandCounted(player=player, points=points, cards_left=left):
            hand = table.hands.get(player)
            return (
                hand is not None
                and worth(state.box, hand) == points
                and left in (None, card_count(hand))
            )
        case _:
            return False


def _written(table: Table, event: CardsDrawn | PileReshuffled) -> Closing | None:
    for closing in table.closing:
        by_book = closing.event
        if isinstance(event, CardsDrawn) and isinstance(by_book, CardsDrawn):
            if event.player == by_book.player and 0 < event.number <= by_book.number:
                return closing
        elif type(event) is type(by_book):
            return closing
    return None


def refused_late(state: State, event: TableEvent | DisputeEvent) -> Refusal | None:
    """Return why these can't be the cards that were drawn or shuffled at the end of the round."""
    if isinstance(event, PileReshuffled):
        return not_in_box(state.box, event.draw_pile or ())
    if not isinstance(event, CardsDrawn):
        return None
    told = event.cards or ()
    refused = not_in_box(state.box, told)
    if refused is not None:
        return refused
    if len(told) > event.number:
        return impossible("draw-invalid", player=event.player, count=event.number, cards=told)
    table = table_of(state)
    closing = _written(table, event)
    if closing is not None and len(without(told, closing.cards)) > closing.unknown:
        return impossible("draw-contradicts-pile", player=event.player, cards=told)
    return too_many(state.box, _named(table, event), told)


def tell_late(state: State, event: TableEvent | DisputeEvent | ServerEvent) -> None:
    """Name drawn cards in the hand as it was at the end of the round.

    The points of that hand are filled in if they were not known. Nothing else is changed.
    """
    if not isinstance(event, CardsDrawn | PileReshuffled):
        return
    table = _named(table_of(state), event)
    state.table, state.hands = table, table.hands
    if state.finished is not None and isinstance(event, CardsDrawn):
        ended, earlier = state.finished
        result = ended.result
        if result is not None and result.hand_points.get(event.player) is None:
            points = worth(state.box, table.hands[event.player])
            result = replace(result, hand_points={**result.hand_points, event.player: points})
        ended = replace(ended, hands={**ended.hands, **table.hands}, result=result)
        state.finished = (ended, earlier)


def _named(table: Table, event: CardsDrawn | PileReshuffled) -> Table:
    closing = _written(table, event)
    table = table.copy()
    table.closing = tuple(
        left
        for one in table.closing
        if (left := _still_untold(one, event) if one is closing else one) is not None
    )
    if closing is not None and isinstance(event, CardsDrawn) and event.cards:
        hand = table.hands[event.player]
        new = without(event.cards, closing.cards)
        named = Hand((*hand.known, *new), (hand.unknown or 0) - len(new))
        set_hand(table, event.player, named)
    return table


def _still_untold(closing: Closing, event: CardsDrawn | PileReshuffled) -> Closing | None:
    """Return what is left to tell of an inferred draw, which may be told card by card, or None."""
    written, told = closing.event, event
    if isinstance(written, PileReshuffled) or isinstance(told, PileReshuffled):
        return None
    count = written.number - told.number
    if not count:
        return None
    cards = told.cards or ()
    unknown = closing.unknown - len(without(cards, closing.cards))
    rest = replace(written, count=count, cards=None)
    return Closing(rest, without(closing.cards, cards), unknown)
