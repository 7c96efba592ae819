"""The scoring modes: what a round is worth, and who has won. Integers only.

A side scores together. It is a team, or a single player. Scores and points are mappings by player.
A player who no longer takes part is not in them.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from scorekeeper.rules.edition import TeamScoring

ModeName: TypeAlias = Literal[
    "winner-collects", "lowest-total", "plus-minus", "elimination", "first-out"
]
PointsKind: TypeAlias = Literal["collected", "penalty", "balance"]
"""What a score consists of, which decides whether scores can be added up.

`collected`: points that a side won. `penalty`: points that its own hands cost it. `balance`: points
won less points lost. A low score is good in `penalty`, a high one in the others. Only scores of one
kind can be added up.
"""
Side: TypeAlias = tuple[str, ...]
Sides: TypeAlias = tuple[Side, ...]
PointsByPlayer: TypeAlias = Mapping[str, int]
"""Points by player, such as the values of the hands that count. An empty hand may be left out."""


class HandSum(Struct, frozen=True):
    """A claim that the hands of these players are worth `points` together."""

    players: tuple[str, ...]
    points: int


class Mode(Struct, frozen=True, kw_only=True):
    """A scoring mode.

    The three functions get the sides and the winners of a round.

    `points`: what its scores consist of, None if it has no scores. `counted`: returns the players
    whose hands have to be known, in the order of the sides. `award`: takes the values of the hands
    and returns the score of each player, which is the same for partners. `claims`: takes the scores
    of a round and returns what they say about the hands. If no hands fit all claims, the scores
    contradict the mode.

    `lowest_wins`: the lowest total wins. `target_ends`: a total that reaches the target ends the
    match. `knocks_out`: a player whose total exceeds the target is out. `rounds_decide`: the rounds
    won are compared, not the totals. `needs_rounds`: an opening has to give a number of rounds.
    `teams`: partners can score together. `team_scoring`: which hands a team scores, None if none.
    """

    name: ModeName
    points: PointsKind | None
    counted: Callable[[Sides, Collection[str]], tuple[str, ...]]
    award: Callable[[Sides, Collection[str], PointsByPlayer], dict[str, int]]
    claims: Callable[[Sides, Collection[str], PointsByPlayer], tuple[HandSum, ...]]
    lowest_wins: bool
    target_ends: bool = False
    knocks_out: bool = False
    rounds_decide: bool = False
    needs_rounds: bool = False
    teams: bool = False
    team_scoring: TeamScoring | None = None


def _nobody(_sides: Sides, _winners: Collection[str]) -> tuple[str, ...]:
    return ()


def _losers(sides: Sides, winners: Collection[str]) -> tuple[str, ...]:
    return tuple([player for side in sides for player in side if player not in winners])


def _opponents(sides: Sides, winners: Collection[str]) -> tuple[str, ...]:
    """Return the players whose hands a winning side collects.

    If two sides win jointly, these include the partners of the winners.
    """
    winning = [side for side in sides if has_won(side, winners)]
    if len(winning) != 1:
        # Sides share no player. So a hand that one of several winning sides does not collect, its
        # own, is collected by another one.
        return _losers(sides, winners) if winning else ()
    return tuple([player for side in sides if side != winning[0] for player in side])


def _nothing(sides: Sides, _winners: Collection[str], _points: PointsByPlayer) -> dict[str, int]:
    return {player: 0 for side in sides for player in side}


def _collect(sides: Sides, winners: Collection[str], points: PointsByPlayer) -> dict[str, int]:
    """Give each winning side the points of all hands outside it, also if several sides win."""
    scores: dict[str, int] = {}
    for side in sides:
        score = 0
        if has_won(side, winners):
            for player, value in points.items():
                if player not in side:
                    score += value
        for player in side:
            scores[player] = score
    return scores


def _own_hands(sides: Sides, _winners: Collection[str], points: PointsByPlayer) -> dict[str, int]:
    scores: dict[str, int] = {}
    for side in sides:
        scores.update(dict.fromkeys(side, sum(points.get(player, 0) for player in side)))
    return scores


def _plus_minus(sides: Sides, winners: Collection[str], points: PointsByPlayer) -> dict[str, int]:
    lost = {player: points.get(player, 0) for player in _losers(sides, winners)}
    whole = sum(lost.values())
    return {
        player: whole if player in winners else -lost[player] for side in sides for player in side
    }


def _nothing_claims(
    sides: Sides, _winners: Collection[str], scores: PointsByPlayer
) -> tuple[HandSum, ...]:
    return tuple(HandSum((), scores[side[0]]) for side in sides)


def _collect_claims(
    sides: Sides, winners: Collection[str], scores: PointsByPlayer
) -> tuple[HandSum, ...]:
    losers = _losers(sides, winners)
    return tuple(
        HandSum(
            tuple(player for player in losers if player not in side)
            if has_won(side, winners)
            else (),
            scores[side[0]],
        )
        for side in sides
    )


def _own_hands_claims(
    sides: Sides, winners: Collection[str], scores: PointsByPlayer
) -> tuple[HandSum, ...]:
    own = tuple(
        HandSum(tuple(player for player in side if player not in winners), scores[side[0]])
        for side in sides
    )
    return (*own, HandSum(_losers(sides, winners), sum(claim.points for claim in own)))


def _plus_minus_claims(
    sides: Sides, winners: Collection[str], scores: PointsByPlayer
) -> tuple[HandSum, ...]:
    losers = _losers(sides, winners)
    return (
        *(HandSum((player,), -scores[player]) for player in losers),
        *(HandSum(losers, scores[side[0]]) for side in sides if has_won(side, winners)),
        HandSum(losers, -sum(scores[player] for player in losers)),
    )


def has_won(side: Side, winners: Collection[str]) -> bool:
    """Return whether the side wins the round, which it does if any of its members does."""
    for player in side:  # noqa: SIM110 a dozen times in every tally, and a third of any()
        if player in winners:
            return True
    return False


MODES: Final[Mapping[ModeName, Mode]] = MappingProxyType(
    {
        mode.name: mode
        for mode in (
            Mode(
                name="winner-collects",
                points="collected",
                counted=_opponents,
                award=_collect,
                claims=_collect_claims,
                lowest_wins=False,
                target_ends=True,
                teams=True,
                team_scoring="opponents-hands",
            ),
            Mode(
                name="lowest-total",
                points="penalty",
                counted=_losers,
                award=_own_hands,
                claims=_own_hands_claims,
                lowest_wins=True,
                target_ends=True,
                teams=True,
                team_scoring="own-hands",
            ),
            Mode(
                name="plus-minus",
                points="balance",
                counted=_losers,
                award=_plus_minus,
                claims=_plus_minus_claims,
                lowest_wins=False,
                target_ends=True,
                needs_rounds=True,
            ),
            Mode(
                name="elimination",
                points="penalty",
                counted=_losers,
                award=_own_hands,
                claims=_own_hands_claims,
                lowest_wins=True,
                knocks_out=True,
            ),
            Mode(
                name="first-out",
                points=None,
                counted=_nobody,
                award=_nothing,
                claims=_nothing_claims,
                lowest_wins=False,
                rounds_decide=True,
                teams=True,
            ),
        )
    }
)


def best(mode: Mode, standings: Mapping[str, int]) -> tuple[str, ...]:
    """Return the players with the best standing, in the order given. Equals share it (X-TIE)."""
    figure = (min if mode.lowest_wins else max)(standings.values())
    return tuple(player for player, standing in standings.items() if standing == figure)


def reaches(totals: Iterable[int], target: int | None) -> bool:
    """Return whether some total is at least the target. None means no target."""
    return target is not None and any(total >= target for total in totals)


def knocked_out(totals: PointsByPlayer, target: int | None) -> tuple[str, ...]:
    """Return the players who are out at these totals, in the order of `totals` (H-ELIMINATION).

    `totals` has the players who are still in. A player with more than the target is out. If two
    players remain, they are in a duel, in which a total of exactly the target loses as well, even
    on entering the duel.
    """
    if target is None:
        return ()
    staying = [player for player, total in totals.items() if total <= target]
    if len(staying) == 2:
        staying = [player for player in staying if totals[player] < target]
    return tuple(player for player in totals if player not in staying)
