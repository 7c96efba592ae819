"""Copies of a SQLite database, whole and as of one moment, while others write to it."""

import errno
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import create_engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

from scorekeeper.files import open_or_make, sync
from scorekeeper.sqlite import SIDE_FILES
from scorekeeper.store.migrate import NotMigrated, check_known

_BUSY_SECONDS = 30.0


def copy_database(source: Path, target: Path) -> None:
    """Make `target` a copy of `source`, in place of what is there.

    `target` is written beside and put in place at once, readable by its owner only; nobody may
    have it open. Raises sqlite3.Error where `source` can't be read, and OSError with the target's
    name where there is no room for it, or it can't be made.
    """
    partial = target.with_name(target.name + ".partial")
    try:
        partial.unlink(missing_ok=True)
        os.close(open_or_make(partial))
    except OSError as error:
        error.filename = str(target)  # whoever is told has named this one
        raise
    try:
        with closing(_read_only(source)) as reading, closing(sqlite3.connect(partial)) as writing:
            # All in one step: it is one reader, who sees one moment and keeps no writer waiting.
            reading.backup(writing)
            # A copy is one file, which can be read where nothing can be written.
            writing.execute("PRAGMA journal_mode=DELETE").close()
        sync(partial)
        for end in SIDE_FILES:  # beside another database they would be written into that
            target.with_name(target.name + end).unlink(missing_ok=True)
        partial.replace(target)
        sync(target.parent)
    except sqlite3.Error as error:
        # The source is only read, and needs no room.
        if error.sqlite_errorcode == sqlite3.SQLITE_FULL:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target)) from error
        raise
    finally:
        for end in ("", *SIDE_FILES):
            partial.with_name(partial.name + end).unlink(missing_ok=True)


def check_copy(file: Path) -> None:
    """Raise WrittenByNewer, or NotMigrated where it is no database of this program.

    One that was made by an older program is fine: it is migrated when it is served.
    """
    engine = create_engine("sqlite://", creator=lambda: _read_only(file), poolclass=NullPool)
    try:
        with engine.connect() as connection:
            check_known(connection, file)
    except DBAPIError as error:
        raise NotMigrated(f"{file} is no database of a scorekeeper: {error.orig}") from error
    finally:
        engine.dispose()


def _read_only(file: Path) -> sqlite3.Connection:
    """Folds nothing back in when it is closed, unlike a connection that could write."""
    address = f"file:{quote(str(file.resolve()))}?mode=ro"
    return sqlite3.connect(address, uri=True, timeout=_BUSY_SECONDS)
