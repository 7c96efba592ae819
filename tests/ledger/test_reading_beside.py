"""A ledger that is opened to be read, beside the process that writes it."""

from pathlib import Path

import pytest
from sqlalchemy import make_url, text

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.services import open_reading
from scorekeeper.store.migrate import NotMigrated
from tests.ledger.asking import LEAGUE, noting, opening


@pytest.fixture
def reading(ledger, database_url, run):
    """Opened while `ledger` is open too."""
    opened = run(Ledger.open_to_read(database_url))
    yield opened
    run(opened.close())


def test_sees_what_the_other_writes(ledger, reading, run):
    assert [entry.version for entry in run(reading.stream(LEAGUE, "league"))] == [1]
    run(ledger.append(noting("match:m", 3)))
    assert [entry.version for entry in run(reading.stream(LEAGUE, "match:m"))] == [1, 2, 3]


def test_can_write_nothing(reading, run):
    with pytest.raises(ValueError, match="opened to be read"):
        run(reading.append(noting("match:m")))
    with pytest.raises(Exception, match=r"read-?only"):
        run(reading.read(lambda c: c.execute(text("DELETE FROM events"))))
    assert len(run(reading.stream(LEAGUE, "league"))) == 1


def test_leaves_the_log_of_writes_to_the_writer(sqlite_url, opened, run):
    writer = opened(sqlite_url)
    run(writer.append(opening()))
    database = make_url(sqlite_url).database
    assert database is not None
    log = Path(f"{database}-wal")
    written = log.read_bytes()
    other = run(Ledger.open_to_read(sqlite_url))
    assert run(other.head(LEAGUE)) is not None
    run(other.close())
    assert log.read_bytes() == written


def test_a_folder_with_a_strange_name(sqlite_url, tmp_path, run):
    database = make_url(sqlite_url).database
    assert database is not None
    strange = tmp_path / "50% of #1? yes & no"
    strange.mkdir()
    moved = Path(database).rename(strange / "book.sqlite3")
    ledger = run(Ledger.open_to_read(f"sqlite+aiosqlite:///{str(moved).replace('?', '%3F')}"))
    assert run(ledger.head(LEAGUE)) is None
    run(ledger.close())


def test_a_database_that_is_not_there_or_has_no_tables(empty_database_url, run, tmp_path):
    async def read(url):
        async with open_reading(url):
            pass

    with pytest.raises(NotMigrated):
        run(read(empty_database_url))
    with pytest.raises(NotMigrated, match="there is no database"):
        run(read(f"sqlite+aiosqlite:///{tmp_path}/none.sqlite3"))
    assert not (tmp_path / "none.sqlite3").exists()
