"""The five scoring modes. Every edition can be played in each of them."""

from collections.abc import Mapping
from typing import Final

from scorekeeper.editions.clauses.assembly import LENT_MODES
from scorekeeper.rules.cited import Cited
from scorekeeper.rules.edition import ModeDefault, TeamScoring
from scorekeeper.rules.parameters import Rotation

_ENDS: Final[Mapping[str, tuple[int | None, int | None, TeamScoring | None]]] = {
    "winner-collects": (500, None, "opponents-hands"),
    "lowest-total": (500, None, "own-hands"),
    "plus-minus": (None, None, None),
    "elimination": (500, None, None),
    "first-out": (None, 1, None),
}

TEAM_CLAUSES: Final[Mapping[TeamScoring, str]] = {
    "own-hands": "B-TEAM",
    "opponents-hands": "X-TEAM",
}

ROTATIONS: Final = (
    Cited(Rotation(players=4, tables=1, rounds_with_each=4, rounds=12), "B-ROTATE-4"),
    Cited(Rotation(players=8, tables=2, rounds_with_each=4, rounds=28), "B-ROTATE-8"),
)


def modes(own: Mapping[str, str]) -> Mapping[str, ModeDefault]:
    """`own`: the modes that the booklet itself has, with their clauses; the rest is borrowed."""
    return {
        mode: ModeDefault(
            clause=own.get(mode, LENT_MODES[mode]),
            target=target,
            rounds=rounds,
            team_scoring=team_scoring,
            borrowed=mode not in own,
        )
        for mode, (target, rounds, team_scoring) in _ENDS.items()
    }
