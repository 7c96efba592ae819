"""Files: written atomically and durably, readable by their owner alone, locked by one process."""

import errno
import os
import stat
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkstemp
from typing import BinaryIO

from sqlalchemy import make_url

from scorekeeper.sqlite import SIDE_FILES

_OWNER_ONLY = 0o600
_OWNERS_FOLDER = 0o700
_OF_OTHERS = 0o077
# What the system says of a lock that somebody else holds.
_HELD = {errno.EWOULDBLOCK, errno.EACCES}


def make_folder(folder: Path) -> None:
    """Make a folder that only its owner may enter, unless it exists already."""
    if folder.is_dir():
        return
    folder.mkdir(_OWNERS_FOLDER, parents=True, exist_ok=True)
    if sys.platform != "win32":
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            _leave_to_owner_of(folder.parent, handle)
        finally:
            os.close(handle)


def open_or_make(path: Path) -> int:
    """Open a file to read and to write. If there is none, make one of mode 0600.

    Return the file descriptor, which the caller has to close.
    """
    flags = os.O_RDWR | os.O_CREAT
    try:
        handle = os.open(path, flags | os.O_EXCL, _OWNER_ONLY)
    except FileExistsError:
        return os.open(path, flags, _OWNER_ONLY)
    _leave_to_owner_of(path.parent, handle)
    return handle


def _leave_to_owner_of(folder: Path, handle: int) -> None:
    """Give a file or folder that root has just made to the owner of the folder that it is in.

    That owner may be the user who serves from there. The new file is given by its handle, since its
    name may by now be that of another file.
    """
    if sys.platform != "win32" and os.geteuid() == 0:
        owner = folder.stat()
        with suppress(PermissionError):  # root may lack this right, as in a container
            os.fchown(handle, owner.st_uid, owner.st_gid)


def is_private(path: Path) -> bool:
    """Return whether nobody but its owner has any rights to a file."""
    return not stat.S_IMODE(path.stat().st_mode) & _OF_OTHERS


def is_lent_by_group(path: Path) -> bool:
    """Return whether another user owns a file and lets a group read it, as of a mounted secret."""
    found = path.stat()
    beyond = stat.S_IMODE(found.st_mode) & (_OF_OTHERS & ~stat.S_IRGRP)
    return os.name == "posix" and found.st_uid != os.geteuid() and not beyond


def real_path(path: Path) -> Path:
    """Follow all links of a path, which need not exist. Raises OSError if they form a loop.

    For a loop, `Path.resolve` raises a RuntimeError before Python 3.13, and nothing since then.
    """
    found = Path(os.path.realpath(path))
    if found.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return found


def keep_private(database: Path) -> None:
    """Make a SQLite file if there is none, and take all rights to it from all but its owner."""
    if not database.exists():
        os.close(open_or_make(database))
    target = real_path(database)  # SQLite's other files lie beside it, not beside a link to it
    for end in ("", *SIDE_FILES):  # SQLite creates those with the database's own mode
        file = target.with_name(target.name + end)
        # A user can't change the mode of somebody else's file, but may use it.
        with suppress(FileNotFoundError, PermissionError):
            if not is_private(file):
                file.chmod(_OWNER_ONLY)


def write_durably(path: Path, content: bytes, *, replace: bool = True) -> None:
    """Write a file of mode 0600 in one step. It is on the disk when this returns.

    Without `replace`, a file that exists already stays as it is. An OSError names the file.
    """
    try:
        with durable_file(path, replace=replace) as file:
            file.write(content)
    except OSError as error:
        error.filename = error.filename or str(path)
        raise


@contextmanager
def durable_file(path: Path, *, replace: bool = True) -> Generator[BinaryIO]:
    """Open a new file of mode 0600 beside `path`. It takes the place of `path` at the end.

    Then it is on the disk. After an error, the new file is deleted instead. Without `replace`, a
    file that is at `path` by then stays as it is.
    """
    try:
        handle, name = mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        error.filename = str(path)  # the name that the caller gave
        raise
    temporary = Path(name)
    _leave_to_owner_of(path.parent, handle)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if replace:
            temporary.replace(path)
        else:
            _link(temporary, path)
        sync(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def _link(temporary: Path, path: Path) -> None:
    try:
        path.hardlink_to(temporary)
    except FileExistsError:
        return


def sync(path: Path) -> None:
    """Wait until a file or a folder is on the disk."""
    if path.is_dir() and os.name != "posix":  # elsewhere a folder can't be opened
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


class LedgerInUse(Exception):
    """Another process has this database file open for writing."""


class ProcessLock:
    """The lock on a database file, held from its creation until `release`.

    If the process dies, the system releases it. Raises LedgerInUse if another process holds it, and
    OSError if the file system has no locks.
    """

    def __init__(self, database: Path) -> None:
        target = real_path(database)  # one lock for all names of the database
        path = target.with_name(target.name + ".lock")
        self._file = open_or_make(path)
        try:
            _lock(self._file)
        except OSError as error:
            os.close(self._file)
            if error.errno not in _HELD:
                error.filename = str(path)
                raise
            raise LedgerInUse(
                f"{database} is in use by another process. SQLite takes one scorekeeper at a "
                "time: stop the other one, or use PostgreSQL, which takes any number."
            ) from error

    def release(self) -> None:
        os.close(self._file)


@contextmanager
def alone(url: str) -> Generator[None]:
    """Hold the lock on the SQLite file at `url`, which need not exist. Raises LedgerInUse."""
    database = make_url(url).database
    assert database is not None
    make_folder(real_path(Path(database)).parent)
    lock = ProcessLock(Path(database))
    try:
        yield
    finally:
        lock.release()


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

    def wait_for_lock(file: int) -> None:
        """Lock an open file, after waiting for other holders. Closing it releases the lock."""
        while True:
            try:
                return msvcrt.locking(file, msvcrt.LK_LOCK, 1)
            except OSError as error:
                # The system gives up after ten tries, one a second.
                if error.errno != errno.EDEADLK:
                    raise

else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def wait_for_lock(file: int) -> None:
        """Lock an open file, after waiting for other holders. Closing it releases the lock."""
        fcntl.flock(file, fcntl.LOCK_EX)
