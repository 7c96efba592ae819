"""A file lock that lets only one process open a SQLite file for writing."""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import make_url

from scorekeeper.ledger.files import make_folder


class LedgerInUse(Exception):
    """Another process has this database file open for writing."""


class ProcessLock:
    """Held from its making until `release`, and let go by the system if the process dies.

    Raises LedgerInUse.
    """

    def __init__(self, database: Path) -> None:
        path = database.resolve().with_name(database.name + ".lock")
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            _lock(self._file)
        except OSError as error:
            os.close(self._file)
            raise LedgerInUse(
                f"{database} is in use by another process. SQLite takes one scorekeeper at a "
                "time: stop the other one, or use PostgreSQL, which takes any number."
            ) from error

    def release(self) -> None:
        os.close(self._file)


@contextmanager
def alone(url: str) -> Generator[None]:
    """While nobody else has the SQLite file at `url`, which need not exist. Raises LedgerInUse."""
    database = make_url(url).database
    assert database is not None
    make_folder(Path(database).resolve().parent)
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
        """Wait until no other holder has the open file; closing it lets go."""
        msvcrt.locking(file, msvcrt.LK_LOCK, 1)

else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def wait_for_lock(file: int) -> None:
        """Wait until no other holder has the open file; closing it lets go."""
        fcntl.flock(file, fcntl.LOCK_EX)
