"""The scoring modes: what a round is worth, and who has won. Integers only.

A side scores together: a team, or a player alone. Scores and points are mappings by player; a
player who no longer takes part is not in them.
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
"""What scores are: points that a side collected, that its hands cost it, or the one less the other.

Of `penalty` points few are good, of the others many. Only points of one kind can be added up.
"""
Side: TypeAlias = tuple[str, ...]
Sides: TypeAlias = tuple[Side, ...]
PointsByPlayer: TypeAlias = Mapping[str, int]
"""The value of each hand that counts; an empty hand may be left out."""


class HandSum(Struct, frozen=True):
    """A claim about hands: together they are worth that."""

    players: tuple[str, ...]
    points: int


class Mode(Struct, frozen=True, kw_only=True):
    """A scoring mode.

    `points`: what its scores are, None where there are none. `counted`: whose hands have to be
    known, in the order of the sides. `award`: what each player scores in a round, partners the
    same. `claims`: what a sheet of scores says about the hands
    behind it; it contradicts the mode where no hands bear all of them out.
    `target_ends`: a total that reaches the target ends the match. `knocks_out`: one that exceeds
    it ends it for its player. `rounds_decide`: the rounds won are compared, not the totals.
    `teams`: partners can score together; `team_scoring`: with which hands, None: with none.
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
    """Whose hands some winner's side collects: partners' too, where two sides win jointly."""
    winning = [side for side in sides if has_won(side, winners)]
    if len(winning) != 1:
        # Sides share no player: what one of several winners does not collect, another one does.
        return _losers(sides, winners) if winning else ()
    return tuple([player for side in sides if side != winning[0] for player in side])


def _nothing(sides: Sides, _winners: Collection[str], _points: PointsByPlayer) -> dict[str, int]:
    return {player: 0 for side in sides for player in side}


def _collect(sides: Sides, winners: Collection[str], points: PointsByPlayer) -> dict[str, int]:
    """Each winning side gets the hands of all others, in full also where several win."""
    scores: dict[str, int] = {}
    for side in sides:
        score = 0
        if has_won(side, winners):
            score = sum([value for player, value in points.items() if player not in side])
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
    """A side wins a round by any of its members."""
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
    """Who stands best, in the order given; equals share (X-TIE)."""
    figure = (min if mode.lowest_wins else max)(standings.values())
    return tuple(player for player, standing in standings.items() if standing == figure)


def reaches(totals: Iterable[int], target: int | None) -> bool:
    """Whether some total ends a match that is played to a target."""
    return target is not None and any(total >= target for total in totals)


def knocked_out(totals: PointsByPlayer, target: int | None) -> tuple[str, ...]:
    """Who of those still in is out at these totals, in their order.

    More than the target is out. Where two then remain they are in a duel, in which the target
    itself has lost, also on entering it.
    """
    if target is None:
        return ()
    staying = [player for player, total in totals.items() if total <= target]
    if len(staying) == 2:
        staying = [player for player in staying if totals[player] < target]
    return tuple(player for player in totals if player not in staying)
