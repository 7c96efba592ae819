"""`verify` as a command: what it prints, and how it exits."""

import sqlite3
from pathlib import Path

from sqlalchemy import make_url

from tests.api.serving import note, serving
from tests.service.findings import verify


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
    assert done.output.endswith(": 1 findings.\n")


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
