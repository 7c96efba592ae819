"""`scorekeeper doctor` describes the parts of an installation in sentences, and grades each."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from shutil import copy, rmtree

import pytest
from click.testing import CliRunner
from sqlalchemy import make_url

from scorekeeper.cli.main import scorekeeper
from scorekeeper.service.integrity import checkup
from tests.api.serving import note, serving


@pytest.fixture
def data_dir(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir(0o700)
    return folder


def doctor(url, data_dir):
    """The exit code, and the findings as grade and sentence."""
    arguments = ["doctor", "--database-url", url, "--data-dir", str(data_dir)]
    result = CliRunner().invoke(scorekeeper, arguments, catch_exceptions=False)
    findings = [line.split(maxsplit=1) for line in result.output.splitlines()]
    assert {grade for grade, _ in findings} <= {"ok", "warning", "failure"}
    assert (result.exit_code == 1) is ("failure" in {grade for grade, _ in findings})
    return result.exit_code, findings


def said(findings, pattern):
    """Return the grade of the only finding that matches."""
    (grade,) = [grade for grade, sentence in findings if re.search(pattern, sentence)]
    return grade


def test_a_sound_installation_beside_its_service(database_url, data_dir):
    with serving(database_url, data_dir=data_dir) as served:
        league = served.league()
        assert league.viewer.get("/log/checkpoint").status_code == 200
        code, findings = doctor(database_url, data_dir)
    assert code == 0
    assert said(findings, "The database answers") == "ok"
    assert said(findings, "can be written") == "ok"
    assert said(findings, "signing key .* owner only") == "ok"
    assert said(findings, "takes writes") == "ok"
    assert said(findings, r"Every log extends .* signed of it \(1\)") == "ok"


def test_a_new_installation_is_told_what_the_first_start_makes(sqlite_url, tmp_path):
    code, findings = doctor(sqlite_url, tmp_path / "none")
    assert code == 0
    assert said(findings, "no data directory") == "warning"
    assert said(findings, "no signing key") == "warning"
    assert said(findings, "No checkpoint was signed yet") == "ok"


def test_a_database_that_is_not_there(data_dir):
    code, findings = doctor(f"sqlite+aiosqlite:///{data_dir / 'none.sqlite3'}", data_dir)
    assert code == 1
    assert said(findings, "there is no database at .* run scorekeeper migrate") == "failure"
    assert list(data_dir.iterdir()) == []


def test_a_database_that_was_not_migrated(empty_database_url, data_dir):
    if "sqlite" in empty_database_url:
        Path(make_url(empty_database_url).database).touch()
    code, findings = doctor(empty_database_url, data_dir)
    assert code == 1
    assert said(findings, "run scorekeeper migrate") == "failure"


def test_a_server_that_is_down(data_dir, tmp_path):
    code, findings = doctor(f"postgresql+asyncpg://nobody@/none?host={tmp_path}", data_dir)
    assert code == 1
    assert said(findings, "The database is not ready") == "failure"


def test_a_clock_that_was_once_far_ahead(database_url, data_dir, monkeypatch):
    with serving(database_url, data_dir=data_dir) as served:
        served.league()
    _, findings = doctor(database_url, data_dir)
    assert said(findings, "No entry has a time that lies ahead") == "ok"

    a_day_ago = checkup.wall_clock() - 24 * 3_600_000_000
    monkeypatch.setattr(checkup, "wall_clock", lambda: a_day_ago)
    code, findings = doctor(database_url, data_dir)
    assert code == 0
    slug = r"home-\d+"
    assert said(findings, f"lies ahead: {slug}. Set the clock of this machine right") == "warning"


def test_a_key_that_others_may_read(sqlite_url, data_dir):
    with serving(sqlite_url, data_dir=data_dir) as served:
        served.league().viewer.get("/log/key")
    (data_dir / "signing-key.pem").chmod(0o644)
    code, findings = doctor(sqlite_url, data_dir)
    assert code == 1
    assert said(findings, "Others may read the signing key") == "failure"


def test_a_folder_that_others_may_look_into(sqlite_url, data_dir):
    data_dir.chmod(0o755)
    _, findings = doctor(sqlite_url, data_dir)
    assert said(findings, "others on this machine may look into it") == "warning"


def test_a_key_that_is_none(sqlite_url, data_dir):
    (data_dir / "signing-key.pem").write_text("nonsense")
    code, findings = doctor(sqlite_url, data_dir)
    assert code == 1
    assert said(findings, "holds no key that can be read") == "failure"


def test_a_database_on_another_machine_without_its_key(sqlite_url, data_dir):
    """`serve` makes no key for a database that was signed, and must not be said to."""
    with serving(sqlite_url, data_dir=data_dir) as served:
        assert served.league().viewer.get("/log/checkpoint").status_code == 200
    (data_dir / "signing-key.pem").unlink()
    code, findings = doctor(sqlite_url, data_dir)
    assert code == 1
    assert said(findings, "`serve` makes one for a database that was never signed") == "warning"
    assert said(findings, "Put the file of that key there; .* `scorekeeper key adopt`") == "failure"


def test_an_older_backup(sqlite_url, data_dir, tmp_path):
    file, backup = make_url(sqlite_url).database, tmp_path / "backup"
    with serving(sqlite_url, data_dir=data_dir) as served:
        league = served.league()
        match = league.match()
    copy(file, backup)
    with serving(sqlite_url, data_dir=data_dir) as served:
        match.served = league.viewer.served = served
        match.tell(note())
        assert league.viewer.get("/log/checkpoint").status_code == 200
    copy(backup, file)
    code, findings = doctor(sqlite_url, data_dir)
    assert code == 1
    assert said(findings, f"league {league.slug}: .* an older backup was put in place") == "failure"


def test_a_checkpoint_of_a_log_that_is_gone(sqlite_url, data_dir, tmp_path):
    file, backup = make_url(sqlite_url).database, tmp_path / "backup"
    copy(file, backup)
    with serving(sqlite_url, data_dir=data_dir) as served:
        league = served.league()
        assert league.viewer.get("/log/checkpoint").status_code == 200
    copy(backup, file)
    code, findings = doctor(sqlite_url, data_dir)
    assert code == 1
    assert said(findings, "this database does not have it") == "failure"


def test_another_machines_checkpoint_is_compared_too(sqlite_url, data_dir):
    """This machine has no file of it: the database alone tells that more was signed."""
    with serving(sqlite_url, data_dir=data_dir) as served:
        league = served.league()
        longer = league.viewer.get("/log/checkpoint").text.split("\n")
    longer[1] = "1000"
    with closing(sqlite3.connect(make_url(sqlite_url).database)) as connection, connection:
        connection.execute("UPDATE checkpoints SET note = ?", ("\n".join(longer),))
    rmtree(data_dir / "checkpoints")
    code, findings = doctor(sqlite_url, data_dir)
    assert code == 1
    assert said(findings, f"league {league.slug}: .* an older backup was put in place") == "failure"


@pytest.mark.parametrize("damage", ["folder", "file"])
def test_checkpoints_that_cannot_be_read_are_a_finding_among_the_others(
    sqlite_url, data_dir, damage
):
    with serving(sqlite_url, data_dir=data_dir) as served:
        assert served.league().viewer.get("/log/checkpoint").status_code == 200
    folder = data_dir / "checkpoints"
    (file,) = folder.glob("*.checkpoint")
    rmtree(folder)
    unreadable = folder if damage == "folder" else file
    unreadable.parent.mkdir(exist_ok=True)
    unreadable.symlink_to(unreadable)  # even root can't follow it
    code, findings = doctor(sqlite_url, data_dir)
    assert code == 1
    assert said(findings, f"signed last can't be read: {unreadable}: ") == "failure"
    assert said(findings, "takes writes") == "ok"


def test_a_disk_that_is_nearly_full(sqlite_url, data_dir, monkeypatch):
    monkeypatch.setattr(checkup, "_ENOUGH_BYTES", 2**80)
    code, findings = doctor(sqlite_url, data_dir)
    assert code == 1
    assert said(findings, "which is too little") == "failure"


def test_a_sqlite_that_is_not_mended_is_warned_of(sqlite_url, data_dir, monkeypatch):
    monkeypatch.setattr(checkup.sqlite3, "sqlite_version_info", (3, 51, 2))
    assert said(doctor(sqlite_url, data_dir)[1], "can spoil a file") == "warning"
    monkeypatch.setattr(checkup.sqlite3, "sqlite_version_info", (3, 51, 3))
    assert said(doctor(sqlite_url, data_dir)[1], "SQLite .* is sound") == "ok"


def test_a_postgresql_that_does_not_wait_for_the_disk_is_warned_of(postgresql_url, data_dir):
    """The PostgreSQL of these tests is such a server."""
    assert said(doctor(postgresql_url, data_dir)[1], "fsync is off") == "warning"


def test_a_database_that_takes_no_writes(postgresql, postgresql_url, data_dir):
    postgresql.make_read_only(postgresql_url, on=True)
    code, findings = doctor(postgresql_url, data_dir)
    assert code == 1
    assert said(findings, "Nothing can be recorded: the database is read-only") == "failure"
