"""The pages name all commands that exist, and no others."""

import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from scorekeeper.cli.main import scorekeeper

ROOT = Path(__file__).resolve().parents[2]


def test_every_make_target_that_a_page_names_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    named = {
        target
        for page in pages
        for target in re.findall(r"`make ([a-z-]+)`", page.read_text(encoding="utf-8"))
    }
    assert {"test", "slow", "lint"} <= named
    assert named - targets == set()


def test_every_target_that_is_no_file_is_declared_so() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    declared = re.search(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)
    assert declared is not None
    assert set(declared[1].split()) == targets


@pytest.mark.parametrize(
    "name",
    ["PYTHONDONTWRITEBYTECODE", "PYTHONSAFEPATH", "UV_NO_DEV", "UV_NO_EDITABLE", "UV_PROJECT"],
)
def test_what_make_starts_does_not_see_what_is_for_other_projects(name: str) -> None:
    """Nor are modules compiled again by each process, which takes seconds."""
    told = os.environ | {"PYTHON": sys.executable, name: "1"}
    show = f"asked: ; @printenv {name} || echo forgotten"
    asked = ["make", "--no-print-directory", "--eval", show, "asked"]
    done = subprocess.run(asked, cwd=ROOT, env=told, capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines()[-1:] == ["forgotten"]


def test_every_command_of_the_program_is_described() -> None:
    page = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    names = scorekeeper.list_commands(click.Context(scorekeeper))
    assert "verify" in names
    assert [name for name in names if f"`scorekeeper {name}" not in page] == []


def answered(script: str) -> str:
    """Return the output of bash, with our program on its PATH."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    asked = ["bash", "-euc", script]
    done = subprocess.run(asked, env={"PATH": path}, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_shell_completes_commands_and_options_as_the_page_sets_it_up() -> None:
    page = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    bash, zsh, fish = re.findall(r"^.*_SCOREKEEPER_COMPLETE=.*$", page, re.MULTILINE)
    tab = "COMPREPLY=(); _scorekeeper_completion scorekeeper; echo ${COMPREPLY[*]}"
    script = f"""{bash}
        complete -p scorekeeper > /dev/null
        COMP_WORDS=(scorekeeper re) COMP_CWORD=1; {tab}
        COMP_WORDS=(scorekeeper verify --js) COMP_CWORD=2; {tab}"""
    assert answered(script).splitlines() == ["rebuild replay restore", "--json"]
    for line, shell in ((zsh, "zsh"), (fish, "fish")):
        (command,) = re.findall(rf"_SCOREKEEPER_COMPLETE={shell}_source scorekeeper", line)
        assert f"_SCOREKEEPER_COMPLETE={shell}_complete" in answered(command)
