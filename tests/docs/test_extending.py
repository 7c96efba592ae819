"""docs/extending.md sends its readers to files and names that exist."""

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/extending.md").read_text(encoding="utf-8")
SPANS = sorted(set(re.findall(r"`([^`\n]+)`", PAGE)))
# Files to write, commands, cards, and what a template says.
INVENTED = re.compile(r"NAME|^make |^red-|^V-|^zh_TW|…|^\[|^Accept-")
FOLDERS = ("docs", "migrations", "scorekeeper", "tests")
PATH = re.compile(r"[\w./-]+(?:/[\w.-]+|\.(?:py|js|txt|md|po))")
NAME = re.compile(r"\w+")


@cache
def files() -> tuple[str, ...]:
    """Return the addresses of the files in which somebody writes."""
    found = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.*"))
    return tuple(path.relative_to(ROOT).as_posix() for path in found)


@cache
def words() -> frozenset[str]:
    """Every word of the code and of the tests."""
    sources = [path for path in files() if path.endswith((".py", ".js", ".json"))]
    texts = ((ROOT / path).read_text(encoding="utf-8") for path in sources)
    return frozenset(word for text in texts for word in NAME.findall(text))


def test_the_page_names_many_places() -> None:
    assert sum(bool(PATH.fullmatch(span)) for span in SPANS) > 50


@pytest.mark.parametrize("span", [span for span in SPANS if not INVENTED.search(span)])
def test_what_is_named_is_there(span: str) -> None:
    if PATH.fullmatch(span):
        inside = f"/{span.strip('/')}/"
        assert any(f"/{path}/".find(inside) >= 0 or _is_module(path, span) for path in files())
    else:
        assert set(NAME.findall(span)) <= words()


def _is_module(path: str, span: str) -> bool:
    return f"/{path}".endswith(f"/{span}.py")
