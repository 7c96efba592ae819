"""Files that are written in one step and kept from others, and the lock of a database."""

import errno
import os
import runpy
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from scorekeeper import files
from scorekeeper.files import (
    LedgerInUse,
    ProcessLock,
    durable_file,
    keep_private,
    make_folder,
    open_or_make,
    write_durably,
)


@pytest.fixture
def link(tmp_path: Path) -> Path:
    """A second name for the database `kept/league.sqlite3`."""
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "league.sqlite3").touch()
    link = tmp_path / "named.sqlite3"
    link.symlink_to(kept / "league.sqlite3")
    return link


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_a_database_with_two_names_has_one_lock(link: Path) -> None:
    lock = ProcessLock(link)
    with pytest.raises(LedgerInUse):
        ProcessLock(link.resolve())
    lock.release()
    assert names(link.resolve().parent) == ["league.sqlite3", "league.sqlite3.lock"]
    assert names(link.parent) == ["kept", "named.sqlite3"]


@pytest.mark.skipif(sys.platform == "win32", reason="the lock is another one there")
def test_a_file_system_without_locks_is_not_taken_for_another_process(
    link: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def has_none(file: int, _: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(files.fcntl, "flock", has_none)
    with pytest.raises(OSError, match="No locks available") as failed:
        ProcessLock(link)
    assert failed.value.filename == str(link.with_name("kept") / "league.sqlite3.lock")


def test_the_files_beside_a_database_with_two_names_are_kept_private(link: Path) -> None:
    database = link.resolve()
    log = database.with_name("league.sqlite3-wal")
    log.touch()
    for file in (database, log):
        file.chmod(0o644)
    keep_private(link)
    assert (mode(database), mode(log)) == (0o600, 0o600)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "file"


def test_a_file_is_there_only_when_all_of_it_is_written(target: Path) -> None:
    target.write_bytes(b"before")
    target.chmod(0o644)
    with durable_file(target) as file:
        file.write(b"after")
        file.flush()
        assert target.read_bytes() == b"before"
    assert (target.read_bytes(), mode(target)) == (b"after", 0o600)
    assert names(target.parent) == ["file"]


def test_nothing_is_left_of_a_file_that_was_not_written_to_its_end(target: Path) -> None:
    with suppress(InterruptedError), durable_file(target) as file:
        file.write(b"half of it")
        raise InterruptedError
    assert names(target.parent) == []


def test_two_who_write_one_file_do_not_write_into_each_other(target: Path) -> None:
    with durable_file(target) as file:
        file.write(b"one, and long")
        with durable_file(target) as other:
            other.write(b"two")
        assert target.read_bytes() == b"two"
    assert target.read_bytes() == b"one, and long"


def test_a_file_is_on_the_disk_before_its_name_and_then_its_name(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[tuple[int, bool]] = []
    sync = os.fsync

    def noted(handle: int) -> None:
        sync(handle)
        synced.append((os.fstat(handle).st_ino, target.exists()))

    monkeypatch.setattr(os, "fsync", noted)
    with durable_file(target) as file:
        file.write(b"content")
    assert synced == [(target.stat().st_ino, False), (target.parent.stat().st_ino, True)]


@pytest.mark.parametrize(("replace", "stands"), [(True, b"after"), (False, b"before")])
def test_a_file_that_is_there_is_replaced_or_stays(
    target: Path, replace: bool, stands: bytes
) -> None:
    for content in (b"before", b"after"):
        write_durably(target, content, replace=replace)
    assert target.read_bytes() == stands
    assert (names(target.parent), mode(target)) == (["file"], 0o600)


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="needs root")
def test_what_root_makes_in_the_folder_of_somebody_is_theirs(tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    os.chown(theirs, 4711, 4712)
    make_folder(theirs / "checkpoints")
    write_durably(theirs / "checkpoints" / "friday", b"note")
    write_durably(theirs / "signing-key.pem", b"key", replace=False)
    keep_private(theirs / "league.sqlite3")
    ProcessLock(theirs / "league.sqlite3").release()
    found = {path.name: path.stat() for path in theirs.rglob("*")}
    assert len(found) == 5
    assert {(each.st_uid, each.st_gid) for each in found.values()} == {(4711, 4712)}
    outside = tmp_path / "outside"
    outside.touch()
    (theirs / "link").symlink_to(outside)
    os.close(open_or_make(theirs / "link"))
    assert outside.stat().st_uid == 0


class ElsewhereLocked:
    """Stands for `msvcrt`, whose own waiting ends after ten tries."""

    LK_LOCK = LK_NBLCK = 1

    def __init__(self, *failures: int) -> None:
        self.failures = list(failures)

    def locking(self, _file: int, _mode: int, _size: int) -> None:
        if self.failures:
            raise OSError(self.failures.pop(0), "locked elsewhere")


def test_a_file_is_made_where_the_system_lacks_a_flag(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delattr(os, "O_CLOEXEC", raising=False)  # as on Windows
    handle = open_or_make(tmp_path / "new")
    assert not os.get_inheritable(handle)
    os.close(handle)


def test_where_the_system_stops_waiting_for_a_lock_it_is_waited_for_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held = ElsewhereLocked(errno.EDEADLK, errno.EDEADLK)
    monkeypatch.setitem(sys.modules, "msvcrt", held)
    monkeypatch.setattr(sys, "platform", "win32")
    there = runpy.run_path(files.__file__)
    there["wait_for_lock"](0)
    assert held.failures == []
    held.failures = [errno.EBADF]
    with pytest.raises(OSError, match="elsewhere"):
        there["wait_for_lock"](0)


def test_a_file_that_a_full_disk_can_not_take_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(OSError, match="No space left") as failed:
        write_durably(tmp_path / "guide.html", b"where to look")
    assert failed.value.filename == str(tmp_path / "guide.html")
    assert names(tmp_path) == []
