"""Points over several matches, separate by kind, since gains can't be added to losses."""

from collections.abc import Mapping
from typing import Final, get_args

from msgspec import Struct

from scorekeeper.rules.scoring import MODES, PointsKind

KINDS: Final[tuple[PointsKind, ...]] = get_args(PointsKind)


class Sums(Struct, frozen=True, kw_only=True):
    """Points of one kind over some rounds: those of one side, and those of the others."""

    rounds: int
    own: int
    others: int


class PointFigures(Sums, frozen=True, kw_only=True):
    """Points of one kind: what the player's side scored in `rounds`, and what the others scored.

    Partners score together. In a line of a table, `others` sums all opponents, each side once.
    Between two people, `others` are the points of the other person; partners have the same points.
    Figures per round are rounded to two places.
    """

    own_per_round: float
    others_per_round: float


class Points(Struct, frozen=True, kw_only=True):
    """Points by kind; null if no round with such points was played.

    `collected`: points won from the hands of others, in `winner-collects`; more is better.
    `penalty`: points left in the player's hand, in `lowest-total` and `elimination`; fewer is
    better. `balance`: points won minus points lost, in `plus-minus`; more is better. In `first-out`
    nothing is scored.
    """

    collected: PointFigures | None
    penalty: PointFigures | None
    balance: PointFigures | None


_BY_MODE: Final[Mapping[str, PointsKind | None]] = {
    mode.name: mode.points for mode in MODES.values()
}


def kind_in(mode: str) -> PointsKind | None:
    """Return the kind of points of a mode, None if it scores nothing or is unknown."""
    return _BY_MODE.get(mode)


def column(kind: PointsKind, name: str) -> str:
    """Return the name that a sum of this kind has among the sums of all kinds."""
    return f"{kind}_{name}"


def point_sums(points: PointsKind | None, sums: Sums) -> dict[str, int]:
    """Return the sums of all kinds: `sums` for the kind `points`, and 0 for all others."""
    return {
        column(kind, name): getattr(sums, name) if kind == points else 0
        for kind in KINDS
        for name in Sums.__struct_fields__
    }


def figures(sums: Mapping[str, int]) -> Points:
    """Return the figures that follow from the sums of all kinds, which are given by name."""
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
