"""All clauses that a match in one edition can cite, from the lists they come from."""

from collections.abc import Mapping
from typing import Final

from scorekeeper.editions.clauses.basic import BASIC
from scorekeeper.editions.clauses.classic_2025 import CLASSIC_2025
from scorekeeper.editions.clauses.hello_kitty import HELLO_KITTY
from scorekeeper.editions.clauses.mario_and_mickey import SHARED
from scorekeeper.editions.clauses.readings import READINGS
from scorekeeper.rules.clauses import READING, Clause
from scorekeeper.rules.text import Text

LENT_MODES: Final[Mapping[str, str]] = {
    "winner-collects": "M-SCORE",
    "lowest-total": "B-SCORE",
    "plus-minus": "H-PLUSMINUS",
    "elimination": "H-ELIMINATION",
    "first-out": "C-FIRST-OUT",
}
"""The clause that an edition borrows for a scoring mode that its booklet does not have."""

_LENT: Final = (
    Clause("M-SCORE", SHARED["SCORE"], "mario"),
    Clause("B-SCORE", BASIC["B-SCORE"], "basic"),
    Clause("H-PLUSMINUS", HELLO_KITTY["H-PLUSMINUS"], "hello-kitty"),
    Clause("H-ELIMINATION", HELLO_KITTY["H-ELIMINATION"], "hello-kitty"),
    Clause("C-FIRST-OUT", CLASSIC_2025["C-FIRST-OUT"], "classic-2025"),
    Clause("B-TEAM", BASIC["B-TEAM"], "basic"),
    Clause("B-ROTATE-4", BASIC["B-ROTATE-4"], "basic"),
    Clause("B-ROTATE-8", BASIC["B-ROTATE-8"], "basic"),
)
"""What every edition may be played by although only one booklet has it."""


def assemble(
    source: str, own: Mapping[str, Text], *, modes: Mapping[str, str], without: frozenset[str]
) -> tuple[Clause, ...]:
    """The booklet's own clauses, the readings, and those that are lent.

    `modes` are the booklet's own scoring modes with their clauses, which replace what is lent for
    the same mode; `without` are the readings for which the booklet has a rule of its own.
    """
    replaced = {LENT_MODES[mode] for mode in modes}
    return (
        *(Clause(clause_id, text, source) for clause_id, text in own.items()),
        *(Clause(i, text, READING) for i, text in READINGS.items() if i not in without),
        *(c for c in _LENT if c.id not in replaced and c.id not in own),
    )
