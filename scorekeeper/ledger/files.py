"""Writing files atomically and durably, readable by their owner alone."""

import os
import stat
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp

_OWNER_ONLY = 0o600
_OWNERS_FOLDER = 0o700
_OF_OTHERS = 0o077
# SQLite's files beside a database. SQLite creates them with the database's own mode.
_BESIDE_SQLITE = ("", "-wal", "-shm", "-journal")


def make_folder(folder: Path) -> None:
    """Make it where there is none, so that its owner alone may enter."""
    folder.mkdir(_OWNERS_FOLDER, parents=True, exist_ok=True)


def is_private(path: Path) -> bool:
    """Whether nobody but the owner may do anything with it."""
    return not stat.S_IMODE(path.stat().st_mode) & _OF_OTHERS


def is_lent_by_group(path: Path) -> bool:
    """Whether another user owns it, and lets nobody but a group read it, as of a mounted secret."""
    found = path.stat()
    beyond = stat.S_IMODE(found.st_mode) & (_OF_OTHERS & ~stat.S_IRGRP)
    return os.name == "posix" and found.st_uid != os.geteuid() and not beyond


def keep_private(database: Path) -> None:
    """Make a SQLite file where there is none, and take it from everybody but its owner."""
    database.touch(_OWNER_ONLY)
    for end in _BESIDE_SQLITE:
        file = database.with_name(database.name + end)
        # A user can't change the mode of somebody else's file, but may use it.
        with suppress(FileNotFoundError, PermissionError):
            if not is_private(file):
                file.chmod(_OWNER_ONLY)


def write_durably(path: Path, content: bytes, *, replace: bool = True) -> None:
    """Write a file of mode 0600 in one step, on the disk when this returns.

    Without `replace` a file that is there already stays as it is.
    """
    handle, name = mkstemp(prefix=f".{path.name}.", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if replace:
            temporary.replace(path)
        else:
            _link(temporary, path)
        _sync(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def _link(temporary: Path, path: Path) -> None:
    try:
        path.hardlink_to(temporary)
    except FileExistsError:
        return


def _sync(folder: Path) -> None:
    if os.name != "posix":  # elsewhere a folder can't be opened
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
