"""Every clause of the booklets, and every reading of our own, is shown by a test that names it."""

import ast
from pathlib import Path

from reading import read

TESTS = Path(__file__).parents[2]
REGISTRY = TESTS / "editions" / "clause_ids.txt"


def clauses_of_golden_rounds() -> set[str]:
    rounds = (TESTS / "golden" / "rounds").rglob("*.txt")
    return {clause for path in rounds for clause in read(path).clauses}


def clauses_of_marks() -> set[str]:
    """Of `pytest.mark.clause("M-STAR", …)` anywhere in the tests, read from the source."""
    named: set[str] = set()
    for path in TESTS.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.clause":
                named.update(one.value for one in node.args if isinstance(one, ast.Constant))
    return named


def registry() -> set[str]:
    return set(REGISTRY.read_text(encoding="utf-8").split())


def test_every_clause_is_shown():
    assert sorted(registry() - clauses_of_golden_rounds() - clauses_of_marks()) == []


def test_no_test_names_a_clause_that_does_not_exist():
    assert sorted((clauses_of_golden_rounds() | clauses_of_marks()) - registry()) == []


def test_what_happens_at_the_table_is_shown_by_a_golden_round():
    """All but what is decided between rounds, which the tests of whole matches show."""
    between = {"X-TIE", "X-ROTATE", "B-ROTATE-4", "B-ROTATE-8"}
    assert sorted(registry() - between - clauses_of_golden_rounds()) == []
