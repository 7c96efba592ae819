"""Points over several matches, kept apart by what they are: nobody adds gains to losses."""

from collections.abc import Mapping
from typing import Final, get_args

from msgspec import Struct

from scorekeeper.rules.scoring import MODES, PointsKind

KINDS: Final[tuple[PointsKind, ...]] = get_args(PointsKind)


class Sums(Struct, frozen=True, kw_only=True):
    """Points of one kind over some rounds: the own ones, and the others'."""

    rounds: int
    own: int
    others: int


class PointFigures(Sums, frozen=True, kw_only=True):
    """Points of one kind: what the own side scored in `rounds`, and what the others did.

    Partners score together. `others`: of a table's line all opponents, each side once; of two
    people the other's, which are the own ones where they were partners. Figures per round are
    rounded to two places.
    """

    own_per_round: float
    others_per_round: float


class Points(Struct, frozen=True, kw_only=True):
    """Points by what they are; null where no such round was played.

    `collected`: won from the hands of others, in `winner-collects`; many are good. `penalty`: what
    was left in the own hands, in `lowest-total` and `elimination`; few are good. `balance`: what
    was won less what was lost, in `plus-minus`; much is good. In `first-out` nothing is scored.
    """

    collected: PointFigures | None
    penalty: PointFigures | None
    balance: PointFigures | None


_BY_MODE: Final[Mapping[str, PointsKind | None]] = {
    mode.name: mode.points for mode in MODES.values()
}


def kind_in(mode: str) -> PointsKind | None:
    """What is scored in a mode; None where nothing is, or nobody knows the mode."""
    return _BY_MODE.get(mode)


def column(kind: PointsKind, name: str) -> str:
    """The name of a sum among the sums of all kinds."""
    return f"{kind}_{name}"


def point_sums(points: PointsKind | None, sums: Sums) -> dict[str, int]:
    """The sums of all kinds, where these are of one; None: points of no kind."""
    return {
        column(kind, name): getattr(sums, name) if kind == points else 0
        for kind in KINDS
        for name in Sums.__struct_fields__
    }


def figures(sums: Mapping[str, int]) -> Points:
    """From the sums of all kinds by their names."""
    return Points(**{kind: _figures(kind, sums) for kind in KINDS})


def _figures(kind: PointsKind, sums: Mapping[str, int]) -> PointFigures | None:
    rounds, own, others = (sums[column(kind, name)] for name in Sums.__struct_fields__)
    if not rounds:
        return None
    return PointFigures(
        rounds=rounds,
        own=own,
        others=others,
        own_per_round=round(own / rounds, 2),
        others_per_round=round(others / rounds, 2),
    )
