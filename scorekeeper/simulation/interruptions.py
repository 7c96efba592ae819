"""A card like the one on top is laid out of turn."""

from collections.abc import Callable

from scorekeeper.rules.cards import WILD_DRAW_FOUR, face
from scorekeeper.rules.parameters import JumpIn
from scorekeeper.simulation.choices import may_lay, tries_bluff
from scorekeeper.simulation.dealt_round import DealtRound, Owed
from scorekeeper.simulation.penalties import stacks_on


def jump_in(dealt: DealtRound, *, lay: Callable[..., None], waiting: Owed | None = None) -> bool:
    """Whether somebody does; `waiting`: a penalty of which nothing is drawn yet.

    That one lapses, or is drawn with the one that is laid on it. All else is drawn first.
    """
    cited = dealt.edition.house.jump_in
    if cited is None or not dealt.on.laid:
        return False
    card = dealt.top
    if cited.value is JumpIn.COLORED and face(card).color is None:
        return False
    able = [one for one in dealt.seats if card in dealt.hand(one) and _may_jump(dealt, one)]
    if not able or not dealt.chance(dealt.given.habits.jumps_in):
        return False
    stacked = 0
    if waiting is not None and waiting in dealt.on.owed:
        dealt.on.owed.remove(waiting)
        if stacks_on(dealt, card, card):
            stacked = waiting.count
    dealt.pay()
    lay(dealt, dealt.rng.choice(able), card, jumping=True, stacked=stacked)
    return True


def _may_jump(dealt: DealtRound, player: str) -> bool:
    hand, card = dealt.hand(player), dealt.top
    if card == WILD_DRAW_FOUR and any(debt.player == player for debt in dealt.on.owed):
        # What is drawn first may forbid it.
        return False
    return may_lay(dealt, hand, card) or (card == WILD_DRAW_FOUR and tries_bluff(dealt, hand))
