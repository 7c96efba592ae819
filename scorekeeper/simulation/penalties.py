"""Responses to a draw card: answer, challenge, or draw."""

from collections.abc import Callable

from msgspec import Struct

from scorekeeper.match.events.card_events import WildDrawFourChallenged
from scorekeeper.rules.cards import WILD_DRAW_FOUR, Card, Color, face
from scorekeeper.simulation.choices import fits, worth
from scorekeeper.simulation.dealt_round import DealtRound, Owed
from scorekeeper.simulation.eliminations import charge


class Laid(Struct, frozen=True):
    """A card as it was laid.

    `rest`: what its player was left with; `bluff`: whether that forbade it; `color`: the one before
    it.
    """

    player: str
    card: Card
    rest: tuple[Card, ...]
    bluff: bool
    color: Color | None


def react(
    dealt: DealtRound, laid: Laid, victim: str, count: int, *, lay: Callable[..., None] | None
) -> None:
    """What the victim owes in the end is written down, not yet drawn.

    `lay`: how a card is laid, if one may be.
    """
    debt = Owed(victim, count, hit=True)
    if debt not in dealt.on.owed or laid.player not in dealt.seats:
        return
    habits = dealt.given.habits
    stars = [card for card in dealt.hand(victim) if _answers(dealt, card)]
    if lay is not None and stars and dealt.chance(habits.answers):
        dealt.on.owed.remove(debt)
        dealt.pay()
        lay(dealt, victim, stars[0], reflected=Owed(laid.player, count))
    elif laid.card == WILD_DRAW_FOUR and dealt.chance(habits.challenges):
        _challenge(dealt, laid, victim, debt)


def _answers(dealt: DealtRound, card: Card) -> bool:
    """Whether the card sends the penalty back; nobody lays one on it that does not."""
    allowed = face(card).symbol in dealt.edition.lays_on_penalty.value
    return allowed and dealt.effect(card).reflects and fits(dealt, card)


def _challenge(dealt: DealtRound, laid: Laid, victim: str, debt: Owed) -> None:
    ends = dealt.edition.challenge.value
    if ends.taken_back and len(dealt.on.discards) < 2:
        # The card below is in the pile already, so it is unknown which one would be restored.
        return
    dealt.on.owed.remove(debt)
    counts = dealt.given.caught_counts and laid.bluff
    points = worth(dealt, list(laid.rest)) if counts else None
    dealt.tell(WildDrawFourChallenged(by=victim, hand=laid.rest, guilty=laid.bluff, points=points))
    if not laid.bluff:
        dealt.owe(victim, ends.innocent_draws, hit=True)
        return
    if ends.taken_back:
        dealt.on.discards.pop()
        dealt.hand(laid.player).append(laid.card)
        dealt.on.color = laid.color
        dealt.on.forgot = [one for one in dealt.on.forgot if one != laid.player]
    dealt.give_turn(victim)
    if points is not None:
        charge(dealt, laid.player, points)
    if not dealt.over and laid.player in dealt.seats:
        dealt.owe(laid.player, ends.guilty_draws)
