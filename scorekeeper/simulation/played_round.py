"""A whole simulated round, from the deal to the last card."""

from collections.abc import Mapping
from random import Random

from msgspec import Struct

from scorekeeper.match.events.card_events import TurnPassed
from scorekeeper.match.events.events import RoundVoided
from scorekeeper.rules.cards import Card
from scorekeeper.simulation.dealt_round import Circumstances, DealtRound, Happening
from scorekeeper.simulation.first_card import deal
from scorekeeper.simulation.turns import take_turn

MOST_HAPPENINGS = 2000
"""A round that goes on for longer is broken up."""


class PlayedRound(Struct, frozen=True, kw_only=True):
    """What happened, and what everybody still in held at the end.

    `charges`: points counted at catches. A `voided` round has neither winners nor hands.
    """

    happened: tuple[Happening, ...]
    hands: Mapping[str, tuple[Card, ...]]
    winners: tuple[str, ...]
    charges: Mapping[str, int]
    voided: bool


def play_round(rng: Random, given: Circumstances) -> PlayedRound:
    """The same `rng` and circumstances give the same round."""
    dealt = DealtRound(rng, given)
    deal(dealt)
    while not dealt.over and not _stuck(dealt):
        take_turn(dealt)
    if not dealt.over:
        return _voided(dealt, len(dealt.happened))
    if dealt.chance(given.habits.voids_round):
        return _voided(dealt, rng.randrange(1, len(dealt.happened)))
    return PlayedRound(
        happened=tuple(dealt.happened),
        hands={player: tuple(dealt.hand(player)) for player in dealt.seats},
        winners=dealt.winners,
        charges=dealt.charges,
        voided=False,
    )


def _stuck(dealt: DealtRound) -> bool:
    """Nobody can go on, or nobody would have played for so long."""
    lately = dealt.happened[-2 * len(dealt.seats) :]
    return len(dealt.happened) > MOST_HAPPENINGS or all(
        isinstance(happening.event, TurnPassed) for happening in lately
    )


def _voided(dealt: DealtRound, after: int) -> PlayedRound:
    """The round breaks up after so many happenings."""
    end = RoundVoided(reason="Cards fell off the table.", redealt=dealt.chance(500))
    return PlayedRound(
        happened=(*dealt.happened[:after], Happening(end, forced=False)),
        hands={},
        winners=(),
        charges={},
        voided=True,
    )
