"""Every clause has a test that keeps it and one that breaks it.

This holds for the clauses of the booklets and for those of our own readings.
"""

import ast
from functools import cache
from pathlib import Path

from tests.match.scenes.reading import GoldenRound, read
from tests.syntax_trees import syntax_tree

TESTS = Path(__file__).parents[2]
REGISTRIES = ("clause_ids.txt", "house_rule_clause_ids.txt")


# Clauses that nobody can break, with the reason.
CANNOT_BE_BROKEN = {
    "C-DEALER": "the dealer is chosen freely, so everybody may be",
    "H-NEXT-DEALER": "a dealer whom the table records prevails",
    "X-NEXT-DEALER": "a dealer whom the table records prevails",
    "X-UNO": "says when a call is owed; who does not call breaks the booklet's own clause",
    "X-TIE": "the winner of a match is worked out, and told by nobody",
    "B-ROTATE-4": "the schedule is worked out, and told by nobody",
    "B-ROTATE-8": "the schedule is worked out, and told by nobody",
}


def golden_rounds() -> list[GoldenRound]:
    return [read(path) for path in (TESTS / "golden" / "rounds").rglob("*.txt")]


def clauses_of_golden_rounds() -> set[str]:
    return {clause for golden in golden_rounds() for clause in golden.clauses}


def broken_in_golden_rounds() -> set[str]:
    """Return the clauses for which a line of a golden round is refused or flagged."""
    lines = (line for golden in golden_rounds() for line in golden.lines)
    claims = (claim for line in lines for claim in line.expected)
    words = {word for name, said in claims if name in ("refused", "flags") for word in said.split()}
    return words & registry()


def clauses_of_marks(name: str = "clause") -> set[str]:
    """Return the clauses in `pytest.mark.clause("M-STAR", …)` anywhere in the tests.

    `name`: the mark to read instead of `clause`.
    """
    return {clause for mark, clause in marks() if mark == name}


@cache
def marks() -> set[tuple[str, object]]:
    """Return a pair of mark and argument for each argument of a pytest mark in the tests."""
    sources = TESTS.rglob("*.py")
    marked = (
        syntax_tree(path) for path in sources if "pytest.mark." in path.read_text(encoding="utf-8")
    )
    calls = (
        node
        for tree in marked
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    )
    return {
        (call.func.attr, one.value)
        for call in calls
        if ast.unparse(call.func).startswith("pytest.mark.")
        for one in call.args
        if isinstance(one, ast.Constant)
    }


def registry() -> set[str]:
    paths = [TESTS / "editions" / name for name in REGISTRIES]
    return {clause for path in paths for clause in path.read_text(encoding="utf-8").split()}


def test_every_clause_is_shown():
    unshown = sorted(registry() - clauses_of_golden_rounds() - clauses_of_marks())
    assert unshown == [], "a golden round or a test with the mark `clause` keeps each of them"


def test_every_clause_is_broken_or_cannot_be():
    broken = broken_in_golden_rounds() | clauses_of_marks("breach")
    unbroken = sorted(registry() - broken - CANNOT_BE_BROKEN.keys())
    assert unbroken == [], "a golden round or a test with the mark `breach` breaks each of them"
    assert sorted(broken & CANNOT_BE_BROKEN.keys()) == [], "these can be broken"


def test_no_test_names_a_clause_that_does_not_exist():
    marked = clauses_of_marks() | clauses_of_marks("breach") | CANNOT_BE_BROKEN.keys()
    unknown = sorted((clauses_of_golden_rounds() | marked) - registry())
    assert unknown == [], f"each clause stands in {' or '.join(REGISTRIES)}"


def test_what_happens_at_the_table_is_shown_by_a_golden_round():
    """Clauses about what is decided between rounds are left to the tests of whole matches."""
    between = {"X-TIE", "X-ROTATE", "B-ROTATE-4", "B-ROTATE-8"}
    unseen = sorted(registry() - between - clauses_of_golden_rounds())
    assert unseen == [], "a golden round shows each of them"
