"""What the player does at whom a draw card is played: answer, challenge, or draw."""

from collections.abc import Callable

from msgspec import Struct

from scorekeeper.match.card_events import WildDrawFourChallenged
from scorekeeper.rules.cards import WILD_DRAW_FOUR, Card, Color, face
from scorekeeper.simulation.choices import worth
from scorekeeper.simulation.dealt_round import DealtRound, Owed
from scorekeeper.simulation.eliminations import charge


class Aimed(Struct, frozen=True, kw_only=True):
    """A draw card at somebody. `rest`: what its player was left with; `bluff`: whether that forbade
    it; `color`: the one before it."""

    source: str
    victim: str
    count: int
    card: Card
    rest: tuple[Card, ...]
    bluff: bool
    color: Color | None


def react(dealt: DealtRound, aimed: Aimed, *, lay: Callable[..., None] | None) -> None:
    """`lay`: how a card is laid, if one may be; who draws in the end is written down as owed."""
    debt = Owed(aimed.victim, aimed.count, hit=True)
    if debt not in dealt.on.owed or aimed.source not in dealt.seats:
        return
    habits = dealt.given.habits
    stars = [card for card in dealt.hand(aimed.victim) if _answers(dealt, card)]
    if lay is not None and stars and dealt.chance(habits.answers):
        dealt.on.owed.remove(debt)
        dealt.pay()
        back = Owed(aimed.source, aimed.count)
        lay(dealt, aimed.victim, stars[0], reflected=back)
    elif aimed.card == WILD_DRAW_FOUR and dealt.chance(habits.challenges):
        dealt.on.owed.remove(debt)
        _challenge(dealt, aimed)


def _answers(dealt: DealtRound, card: Card) -> bool:
    return face(card).symbol in dealt.edition.lays_on_penalty.value


def _challenge(dealt: DealtRound, aimed: Aimed) -> None:
    ends = dealt.edition.challenge.value
    source, victim = aimed.source, aimed.victim
    if ends.taken_back and len(dealt.on.discards) < 2:
        # The card below has gone into the pile: nobody could say what is restored.
        dealt.owe(victim, aimed.count, hit=True)
        return
    counts = dealt.given.caught_counts and aimed.bluff
    points = worth(dealt, list(aimed.rest)) if counts else None
    dealt.tell(
        WildDrawFourChallenged(by=victim, hand=aimed.rest, guilty=aimed.bluff, points=points)
    )
    if not aimed.bluff:
        dealt.owe(victim, ends.innocent_draws, hit=True)
        return
    if ends.taken_back:
        dealt.on.discards.pop()
        dealt.hand(source).append(aimed.card)
        dealt.on.color = aimed.color
        dealt.on.forgot = [one for one in dealt.on.forgot if one != source]
    dealt.give_turn(victim)
    if points is not None:
        charge(dealt, source, points)
    if not dealt.over and source in dealt.seats:
        dealt.owe(source, ends.guilty_draws)
