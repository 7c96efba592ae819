"""`verify` compares a ledger with its signed checkpoint.

A ledger that was rewritten as a whole is consistent in itself, and only this finds it.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection, Table, update

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.tables import checkpoints, events, ledgers, tree_nodes
from scorekeeper.service.integrity import signed
from scorekeeper.service.ledger_to_read import open_ledger_to_read
from scorekeeper.settings import Settings
from scorekeeper.store import tables
from tests.api.serving import League, note, serving
from tests.databases import in_database
from tests.service.findings import verify
from tests.service.forging import forge


def checked(url: str, data: Path, *arguments: str) -> tuple[int, str]:
    done = verify(url, "--data-dir", str(data), *arguments)
    return done.exit_code, done.output


def signed_league(url: str, data: Path) -> League:
    """A league whose checkpoint was signed over five notes, the second entry among them."""
    with serving(url, data_dir=data) as served:
        league = served.league()
        league.match(match="evening", events=[note() for _ in range(5)])
        assert league.viewer.get("/log/checkpoint").is_success
        assert checked(url, data)[0] == 0
        return league


def gone(connection: Connection, league: str) -> None:
    each: Table
    for each in (events, ledgers, tree_nodes, *tables.metadata.sorted_tables):
        if "league" in each.c:
            connection.execute(each.delete().where(each.c.league == league))


def renamed(connection: Connection, league: str) -> None:
    """Let the league have a log of another name, as if it was written from the start again."""
    other = f"scorekeeper/{league}/0000000000000000"
    connection.execute(update(ledgers).where(ledgers.c.league == league).values(log=other))


@pytest.mark.parametrize("named", [False, True])
def test_a_ledger_that_was_made_anew_as_a_whole_is_found(
    database_url: str, tmp_path: Path, named: bool
) -> None:
    league = signed_league(database_url, tmp_path)
    told = b'{"text":"we had coffee","type":"note_added"}'
    in_database(
        database_url, partial(forge, league=league.slug, match="evening", version=2, body=told)
    )
    # Another machine has no checkpoint files. The database keeps the checkpoints too, unless the
    # forger deletes them as well.
    elsewhere = str(tmp_path / "elsewhere")
    found = verify(database_url, "--data-dir", elsewhere)
    assert (found.exit_code, "checkpoints.note" in found.output) == (1, True)
    in_database(database_url, lambda connection: connection.execute(checkpoints.delete()))
    assert verify(database_url, "--data-dir", elsewhere).exit_code == 0
    code, said = checked(database_url, tmp_path, *([league.slug] if named else []))
    assert (code, "entries are not those that were signed" in said) == (1, True)


@pytest.mark.parametrize("harm", [gone, renamed])
def test_a_log_that_was_signed_and_is_not_there_is_found(
    sqlite_url: str, tmp_path: Path, harm: Callable[[Connection, str], None]
) -> None:
    league = signed_league(sqlite_url, tmp_path)
    in_database(sqlite_url, partial(harm, league=league.slug))
    code, said = checked(sqlite_url, tmp_path)
    lacks = f"A checkpoint of the log scorekeeper/{league.slug}/"
    assert (code, lacks in said) == (1, True)
    # The missing log is not reported if only another league is to be checked.
    with serving(sqlite_url, data_dir=tmp_path) as served:
        other = served.league()
    assert checked(sqlite_url, tmp_path, other.slug)[0] == 0


def test_a_checkpoint_that_cannot_be_read_is_found(sqlite_url: str, tmp_path: Path) -> None:
    signed_league(sqlite_url, tmp_path)
    (file,) = (tmp_path / "checkpoints").glob("*.checkpoint")
    file.write_text("nonsense", "utf-8")
    code, said = checked(sqlite_url, tmp_path)
    assert (code, "can't be read" in said, str(file) in said) == (1, True, True)


def test_a_backup_may_be_older_than_what_was_signed_but_not_another(
    sqlite_url: str, tmp_path: Path
) -> None:
    backup = tmp_path / "backup.sqlite3"
    league = signed_league(sqlite_url, tmp_path)
    database = Path(sqlite_url.partition(":///")[2])
    backup.write_bytes(database.read_bytes())
    copy = f"sqlite+aiosqlite:///{backup}"
    with serving(sqlite_url, data_dir=tmp_path) as served:
        events_told = {"events": [note()]}
        assert served.ask(
            "POST", f"{league.root}/matches/evening/events", json=events_told
        ).is_success
        assert served.ask("GET", f"{league.root}/log/checkpoint").is_success
    code, said = checked(copy, tmp_path)
    assert (code, "an older backup was put in place" in said) == (1, True)
    assert checked(copy, tmp_path, "--backup")[0] == 0
    told = b'{"text":"we had coffee","type":"note_added"}'
    in_database(
        sqlite_url, partial(forge, league=league.slug, match="evening", version=2, body=told)
    )
    assert checked(sqlite_url, tmp_path, "--backup")[0] == 1


def test_what_another_process_signs_while_one_starts_is_no_sign_of_an_older_backup(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(database_url, data_dir=tmp_path) as served:
        league = served.league()
        match = league.match()

        def sign_more() -> None:
            match.tell(note())
            assert league.viewer.get("/log/checkpoint").is_success

        sign_more()

        @asynccontextmanager
        async def read_before_it_grew(url: str) -> AsyncGenerator[Ledger]:
            async with open_ledger_to_read(url) as ledger:
                yield ledger
            await asyncio.to_thread(sign_more)

        monkeypatch.setattr(signed, "open_ledger_to_read", read_before_it_grew)
        files = Settings.load(database_url=database_url, data_dir=tmp_path).evidence_files
        assert asyncio.run(signed.logs_behind(database_url, files)) == 0
