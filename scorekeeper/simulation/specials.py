"""The effects of cards on hands, and the events that record them."""

from collections.abc import Mapping

from msgspec import Struct

from scorekeeper.match.events.card_events import (
    Discard,
    Draw,
    Give,
    Reverse,
    Skip,
    Swap,
    ToldEffect,
)
from scorekeeper.rules.cards import Card, face
from scorekeeper.rules.parameters import Effect, HandsFrom
from scorekeeper.simulation.choices import forbidden_last
from scorekeeper.simulation.dealt_round import DealtRound


class Moved(Struct, frozen=True):
    """How it is told what a card's effect has moved.

    `swap_with`: the player with whom the player of the card exchanged hands. `exchanged`: the
    players who hold another hand now.
    """

    effects: tuple[ToldEffect, ...] = ()
    swap_with: str | None = None
    exchanged: tuple[str, ...] = ()


def carry_out(dealt: DealtRound, player: str, card: Card) -> Moved:
    """Carry out what a card does to hands. The card must be on the discard pile already."""
    effect = dealt.effect(card)
    last = not dealt.hand(player)
    told: list[ToldEffect] = []
    if effect.own_discards or effect.other_discards:
        told = _discards(dealt, player, card, effect)
    elif effect.lays_off is not None:
        told = _laid_off(dealt, player, card, effect)
    elif effect.hands_from is not None:
        return _exchange(dealt, player, effect.hands_from, last=last)
    elif effect.as_agreed and not last and card in dealt.given.agreed:
        told = _agreed(dealt, player, card)
    if effect.gift and dealt.hand(player):
        told.append(_give(dealt, player, dealt.after(player)))
    return Moved(tuple(told))


def _discards(dealt: DealtRound, player: str, card: Card, effect: Effect) -> list[ToldEffect]:
    told: list[ToldEffect] = []
    one = player
    keeps = int(forbidden_last(dealt, card))
    for _ in dealt.seats:
        most = effect.own_discards if one == player else effect.other_discards
        hand = dealt.hand(one)
        wanted = min(most, len(hand)) if dealt.chance(750) else 0
        if one == player and wanted and dealt.chance(300):
            wanted -= 1
        if one == player:
            wanted = min(wanted, max(0, len(hand) - keeps))
        cards = dealt.rng.sample(hand, wanted)
        if cards:
            told.append(_discard(dealt, one, cards))
        one = dealt.after(one)
    return told


def _discard(dealt: DealtRound, player: str, cards: list[Card]) -> Discard:
    for card in cards:
        dealt.hand(player).remove(card)
    dealt.on.discards.extend(cards)
    dealt.on.laid = False
    return Discard(player=player, cards=tuple(cards))


def _laid_off(dealt: DealtRound, player: str, card: Card, effect: Effect) -> list[ToldEffect]:
    told: list[ToldEffect] = []
    hand = dealt.hand(player)
    fitting = [one for one in hand if face(one).color == effect.lays_off]
    wanted = len(fitting) if dealt.chance(600) else dealt.rng.randint(0, len(fitting))
    if wanted == len(hand) and forbidden_last(dealt, card):
        wanted -= 1
    if wanted > 0:
        dealt.on.discards.pop()
        told.append(_discard(dealt, player, dealt.rng.sample(fitting, wanted)))
        dealt.on.discards.append(card)
        dealt.on.laid = True
    return told


def _give(dealt: DealtRound, giver: str, to: str) -> Give:
    card = dealt.rng.choice(dealt.hand(giver))
    dealt.hand(giver).remove(card)
    dealt.hand(to).append(card)
    return Give(giver=giver, to=to, cards=(card,))


def _exchange(dealt: DealtRound, player: str, hands_from: HandsFrom, *, last: bool) -> Moved:
    match hands_from:
        case HandsFrom.CHOSEN:
            return _swap(dealt, player, last=last)
        case _ if last:
            return Moved()
        case HandsFrom.PREVIOUS:
            return _pass_on(dealt)
        case HandsFrom.LEFT_NEIGHBOR:
            return _pass_right(dealt)


def _pass_right(dealt: DealtRound) -> Moved:
    """Pass every hand to the right, or sometimes to the left, against what is printed.

    If it is done as printed, it is mostly not written down.
    """
    seats = dealt.seats
    steps = -1 if dealt.chance(100) else 1
    from_whom = {player: seats[(seat + steps) % len(seats)] for seat, player in enumerate(seats)}
    _take_over(dealt, from_whom)
    written = steps < 0 or dealt.chance(100)
    return Moved((Swap(hands=from_whom),) if written else (), exchanged=tuple(seats))


def _pass_on(dealt: DealtRound) -> Moved:
    """Pass every hand to the next player in the direction of play."""
    from_whom = {player: dealt.after(player, -1) for player in dealt.seats}
    _take_over(dealt, from_whom)
    written = dealt.chance(dealt.given.habits.writes_exchange)
    return Moved((Swap(hands=from_whom),) if written else (), exchanged=tuple(dealt.seats))


def _swap(dealt: DealtRound, player: str, *, last: bool) -> Moved:
    """Exchange the player's hand for that of another player, mostly the one with fewest cards."""
    others = dealt.others(player)
    fewest = min(others, key=lambda one: len(dealt.hand(one)))
    other = fewest if dealt.chance(600) else dealt.rng.choice(others)
    written = dealt.chance(dealt.given.habits.writes_exchange)
    if last:
        # After a last card no hands are exchanged, so anybody may be named.
        return Moved(swap_with=other if written else None)
    swap = _exchange_between(dealt, player, other)
    exchanged = (player, other)
    if written:
        return Moved((swap,), exchanged=exchanged)
    return Moved(swap_with=other, exchanged=exchanged)


def _exchange_between(dealt: DealtRound, one: str, other: str) -> Swap:
    from_whom = {**{each: each for each in dealt.seats}, one: other, other: one}
    _take_over(dealt, from_whom)
    return Swap(hands=from_whom)


def _take_over(dealt: DealtRound, from_whom: Mapping[str, str]) -> None:
    hands = dealt.on.hands
    dealt.on.hands = {player: hands[former] for player, former in from_whom.items()}


def _agreed(dealt: DealtRound, player: str, card: Card) -> list[ToldEffect]:
    others = dealt.others(player)
    other = dealt.rng.choice(others)
    match dealt.rng.randrange(8):
        case 0:
            return [Skip(player=other)] if _skip(dealt, other) else []
        case 1:
            dealt.on.clockwise = not dealt.on.clockwise
            return [Reverse()]
        case 2:
            return [_give(dealt, player, other)]
        case 3:
            return [_give(dealt, other, player), _give(dealt, player, other)]
        case 4 if len(dealt.hand(player)) > 1 or not forbidden_last(dealt, card):
            return [_discard(dealt, player, [dealt.rng.choice(dealt.hand(player))])]
        case 5:
            return _all_draw(dealt, others)
        case 6:
            return [_exchange_between(dealt, player, other)]
        case _:
            return []


def _skip(dealt: DealtRound, player: str) -> bool:
    if player in dealt.on.skipped or player in dealt.on.skipping:
        return False
    dealt.on.skipping.append(player)
    return True


def _all_draw(dealt: DealtRound, players: list[str]) -> list[ToldEffect]:
    if len(dealt.on.pile) < len(players):
        return []
    told: list[ToldEffect] = []
    for player in players:
        card = dealt.on.pile.pop(0)
        dealt.hand(player).append(card)
        told.append(Draw(player=player, count=1, cards=(card,)))
    return told
