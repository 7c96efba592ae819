"""What players are made to draw: answers to draw cards, challenges, UNO calls and catches.

Points counted at a catch can eliminate the player.
"""

from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec import Struct

from scorekeeper.match.events.card_events import UnoCalled, UnoCaught, WildDrawFourChallenged
from scorekeeper.rules.cards import WILD_DRAW_FOUR, Card, Color, face
from scorekeeper.rules.scoring import knocked_out
from scorekeeper.simulation.choices import (
    fits,
    forbidden_last,
    may_lay,
    number_laid,
    tries_bluff,
)
from scorekeeper.simulation.dealt_round import DealtRound, Owed


def charge(dealt: DealtRound, player: str, points: int) -> None:
    """Count points against a player, who may be eliminated by them.

    If two players remain, one of them may be eliminated, too, by the lower limit for a duel.
    """
    dealt.charges[player] = dealt.charges.get(player, 0) + points
    totals = {one: dealt.given.totals[one] + dealt.charges.get(one, 0) for one in dealt.seats}
    for one in knocked_out(totals, dealt.given.target):
        _leave(dealt, one)
    if len(dealt.seats) < 2:
        dealt.over = True
        dealt.winners = tuple(dealt.seats)


def _leave(dealt: DealtRound, player: str) -> None:
    """Put the player's hand under the discard pile, and leave the seat out from now on."""
    on = dealt.on
    on.discards[:0] = on.hands.pop(player)
    on.owed = [debt for debt in on.owed if debt.player != player]
    on.skipped = [one for one in on.skipped if one != player]
    on.skipping = [one for one in on.skipping if one != player]
    after = dealt.after(player)
    dealt.seats.remove(player)
    if on.turn == player and after != player:
        dealt.give_turn(after)


class Laid(Struct, frozen=True):
    """A card as it was laid.

    `rest`: the cards that its player was left with. `bluff`: whether they forbade laying it.
    `color`: the colour in force before it. `count`: how many such cards were laid at once.
    `effective`: how many of them have their effect. `stacked`: the number of cards that the next
    player has to draw for the cards below.
    """

    player: str
    card: Card
    rest: tuple[Card, ...]
    bluff: bool
    color: Color | None
    count: int
    effective: int
    stacked: int


def react(
    dealt: DealtRound, laid: Laid, victim: str, count: int, *, lay: Callable[..., None] | None
) -> None:
    """Let the victim of a penalty answer it, stack a card on it, ignore it, or challenge the card.

    Afterwards, what the victim owes is noted in `owed`, but not drawn yet. `lay`: the function that
    lays a card, None if no card may be laid.
    """
    debt = Owed(victim, count, hit=True)
    if debt not in dealt.on.owed or laid.player not in dealt.seats:
        return
    habits = dealt.given.habits
    stars = [card for card in dealt.hand(victim) if _answers(dealt, victim, card)]
    stacking = _stacking(dealt, laid, victim) if lay is not None else []
    if lay is not None and stars and dealt.chance(habits.answers):
        dealt.on.owed.remove(debt)
        dealt.pay()
        lay(dealt, victim, stars[0], reflected=Owed(laid.player, count))
    elif lay is not None and stacking and dealt.chance(habits.stacks):
        card = dealt.rng.choice(stacking)
        hand = dealt.hand(victim)
        several = number_laid(dealt, hand, card, hand.count(card))
        dealt.on.owed.remove(debt)
        dealt.pay()
        lay(dealt, victim, card, count=several, stacked=count)
    elif lay is not None and _ignores(dealt, victim):
        dealt.on.owed.remove(debt)
        dealt.pay()
        dealt.owe(victim, count, hit=True)
        lay(dealt, victim, dealt.hand(victim)[0], as_played=True)
    elif (
        laid.card == WILD_DRAW_FOUR
        and dealt.edition.house.bluff is None
        and dealt.chance(habits.challenges)
    ):
        _challenge(dealt, laid, victim, debt)


def _answers(dealt: DealtRound, victim: str, card: Card) -> bool:
    """Return whether the card may be laid on the penalty and sends it back.

    Simulated players lay no card there that may be laid but does not send the penalty back.
    """
    allowed = face(card).symbol in dealt.edition.lays_on_penalty.value
    last = len(dealt.hand(victim)) == 1 and forbidden_last(dealt, card)
    return allowed and dealt.effect(card).reflects and fits(dealt, card) and not last


def stacks_on(dealt: DealtRound, card: Card, below: Card) -> bool:
    """Return whether the penalties of the two cards add up if `card` is laid on `below`."""
    cited = dealt.edition.house.stacks
    return cited is not None and face(card).symbol in cited.value.get(face(below).symbol, ())


def _stacking(dealt: DealtRound, laid: Laid, victim: str) -> list[Card]:
    """Return the cards with which the victim can pass the penalty on.

    There are none if the victim has to draw other cards first.
    """
    hand = dealt.hand(victim)
    if sum(debt.player == victim for debt in dealt.on.owed) > 1:
        return []
    return [
        card
        for card in dict.fromkeys(hand)
        if stacks_on(dealt, card, laid.card)
        and (may_lay(dealt, hand, card) or (card == WILD_DRAW_FOUR and tries_bluff(dealt, hand)))
    ]


def _ignores(dealt: DealtRound, victim: str) -> bool:
    """Return whether the victim lays a card on the penalty that may not be laid there."""
    if not dealt.edition.house.stacks or dealt.on.turn == victim:
        return False
    card = dealt.hand(victim)[0]
    plain = face(card).is_number and len(dealt.hand(victim)) > 1
    return plain and dealt.chance(dealt.given.habits.breaks_other_rules)


def _challenge(dealt: DealtRound, laid: Laid, victim: str, debt: Owed) -> None:
    ends = dealt.edition.challenge.value
    if ends.taken_back and len(dealt.on.discards) <= laid.count:
        # The card below is in the pile already, so it is unknown which one would be restored.
        return
    dealt.on.owed.remove(debt)
    counts = dealt.given.caught_counts and laid.bluff
    points = dealt.given.box.worth(laid.rest) if counts else None
    dealt.tell(WildDrawFourChallenged(by=victim, hand=laid.rest, guilty=laid.bluff, points=points))
    # If penalties have added up, only that of one such card depends on the challenge. The rest is
    # drawn in any case.
    beyond = debt.count - dealt.effect(laid.card).next_draws
    if not laid.bluff:
        dealt.owe(victim, ends.innocent_draws + beyond, hit=True)
        return
    if ends.taken_back:
        del dealt.on.discards[-laid.count :]
        dealt.on.laid = False
        dealt.hand(laid.player).extend((laid.card,) * laid.count)
        dealt.on.color = laid.color
        dealt.on.forgot = [one for one in dealt.on.forgot if one != laid.player]
    dealt.give_turn(victim)
    if points is not None:
        charge(dealt, laid.player, points)
    if not dealt.over and laid.player in dealt.seats:
        dealt.owe(laid.player, ends.guilty_draws + beyond)


def fallen(
    dealt: DealtRound, before: Mapping[str, Sequence[Card]], *, exchanged: Collection[str]
) -> list[str]:
    """Return who has to call UNO now: players with one card who had more, or another hand."""
    return [
        one
        for one in dealt.seats
        if len(dealt.hand(one)) == 1 and (one in exchanged or len(before[one]) != 1)
    ]


def calls(dealt: DealtRound) -> bool:
    """Decide at random whether a player calls UNO in time."""
    return not dealt.chance(dealt.given.habits.forgets_uno)


def settle_calls(dealt: DealtRound, silent: list[str]) -> list[str]:
    """Tell the late calls of UNO, and return which of the silent players will be caught."""
    caught: list[str] = []
    for player in silent:
        if dealt.chance(dealt.given.habits.calls_late):
            dealt.tell(UnoCalled(player=player))
        else:
            dealt.on.forgot.append(player)
            if dealt.chance(dealt.given.habits.catches):
                caught.append(player)
    return caught


def catch(dealt: DealtRound, player: str) -> None:
    """Let somebody point out that the player did not call."""
    if dealt.over or player not in dealt.seats or player not in dealt.on.forgot:
        return
    dealt.on.forgot.remove(player)
    by = dealt.rng.choice(dealt.others(player))
    points = dealt.given.box.worth(dealt.hand(player)) if dealt.given.caught_counts else None
    dealt.tell(UnoCaught(player=player, by=by, points=points))
    if points is not None:
        charge(dealt, player, points)
    if dealt.over or player not in dealt.seats:
        return
    draws = dealt.edition.caught_draws.value
    if dealt.available >= draws + sum(debt.count for debt in dealt.on.owed):
        dealt.draw(player, draws, forced=True, early=bool(dealt.on.owed))
    else:
        # If the cards run out, the oldest debt gets the remaining ones.
        dealt.owe(player, draws)
