"""Tests that look through source files are not disturbed by what is collected meanwhile."""

import ast
import gc
from pathlib import Path

from tests.syntax_trees import syntax_tree


class Parsing:
    """Parses when it is collected, some frames further down, as whoever prints a traceback does."""

    def __init__(self) -> None:
        self._itself = self

    def __del__(self) -> None:
        further_down(7)


def further_down(frames: int) -> ast.Module:
    return further_down(frames - 1) if frames else ast.parse("1 + 2")


def test_a_finalizer_that_parses_does_not_disturb_the_parse_of_a_file(tmp_path: Path) -> None:
    source = tmp_path / "long.py"
    source.write_text("each = [1, (2, 3), {4: 5}]\n" * 500, "utf-8")
    often = gc.get_threshold()
    Parsing()
    # So that nothing is collected before the file is parsed.
    gc.set_threshold(gc.get_count()[0] + 1_000)
    try:
        tree = syntax_tree(source)
    finally:
        gc.set_threshold(*often)
    assert len(tree.body) == 500
    assert gc.isenabled()
