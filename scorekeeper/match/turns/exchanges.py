"""Exchanges of hands, by the rule of a card or as the table tells them."""

from collections.abc import Collection, Mapping
from typing import Final

from scorekeeper.match.events.card_events import CardPlayed, Swap
from scorekeeper.match.events.refusal import Refusal, impossible
from scorekeeper.match.known_cards import card_count
from scorekeeper.match.table import Table, next_seat, on_the_left
from scorekeeper.rules.parameters import Effect, HandsFrom

# Bound once: to look a member up in its enum costs a play two calls each time.
_CHOSEN: Final = HandsFrom.CHOSEN


def taken_over(table: Table, event: CardPlayed, effect: Effect) -> Mapping[str, str]:
    """Return for each player whose hand that player takes over by the rule of the card.

    If the card's player has to choose somebody and has not, everybody keeps the own hand.
    """
    match effect.hands_from:
        case HandsFrom.LEFT_NEIGHBOR:
            return on_the_left(table.seats)
        case HandsFrom.PREVIOUS:
            return {next_seat(table, player): player for player in table.seats}
        case _:
            return _exchanged(table, event.player, event.swap_with or event.player)


def _exchanged(table: Table, player: str, other: str) -> Mapping[str, str]:
    same = {one: one for one in table.seats}
    return {**same, player: other, other: player}


def exchanging(table: Table, event: CardPlayed, effect: Effect) -> Collection[str]:
    """Return the players who hold another hand than before, if the card has hands exchanged."""
    if effect.hands_from is None or not card_count(table.hands[event.player]):
        return ()
    if effect.hands_from is not _CHOSEN:
        return table.seats
    told = event.effects or ()
    by_effect = next((one.hands for one in told if isinstance(one, Swap)), None)
    holders = taken_over(table, event, effect) if by_effect is None else by_effect
    return {holder for holder, former in holders.items() if holder != former}


def swap_untold(table: Table, event: CardPlayed, effect: Effect) -> Refusal | None:
    """Return a refusal if `swap_with` is missing, out of place, or names the card's own player.

    `table`: the table after the card is laid. With a last card, `swap_with` means nothing.
    """
    other = event.swap_with
    if effect.hands_from is not _CHOSEN:
        facts = {"card": event.card}
        return None if other is None else Refusal(code="effects-not-allowed", facts=facts)
    if not card_count(table.hands[event.player]) or event.effects:
        return None
    if other is None:
        return Refusal(code="swap-needed", facts={"player": event.player, "card": event.card})
    if other == event.player:
        return impossible("swap-with-self", player=other)
    return None


def swap_differs(table: Table, event: CardPlayed, effect: Effect) -> bool:
    """Return whether an exchange that is told as an effect differs from that of the house rule."""
    told = next((one for one in event.effects or () if isinstance(one, Swap)), None)
    if told is None:
        return False
    match effect.hands_from:
        case HandsFrom.PREVIOUS:
            return told.hands != taken_over(table, event, effect)
        case HandsFrom.CHOSEN:
            other = told.hands.get(event.player, event.player)
            return other == event.player or told.hands != _exchanged(table, event.player, other)
        case _:
            return False
