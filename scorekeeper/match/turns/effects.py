"""What a card does beyond what every card does: discards, gifts, exchanges, and what was agreed."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from scorekeeper.match.events.card_events import (
    CardPlayed,
    Discard,
    Draw,
    Give,
    Reverse,
    Skip,
    Swap,
    ToldEffect,
)
from scorekeeper.match.events.refusal import Refusal, impossible
from scorekeeper.match.knowledge import not_in_box, too_many
from scorekeeper.match.known_cards import (
    Hand,
    card_count,
    hand_with,
    hand_without,
    hand_without_unseen,
    height,
    on_top,
    take,
)
from scorekeeper.match.state import State, not_in_play
from scorekeeper.match.table import Table, next_seat, set_hand
from scorekeeper.match.turns.exchanges import taken_over
from scorekeeper.rules.cards import Card
from scorekeeper.rules.clauses import Cited
from scorekeeper.rules.edition import Edition
from scorekeeper.rules.parameters import Effect, HandsFrom

# Bound once: to look a member up in its enum costs a play two calls each time.
_CHOSEN: Final = HandsFrom.CHOSEN


def effect_of(edition: Edition, table: Table, card: Card) -> Effect:
    """Return what the card does with the number of players now in play."""
    return cited_effect(edition, table, card).value


def cited_effect(edition: Edition, table: Table, card: Card) -> Cited[Effect]:
    """Return what the card does with the number of players now in play, and its clause."""
    rule = edition.card_rule(card)
    return rule.played_two_players if len(table.seats) == 2 else rule.played


def drawn_by_effects(event: CardPlayed) -> int:
    """Return how many cards the told effects take from the draw pile."""
    return sum(e.number for e in event.effects or () if isinstance(e, Draw))


def carry_out(
    state: State, table: Table, event: CardPlayed, effect: Effect, *, last: bool
) -> Refusal | None:
    """Change the table by what the card did, or return why it can't have done that.

    After a refusal, the table may be changed in part. `last`: it was its player's last card.
    """
    told = event.effects or ()
    if told and not _are_allowed(state, table, event, effect, last=last):
        return Refusal(code="effects-not-allowed", facts={"card": event.card})
    for one in told:
        refused = CARRIED_OUT[type(one)](state, table, one)
        if refused is not None:
            return refused
    if effect.lays_off is not None and table.top != event.card:
        # What is laid off lies under the card that it is laid off with.
        at = len(table.discards) - sum(len(e.cards) for e in told if isinstance(e, Discard)) - 1
        table.discards = (*table.discards[:at], *table.discards[at + 1 :], event.card)
    elif told and any(isinstance(e, Discard) for e in told):
        table.laid = False
    if effect.hands_from is not None and not told and not last:
        _exchange(table, taken_over(table, event, effect))
    return None


def _are_allowed(
    state: State, table: Table, event: CardPlayed, effect: Effect, *, last: bool
) -> bool:
    """Return whether the card can have done what is told of it."""
    told = event.effects or ()
    if event.swap_with is not None and effect.hands_from is _CHOSEN:
        # An exchange is told by `swap_with` or by an effect, but not by both.
        return False
    if effect.as_agreed:
        return not last and _is_agreed(state, event.card)
    if effect.own_discards or effect.other_discards:
        return _discards_allowed(event, effect, told)
    if effect.lays_off is not None or effect.gift:
        return _own_cards_allowed(state, table, event, effect, told)
    if effect.hands_from is not None:
        return not last and len(told) == 1 and isinstance(told[0], Swap)
    return False


def _is_agreed(state: State, card: Card) -> bool:
    options = state.options
    return card in (options.extra_cards or {}) or options.question_block is not None


def agreed_cards(state: State) -> frozenset[Card]:
    """Return the cards whose effect the table has agreed on."""
    return frozenset(
        card
        for card in state.box.counts
        if state.edition.card_rule(card).played.value.as_agreed and _is_agreed(state, card)
    )


def _discards_allowed(event: CardPlayed, effect: Effect, told: tuple[ToldEffect, ...]) -> bool:
    counts: dict[str, int] = {}
    for one in told:
        if not isinstance(one, Discard):
            return False
        counts[one.player] = counts.get(one.player, 0) + len(one.cards)
    return all(
        count <= (effect.own_discards if player == event.player else effect.other_discards)
        for player, count in counts.items()
    )


def _own_cards_allowed(
    state: State, table: Table, event: CardPlayed, effect: Effect, told: tuple[ToldEffect, ...]
) -> bool:
    """Return whether the player can have laid off these cards, and given this gift after them."""
    color, given = effect.lays_off, False
    for one in told:
        if isinstance(one, Discard) and color and not given and one.player == event.player:
            if any(state.edition.face(card).color != color for card in one.cards):
                return False
        elif isinstance(one, Give) and effect.gift and not given:
            given = True
            if one.giver != event.player or one.to != next_seat(table, event.player):
                return False
            if (one.count or len(one.cards or ())) != effect.gift:
                return False
        else:
            return False
    return True


def _discard(state: State, table: Table, effect: Discard) -> Refusal | None:
    refused = not_in_play(state, effect.player) or not_in_box(state.box, effect.cards)
    if refused is not None:
        return refused
    hand = hand_without(table.hands[effect.player], effect.cards)
    if hand is None:
        return not_in_hand(effect.player, effect.cards, table.hands[effect.player])
    set_hand(table, effect.player, hand)
    table.discards = (*table.discards, *effect.cards)
    return too_many(state.box, table, effect.cards)


def _give(state: State, table: Table, effect: Give) -> Refusal | None:
    refused = not_in_play(state, effect.giver, "from") or not_in_play(state, effect.to, "to")
    if refused is not None:
        return refused
    if effect.giver == effect.to:
        return Refusal(code="effects-not-allowed", facts={"card": None})
    return hand_over(state, table, effect.giver, effect.to, effect.cards or (), effect.count or 0)


def hand_over(
    state: State, table: Table, giver: str, to: str, cards: tuple[Card, ...], unseen: int
) -> Refusal | None:
    """Move cards from hand to hand, or return why that is impossible.

    If `unseen` is not 0, so many cards that nobody named are moved, and not `cards`.
    """
    if unseen:
        return _hand_over_unseen(table, giver, to, unseen)
    refused = not_in_box(state.box, cards)
    if refused is not None:
        return refused
    left = hand_without(table.hands[giver], cards)
    if left is None:
        return not_in_hand(giver, cards, table.hands[giver])
    set_hand(table, giver, left)
    set_hand(table, to, hand_with(table.hands[to], cards))
    return too_many(state.box, table, cards)


def _hand_over_unseen(table: Table, giver: str, to: str, count: int) -> Refusal | None:
    hand = table.hands[giver]
    left = hand_without_unseen(hand, count)
    if left is None:
        return not_in_hand(giver, (), hand)
    whole = left.unknown == 0 and hand.unknown == 0
    set_hand(table, giver, left)
    if whole:
        set_hand(table, to, hand_with(table.hands[to], hand.known))
    else:
        set_hand(table, to, hand_with(table.hands[to], (), count))
    return None


def _draw(state: State, table: Table, effect: Draw) -> Refusal | None:
    refused = not_in_play(state, effect.player)
    return refused or draw_cards(state, table, effect.player, effect.number, effect.cards or ())


def draw_cards(
    state: State, table: Table, player: str, count: int, told: tuple[Card, ...]
) -> Refusal | None:
    """Move `count` cards from the draw pile into a hand, or return why that is impossible.

    `told`: those of the cards that are named. At least one card is drawn or named.
    """
    refused = not_in_box(state.box, told) if told else None
    if refused is not None:
        return refused
    if len(told) > count:
        return impossible("draw-invalid", player=player, count=count, cards=told)
    refused = pile_too_short(table, player, count)
    if refused is not None:
        return refused
    if not move_drawn(table, player, count, told):
        top = on_top(table.pile, count)
        return impossible("draw-contradicts-pile", player=player, cards=told, **top)
    return too_many(state.box, table, told) if told else None


def move_drawn(table: Table, player: str, count: int, told: tuple[Card, ...]) -> bool:
    """Move at least one card from the draw pile into a hand, and return whether that is possible.

    If the told cards can't be among those drawn (see `take`), nothing is moved.
    """
    taken = take(table.pile, count, told)
    if taken is None:
        return False
    table.pile = taken.pile
    set_hand(table, player, hand_with(table.hands[player], taken.cards, taken.unknown))
    return True


def pile_too_short(table: Table, player: str, count: int) -> Refusal | None:
    """Return a refusal if the draw pile has fewer cards than the player draws."""
    available = height(table.pile)
    if count <= available:
        return None
    return impossible("pile-too-short", player=player, count=count, available=available)


def _swap(_state: State, table: Table, effect: Swap) -> Refusal | None:
    seats = sorted(table.seats)
    if sorted(effect.hands) != seats or sorted(effect.hands.values()) != seats:
        return Refusal(code="effects-not-allowed", facts={"players": tuple(effect.hands)})
    _exchange(table, effect.hands)
    return None


def _exchange(table: Table, former: Mapping[str, str]) -> None:
    table.hands = {player: table.hands[former[player]] for player in table.seats}


def _skip(state: State, table: Table, effect: Skip) -> Refusal | None:
    table.skipping = (*table.skipping, effect.player)
    return not_in_play(state, effect.player)


def _reverse(_state: State, table: Table, _effect: Reverse) -> Refusal | None:
    reverse(table)
    return None


def reverse(table: Table) -> None:
    """Turn the direction of play round."""
    back = table.direction == "clockwise"
    table.direction = "counter-clockwise" if back else "clockwise"


def not_in_hand(player: str, cards: tuple[Card, ...], hand: Hand) -> Refusal:
    """Return the refusal of cards that a hand can't hold.

    Its facts have the whole hand if all of its cards are known.
    """
    if hand.known and not hand.unknown:
        return impossible("card-not-in-hand", player=player, cards=cards, hand=hand.known)
    return impossible("card-not-in-hand", player=player, cards=cards)


def emptied(table: Table) -> tuple[str, ...]:
    """Return who holds no cards, in seating order."""
    hands = table.hands
    for hand in hands.values():
        if not (hand.unknown or hand.known):
            return tuple(player for player in table.seats if not card_count(hands[player]))
    return ()


CARRIED_OUT: Final[Mapping[type[ToldEffect], Callable[[State, Table, Any], Refusal | None]]] = {
    Discard: _discard,
    Give: _give,
    Draw: _draw,
    Swap: _swap,
    Skip: _skip,
    Reverse: _reverse,
}

NAMING: Final[Mapping[type[ToldEffect], tuple[str, ...]]] = {
    Discard: ("player",),
    Give: ("giver", "to"),
    Draw: ("player",),
    Swap: ("hands",),
    Skip: ("player",),
}
"""The fields of effects that name columns."""


def without_unseen_cards(event: CardPlayed) -> CardPlayed:
    """Return the play with only the number of the cards that its effects gave or drew face down."""
    if not event.effects:
        return event
    effects = tuple(_without_cards(effect) for effect in event.effects)
    if all(left is told for left, told in zip(effects, event.effects, strict=True)):
        return event
    return replace(event, effects=effects)


def _without_cards(effect: ToldEffect) -> ToldEffect:
    match effect:
        case Give() if effect.cards:
            return Give(giver=effect.giver, to=effect.to, count=len(effect.cards))
        case Draw() if effect.cards is not None:
            return replace(effect, cards=None, count=effect.number)
        case _:
            return effect
