"""The pages name commands that exist, and leave none out."""

import re
from pathlib import Path

from scorekeeper.cli.main import scorekeeper

ROOT = Path(__file__).resolve().parents[2]


def test_every_make_target_that_a_page_names_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    named = {
        target
        for page in pages
        for target in re.findall(r"`make ([a-z]+)`", page.read_text(encoding="utf-8"))
    }
    assert {"test", "slow", "lint"} <= named
    assert named - targets == set()


def test_every_target_that_is_no_file_is_declared_so() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    declared = re.search(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)
    assert declared is not None
    assert set(declared[1].split()) == targets


def test_every_command_of_the_program_is_described() -> None:
    page = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    assert scorekeeper.commands
    assert [name for name in scorekeeper.commands if f"`scorekeeper {name}" not in page] == []
