"""The sources are laid out as CONTRIBUTING.md and ADR 23 say."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import scorekeeper
from tests.syntax_trees import syntax_tree

PACKAGE = Path(scorekeeper.__file__).parent
MOST_FILES = 25
MOST_LINES = 400


def sources(folder: Path = PACKAGE) -> Iterator[Path]:
    """Yield all files of the product that are not made by running it."""
    for path in sorted(folder.iterdir()):
        if path.is_dir() and path.name != "__pycache__":
            yield from sources(path)
        elif path.is_file():
            yield path


def test_no_folder_has_more_files_than_can_be_looked_over() -> None:
    files = Counter(path.parent for path in sources())
    assert len(files) > 40
    assert {folder: count for folder, count in files.items() if count > MOST_FILES} == {}


def test_no_module_is_longer_than_can_be_read_at_once() -> None:
    modules = [*PACKAGE.rglob("*.py"), *Path(__file__).parents[1].rglob("*.py")]
    lines = {path: path.read_text(encoding="utf-8").count("\n") for path in modules}
    assert {path: count for path, count in lines.items() if count > MOST_LINES} == {}


def test_no_two_types_have_one_name() -> None:
    types = Counter(name for path in PACKAGE.rglob("*.py") for name in types_of(path))
    assert len(types) > 500
    assert [name for name, count in types.items() if count > 1] == []


def types_of(path: Path) -> Iterator[str]:
    """Yield the names of a module's public classes, and of its names for other types."""
    for node in syntax_tree(path).body:
        match node:
            case ast.ClassDef(name=name):
                pass
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript()):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), annotation=ast.Name(id="TypeAlias")):
                pass
            case _:
                continue
        if not name.startswith("_") and not name.isupper():
            yield name
