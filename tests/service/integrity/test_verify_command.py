"""`verify` as a command: what it prints, and how it exits."""

import errno
import os
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, make_url, text

from scorekeeper.ledger.integrity.checking import Flaw
from scorekeeper.service.integrity.verifying import Verified, verify_league
from tests.api.server_process import PROGRAMS
from tests.api.serving import note, serving
from tests.databases import in_database
from tests.service.findings import verify

CUT_MYSELF = text("SELECT pg_terminate_backend(pg_backend_pid())")


def test_what_is_wrong_is_printed_and_the_exit_code_is_1(sqlite_url: str) -> None:
    with serving(sqlite_url) as served:
        league = served.league()
        league.match(match="evening")
    with sqlite3.connect(str(make_url(sqlite_url).database)) as connection:
        connection.execute("UPDATE matches SET status = 'won'")
    connection.close()
    done = verify(sqlite_url)
    assert done.exit_code == 1
    assert done.output.splitlines()[0] == (
        f"{league.slug}: The match evening has the status 'won' in the table matches; "
        "a fresh fold has 'open'. [matches.status]"
    )
    assert done.output.endswith(": 1 finding.\n")


def test_a_database_that_is_served_is_verified_meanwhile(sqlite_url: str) -> None:
    with serving(sqlite_url) as served:
        served.league().match(events=[note()])
        assert verify(sqlite_url).exit_code == 0


def test_a_damaged_file_is_found(sqlite_url: str) -> None:
    with serving(sqlite_url) as served:
        served.league().match(events=[note("x" * 500) for _ in range(50)])
    path = Path(str(make_url(sqlite_url).database))
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) - 8192])
    assert verify(sqlite_url).exit_code in {1, 2}


def test_a_full_disk_under_the_output_is_not_that_of_the_database(database_url: str) -> None:
    """Nor is the database checked again, as when its connection was lost."""
    with serving(database_url) as served:
        served.league().match(events=[note()])
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [PROGRAMS / "scorekeeper", "verify", "--database-url", database_url],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
        )
    said = f"Error: The output can't be written: {os.strerror(errno.ENOSPC)}.\n"
    assert (done.stderr, done.returncode) == (said, 2)


@pytest.mark.parametrize("other", ["file", "link to itself", "link to nothing"])
def test_without_the_checkpoints_nothing_is_called_sound(
    sqlite_url: str, tmp_path: Path, other: str
) -> None:
    """Only they tell of a ledger that somebody rewrote as a whole, so they must not be skipped."""
    with serving(sqlite_url) as served:
        served.league()
    data = tmp_path / "data"
    data.mkdir()
    folder = data / "checkpoints"
    if other == "file":
        folder.touch()
    else:
        folder.symlink_to(folder if other == "link to itself" else data / "none")
    done = verify(sqlite_url, "--data-dir", str(data))
    assert done.exit_code == 2
    assert done.output.startswith(f"Error: {folder} can't be used: ")


@pytest.mark.parametrize("more", [(), ("--json",)], ids=["lines", "json"])
def test_a_check_whose_connection_is_lost_begins_anew(
    postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]
) -> None:
    """Earlier findings count once. An export that was checked before is not checked again."""
    with serving(postgresql_url) as served:
        leagues = [served.league() for _ in range(2)]
        for league in leagues:
            league.match(match="evening")
        bundle = tmp_path / "league.tar"
        bundle.write_bytes(leagues[0].owner.get("/export").content)
    in_database(postgresql_url, lambda c: c.execute(text("UPDATE matches SET status = 'won'")))
    arguments = (str(bundle), *(league.slug for league in leagues), *more)
    whole = verify(postgresql_url, *arguments)
    checked: list[str] = []

    def check(connection: Connection, league: str, *work: Any) -> Iterator[Flaw | Verified]:
        checked.append(league)
        if len(checked) == 2:
            connection.execute(CUT_MYSELF)
        return verify_league(connection, league, *work)

    monkeypatch.setattr("scorekeeper.cli.verify.verify_league", check)
    again = verify(postgresql_url, *arguments)
    assert checked == 2 * [league.slug for league in leagues]
    assert again.exit_code == whole.exit_code == 1
    assert again.stderr == "The connection was lost: the database is checked again.\n"
    if more:
        assert again.stdout == whole.stdout
    else:
        lines = whole.stdout.splitlines()
        of_the_first = [line for line in lines if line.startswith(leagues[0].slug)][-3:]
        begun = lines.index(of_the_first[0], len(lines) - 6)
        assert again.stdout.splitlines() == [*lines[:begun], *of_the_first, *lines[begun:]]
