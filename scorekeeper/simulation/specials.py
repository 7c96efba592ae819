"""The effects of special cards on hands, and the events that record them."""

from scorekeeper.match.events.effects_told import (
    Discard,
    Draw,
    Give,
    Reverse,
    Skip,
    Swap,
    ToldEffect,
)
from scorekeeper.rules.cards import Card, face
from scorekeeper.rules.parameters import Effect
from scorekeeper.simulation.dealt_round import DealtRound


def carry_out(dealt: DealtRound, player: str, card: Card) -> tuple[ToldEffect, ...]:
    """Move the cards that the card moves; it lies on the discard pile already."""
    effect = dealt.effect(card)
    last = not dealt.hand(player)
    told: list[ToldEffect] = []
    if effect.own_discards or effect.other_discards:
        told = _friendship(dealt, player, effect)
    elif effect.lays_off is not None:
        told = _ribbon(dealt, player, card, effect)
    elif effect.hands_from is not None and not last:
        told = _exchange(dealt)
    elif effect.as_agreed and not last and card in dealt.given.agreed:
        told = _agreed(dealt, player)
    return tuple(told)


def _friendship(dealt: DealtRound, player: str, effect: Effect) -> list[ToldEffect]:
    told: list[ToldEffect] = []
    one = player
    for _ in dealt.seats:
        most = effect.own_discards if one == player else effect.other_discards
        hand = dealt.hand(one)
        wanted = min(most, len(hand)) if dealt.chance(750) else 0
        if one == player and wanted and dealt.chance(300):
            wanted -= 1
        cards = dealt.rng.sample(hand, wanted)
        if cards:
            told.append(_discard(dealt, one, cards))
        one = dealt.after(one)
    return told


def _discard(dealt: DealtRound, player: str, cards: list[Card]) -> Discard:
    for card in cards:
        dealt.hand(player).remove(card)
    dealt.on.discards.extend(cards)
    return Discard(player=player, cards=tuple(cards))


def _ribbon(dealt: DealtRound, player: str, card: Card, effect: Effect) -> list[ToldEffect]:
    told: list[ToldEffect] = []
    hand = dealt.hand(player)
    fitting = [one for one in hand if face(one).color == effect.lays_off]
    wanted = len(fitting) if dealt.chance(600) else dealt.rng.randint(0, len(fitting))
    if wanted:
        dealt.on.discards.pop()
        told.append(_discard(dealt, player, dealt.rng.sample(fitting, wanted)))
        dealt.on.discards.append(card)
    if effect.gift and hand:
        told.append(_give(dealt, player, dealt.after(player)))
    return told


def _give(dealt: DealtRound, giver: str, to: str) -> Give:
    card = dealt.rng.choice(dealt.hand(giver))
    dealt.hand(giver).remove(card)
    dealt.hand(to).append(card)
    return Give(giver=giver, to=to, cards=(card,))


def _exchange(dealt: DealtRound) -> list[ToldEffect]:
    """Mostly as printed, which nobody writes down; sometimes written, sometimes done otherwise."""
    seats = dealt.seats
    steps = -1 if dealt.chance(100) else 1
    from_whom = {player: seats[(seat + steps) % len(seats)] for seat, player in enumerate(seats)}
    hands = dealt.on.hands
    dealt.on.hands = {player: hands[former] for player, former in from_whom.items()}
    return [Swap(hands=from_whom)] if steps < 0 or dealt.chance(100) else []


def _agreed(dealt: DealtRound, player: str) -> list[ToldEffect]:
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
        case 4:
            return [_discard(dealt, player, [dealt.rng.choice(dealt.hand(player))])]
        case 5:
            return _all_draw(dealt, others)
        case 6:
            hands = dealt.on.hands
            hands[player], hands[other] = hands[other], hands[player]
            same = {one: one for one in dealt.seats}
            return [Swap(hands={**same, player: other, other: player})]
        case _:
            return []


def _skip(dealt: DealtRound, player: str) -> bool:
    if player in dealt.on.skipped:
        return False
    dealt.on.skipped.append(player)
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
