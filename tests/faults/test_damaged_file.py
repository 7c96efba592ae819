"""Pages of a SQLite file are overwritten while the service uses it."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import structlog
from sqlalchemy import make_url

from tests.api.serving import note, serving
from tests.commands import invoked

PAGE = 4_096
# The first byte of an index's page that has no entries but lists the pages that have.
_INTERIOR = 2
_ROOT = "SELECT rootpage FROM sqlite_master WHERE name = ?"


def overwrite(file, *, from_page, with_byte):
    """Overwrite everything from a page on, after a checkpoint of the write-ahead log."""
    with closing(sqlite3.connect(file)) as other:
        assert other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
    rest = file.stat().st_size - (from_page - 1) * PAGE
    with file.open("r+b") as damaged:
        damaged.seek(-rest, 2)
        damaged.write(bytes([with_byte]) * rest)


@pytest.mark.parametrize(("from_page", "with_byte"), [(1, 0xFF), (2, 0)], ids=["all", "all but 1"])
def test_the_service_says_it_is_unavailable_and_why_until_a_backup_is_restored(
    sqlite_url, tmp_path, from_page, with_byte
):
    file, backup = Path(str(make_url(sqlite_url).database)), tmp_path / "backup.sqlite3"
    about = ["--database-url", sqlite_url]
    with serving(sqlite_url) as served:
        match = served.league().match(events=[note()] * 50)
        recorded = match.log()
        assert invoked("backup", backup, *about).exit_code == 0
    with serving(sqlite_url) as served:
        overwrite(file, from_page=from_page, with_byte=with_byte)
        asks = [("GET", match.root), ("GET", f"{match.root}/events"), ("GET", "/health/ready")]
        asks += [("POST", f"{match.root}/events")]
        for method, address in asks:
            body = {"json": {"events": [note()]}} if method == "POST" else {}
            with structlog.testing.capture_logs() as logged:
                answer = served.unchecked(method, address, **body)
            assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
            (why,) = (line["why"] for line in logged if line["event"] == "unavailable")
            assert "database disk image is malformed" in why or "file is not a database" in why
    for name in ("verify", "backup"):
        done = invoked(name, *([tmp_path / "other"] if name == "backup" else []), *about)
        assert done.exit_code > 0
        assert len(done.stderr.splitlines()) == 1
    assert invoked("restore", backup, "--overwrite", *about).exit_code == 0
    with serving(sqlite_url) as served:
        answer = served.ask("GET", f"{match.root}/events")
        assert answer.json()["items"] == recorded


def page_of(file, name):
    """The number of the first page of a table, or of the first one of an index with entries."""
    with closing(sqlite3.connect(file)) as database:
        ((root,),) = database.execute(_ROOT, (name,))
    if not name.startswith("sqlite_autoindex"):
        return root
    page = file.read_bytes()[(root - 1) * PAGE : root * PAGE]
    assert page[0] == _INTERIOR
    cell = int.from_bytes(page[12:14])
    return int.from_bytes(page[cell : cell + 4])


@pytest.mark.parametrize("name", ["events", "sqlite_autoindex_events_1"])
def test_what_is_damaged_is_told_in_few_lines(sqlite_url, name):
    """Without the first page of the index, not even the leagues can be listed."""
    file = Path(str(make_url(sqlite_url).database))
    with serving(sqlite_url) as served:
        match = served.league().match(events=[note(text="long " * 300)] * 200)
        match.tell(*[note()] * 200)
    number = page_of(file, name)
    with file.open("r+b") as damaged:
        damaged.seek((number - 1) * PAGE)
        damaged.write(bytes(40))
    verified = invoked("verify", "--database-url", sqlite_url)
    found = [line for line in verified.stdout.splitlines() if "file is damaged" in line]
    assert (verified.exit_code, 1 <= len(found) <= 10) == (2, True), verified.output
    # Newer versions of SQLite name the tree as well as the page.
    place = rf"-: The database file is damaged: (Page|Tree \d+ page) {number}\b"
    assert re.search(place, found[0])
    assert max(map(len, found)) < 200
