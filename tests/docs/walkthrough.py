"""`python -m tests.docs.walkthrough` updates the line numbers in docs/walkthrough.md."""

import ast
import re
from pathlib import Path

from tests.syntax_trees import syntax_tree

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/walkthrough.md"
LINK = re.compile(
    r"\[`(?P<name>[\w.]+)`\]\(\.\./(?P<path>scorekeeper/[\w/]+\.py)(?P<lines>#L\d+-L\d+)?\)"
)


def lines_of(name: str, path: str) -> str:
    """Return a link's fragment with the lines of a function, class or method, or raise KeyError."""
    found: ast.AST = syntax_tree(ROOT / path)
    for part in name.split("."):
        found = _defined(found, part)
    assert isinstance(found, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    return f"#L{found.lineno}-L{found.end_lineno}"


def _defined(inside: ast.AST, name: str) -> ast.AST:
    for each in ast.iter_child_nodes(inside):
        if (
            isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            and each.name == name
        ):
            return each
        if isinstance(each, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == name for target in each.targets
        ):
            raise KeyError(f"{name} is a value")
    raise KeyError(name)


def with_lines(page: str) -> str:
    return LINK.sub(
        lambda link: f"[`{link['name']}`](../{link['path']}{lines_of(link['name'], link['path'])})",
        page,
    )


if __name__ == "__main__":
    PAGE.write_text(with_lines(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
