"""Ratings of people: how well they play, judged by whom they finished ahead of.

The model is Plackett-Luce as openskill has it (Weng and Lin, 2011), for any number of players and
for teams. All its parameters are written out, also those without effect here. Ratings are rounded
after every match. So the same matches in the same order give the same figures everywhere.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct
from openskill.models import PlackettLuce
from openskill.models.weng_lin.plackett_luce import PlackettLuceRating

_MILLION: Final = 1_000_000
_DEVIATIONS: Final = 3


def _gamma(
    c: float,
    _k: int,
    _mu: float,
    sigma_squared: float,
    _team: Sequence[PlackettLuceRating],
    _rank: int,
    _weights: list[float] | None,
) -> float:
    """Return how much a match reduces a side's uncertainty: its share in that of the table."""
    return math.sqrt(sigma_squared) / c


_model = PlackettLuce(
    mu=25.0,
    sigma=25.0 / 3.0,
    beta=25.0 / 6.0,
    kappa=0.0001,
    gamma=_gamma,
    tau=25.0 / 300.0,
    margin=0.0,
    limit_sigma=False,
    balance=False,
    weight_bounds=(1.0, 2.0),
)


class Rating(Struct, frozen=True):
    """`mu`: the estimated strength, `sigma`: how uncertain it is; both in millionths."""

    mu: int
    sigma: int

    @property
    def ordinal(self) -> int:
        """The strength that the person almost certainly has at least, in millionths.

        It is `mu` minus three times `sigma`. Lists are sorted by it.
        """
        return self.mu - _DEVIATIONS * self.sigma


UNRATED: Final = Rating(25 * _MILLION, round(25 * _MILLION / 3))


class RatedSide(Struct, frozen=True):
    """A player or a team, and its rank in a match: 1 for the winners, the same for equals."""

    players: tuple[str, ...]
    rank: int


def rated(before: Mapping[str, Rating], sides: Sequence[RatedSide]) -> Mapping[str, Rating]:
    """Return the ratings after one match of all who played in it. `before` lacks new players.

    A match with a single side gives no ratings.
    """
    if len(sides) < 2:
        return {}
    teams = [
        [_of(before.get(player, UNRATED), player) for player in side.players] for side in sides
    ]
    found = _model.rate(teams, ranks=[float(side.rank) for side in sides])
    return {
        player: Rating(round(rating.mu * _MILLION), round(rating.sigma * _MILLION))
        for side, team in zip(sides, found, strict=True)
        for player, rating in zip(side.players, team, strict=True)
    }


def _of(rating: Rating, player: str) -> PlackettLuceRating:
    return _model.rating(mu=rating.mu / _MILLION, sigma=rating.sigma / _MILLION, name=player)
