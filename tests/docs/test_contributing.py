"""What CONTRIBUTING.md asks of the sources holds of all of them."""

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
