"""The list of all commands is complete, has full sentences, and is printed at once."""

import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

import scorekeeper.cli
from scorekeeper.cli.main import scorekeeper as program

# Modules that commands use, and which are no commands themselves.
BESIDE = {"main", "demo_league", "import_requests", "remote", "verifying_apart"}

LOOKING = """
import atexit, sys
from scorekeeper.cli.main import main
atexit.register(lambda: print("sqlalchemy" in sys.modules))
main()
"""

ON_SQLITE = """
import sys
from scorekeeper.cli.main import scorekeeper
for command in ("migrate", "doctor", "verify"):
    scorekeeper([command, "--database-url", sys.argv[1]], standalone_mode=False)
print({"alembic", "asyncpg", "sqlalchemy.orm", "structlog"} & set(sys.modules))
import scorekeeper.app
print({"alembic", "asyncpg", "sqlalchemy.orm"} & set(sys.modules))
"""


def listed() -> list[str]:
    return program.list_commands(click.Context(program))


def test_every_command_is_listed():
    files = {each.stem for each in Path(scorekeeper.cli.__path__[0]).glob("[!_]*.py")} - BESIDE
    named = {name.replace("-", "_") for name in listed()}
    assert named == {"import" if file == "import_league" else file for file in files}


@pytest.mark.parametrize("name", listed())
def test_a_listed_command_can_be_called(name):
    done = CliRunner().invoke(program, [name, "--help"])
    assert done.exit_code == 0, done.output


def test_each_is_described_by_a_whole_sentence_on_one_line():
    told = CliRunner().invoke(program, ["--help"], terminal_width=80).output
    lines = told[told.index("Commands:") :].splitlines()[1:]
    assert [line.split()[0] for line in lines] == listed()
    assert all(line.endswith(".") and "..." not in line for line in lines)


def test_a_shell_is_told_the_names_that_begin_so():
    found = ShellComplete(program, {}, "scorekeeper", "_COMPLETE").get_completions([], "import")
    assert [each.value for each in found] == ["import", "import-results"]


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_what_needs_no_database_waits_for_none_of_its_modules(option):
    done = subprocess.run(
        [sys.executable, "-c", LOOKING, option], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "False"


def test_on_sqlite_nothing_is_imported_for_postgresql_or_for_migrations_that_are_done(
    sqlite_url, tmp_path
):
    done = subprocess.run(
        [sys.executable, "-c", ON_SQLITE, sqlite_url],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    *_, by_commands, by_the_service = done.stdout.splitlines()
    assert (by_commands, by_the_service) == ("set()", "set()")
