"""All sources have the properties that CONTRIBUTING.md asks for."""

from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("scorekeeper", "migrations", "tests")
MOST_LINES = 400


def test_no_source_file_is_longer_than_the_page_allows() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert f"never of more than {MOST_LINES}." in page
    files = [path for place in SOURCES for path in sorted((ROOT / place).rglob("*.py"))]
    assert len(files) > 300
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    too_long = {path: length for path, length in lengths.items() if length > MOST_LINES}
    assert [f"{path.relative_to(ROOT)}: {length}" for path, length in too_long.items()] == []


def test_no_two_test_files_have_the_same_name() -> None:
    """Most runs leave out tests/browser, and so would not notice a name that is used twice."""
    names = Counter(path.name for path in (ROOT / "tests").rglob("test_*.py"))
    assert len(names) > 300
    assert [name for name, files in names.items() if files > 1] == []
