"""A full disk that holds the database and everything else that the service stores."""

import subprocess

import pytest

from tests.api.live_client import LEAGUE, Scorer
from tests.commands import invoked
from tests.databases import in_database, sqlite_file
from tests.faults.backups import SQLiteBackups
from tests.faults.inflicted import EACH_TIME, Ground, outcome
from tests.store.older import all_rows, bring_in, write_as_of

SIZE = "16m"
# Requests that write something: entries, or a signed checkpoint.
WANT_ROOM = (f"{LEAGUE}/log/checkpoint", f"{LEAGUE}/export")


@pytest.fixture
def disk(tmp_path):
    folder = tmp_path / "disk"
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", folder],
        capture_output=True,
        text=True,
    )
    if made.returncode:
        pytest.skip(f"a file system can't be mounted here: {made.stderr.strip()}")
    yield folder
    subprocess.run(["umount", folder], check=True)


def filled_up(ground, load):
    """Fill the disk until nothing can be written (ENOSPC), and then free it."""
    filler = fill(ground.folder)
    load.is_refused(6)
    with Scorer(ground.server.url) as scorer:
        assert {scorer.get(address).status_code for address in WANT_ROOM} == {503}
        assert scorer.get(f"{LEAGUE}/matches").status_code == 200
    ground.meanwhile(load)
    filler.unlink()
    ground.mended()


def fill(disk):
    """Take all room of a disk with a file, and return that."""
    filler = disk / "filler"
    for piece in (1 << 16, 1):  # the small pieces take what the large ones left
        with pytest.raises(OSError, match="No space left"):
            append_for_ever(filler, b"\0" * piece)
    return filler


def append_for_ever(file, piece):
    with file.open("ab", buffering=0) as opened:
        while True:
            opened.write(piece)


@pytest.mark.slow
def test_on_a_full_disk_nothing_is_lost_nor_doubled_and_it_is_read(disk, tmp_path):
    """A backup of it can be made onto another disk."""
    ground = Ground(disk)
    ground.meanwhile = backups = SQLiteBackups(ground, tmp_path)
    try:
        seen, _ = outcome(filled_up, ground)
    finally:
        ground.end()
    assert seen.acknowledged >= EACH_TIME * 2
    assert (seen.lost, seen.twice, seen.missed) == (0, 0, 0)
    assert set(seen.refusals) == {503}
    assert backups.made == 1
    done = invoked("verify", "--data-dir", disk)
    assert done.exit_code == 0, done.output


def test_a_backup_that_does_not_fit_names_its_file_and_leaves_nothing(disk, sqlite_template):
    (disk / "filler").write_bytes(bytes((16 << 20) - (100 << 10)))
    url = f"sqlite+aiosqlite:///{sqlite_template}"
    target = disk / "copy.sqlite3"
    done = invoked("backup", target, "--database-url", url)
    told = f"Error: {target} can't be used: No space left on device\n"
    assert (done.exit_code, done.stderr) == (1, told)
    assert [each.name for each in disk.iterdir()] == ["filler"]


@pytest.mark.slow
def test_an_upgrade_that_finds_no_room_is_told_so_and_done_once_there_is(
    disk, sqlite_url, tmp_path
):
    bring_in(sqlite_url, tmp_path)
    file = disk / "scorekeeper.sqlite3"
    write_as_of(sqlite_file(file), "0006", in_database(sqlite_url, all_rows), stale=True)
    before, filler = file.read_bytes(), fill(disk)
    done = invoked("migrate", "--data-dir", disk)
    told = f"Error: the database {file} can't be used: database or disk is full\n"
    assert (done.exit_code, done.stderr) == (1, told)
    assert file.read_bytes() == before
    filler.unlink()
    for command in ("migrate", "verify"):
        done = invoked(command, "--data-dir", disk)
        assert done.exit_code == 0, done.output
