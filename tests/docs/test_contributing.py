"""All sources have the properties that CONTRIBUTING.md asks for."""

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("scorekeeper", "migrations", "tests")
MOST_LINES = 400
MOST_FILES = 25


def test_no_source_file_is_longer_than_the_page_allows() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert f"never of more than {MOST_LINES}." in page
    files = [path for place in SOURCES for path in sorted((ROOT / place).rglob("*.py"))]
    assert len(files) > 300
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    too_long = {path: length for path, length in lengths.items() if length > MOST_LINES}
    assert [f"{path.relative_to(ROOT)}: {length}" for path, length in too_long.items()] == []


def test_no_folder_has_more_source_files_than_the_page_allows() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert f"A folder has at most {MOST_FILES} of them." in page
    # Migrations lie in the order of their numbers, and no folder of theirs is a subject.
    places = [ROOT / "scorekeeper", ROOT / "tests"]
    files = [path for place in places for path in place.rglob("*.py")]
    folders = Counter(str(path.parent.relative_to(ROOT)) for path in files)
    assert {name: held for name, held in folders.items() if held > MOST_FILES} == {}


def test_every_measurement_is_listed() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    commands = [path for path in (ROOT / "tests/bench").glob("*.py") if path.stem[:2] != "__"]
    named = r"^\| `(?:\.venv/bin/python -m tests\.bench|…)\.(\w+)` \|"
    listed = set(re.findall(named, page, re.MULTILINE))
    assert listed == {path.stem for path in commands}


def test_no_two_test_files_have_the_same_name() -> None:
    """Most runs leave out tests/browser, and so would not notice a name that is used twice."""
    names = Counter(path.name for path in (ROOT / "tests").rglob("test_*.py"))
    assert len(names) > 300
    assert [name for name, files in names.items() if files > 1] == []
