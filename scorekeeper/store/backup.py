"""Copies of a SQLite database, whole and as of one moment, while others write to it."""

import errno
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import create_engine
from sqlalchemy.exc import DatabaseError
from sqlalchemy.pool import NullPool

from scorekeeper.files import open_or_make, real_path, sync
from scorekeeper.sqlite import SIDE_FILES
from scorekeeper.store.migrate import DatabaseNotReady, NotMigrated, check_known, is_no_database

_BUSY_SECONDS = 30.0


def copy_database(source: Path, target: Path) -> None:
    """Make `target` a copy of `source`, in place of the file that is there.

    The copy is written to a file beside `target`, which then replaces `target` at once. Only its
    owner can read it. No process may have `target` open. Raises sqlite3.Error if `source` can't be
    read. Raises OSError with the target's name if there is no room for the copy, or if it can't be
    made.
    """
    partial = target.with_name(target.name + ".partial")
    try:
        partial.unlink(missing_ok=True)
        os.close(open_or_make(partial))
    except OSError as error:
        error.filename = str(target)  # the name that the caller gave
        raise
    try:
        with closing(_read_only(source)) as reading, closing(sqlite3.connect(partial)) as writing:
            # All in one step: this is one read, which sees one moment and keeps no writer waiting.
            reading.backup(writing)
            # Without a write-ahead log, the copy is one file, and can be read on read-only media.
            writing.execute("PRAGMA journal_mode=DELETE").close()
        sync(partial)
        for end in SIDE_FILES:  # SQLite would write those of the former file into the new one
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
    """Raise WrittenByNewer for a newer program's database, NotMigrated if it is no such database.

    A database of an older program is accepted: it is migrated when it is served. Raises
    DatabaseNotReady if the file can't be read.
    """
    engine = create_engine("sqlite://", creator=lambda: _read_only(file), poolclass=NullPool)
    try:
        with engine.connect() as connection:
            check_known(connection, file)
    except DatabaseError as error:
        if is_no_database(error):
            raise NotMigrated(f"{file} is no database of a scorekeeper: {error.orig}") from error
        raise DatabaseNotReady(f"the database {file} can't be used: {error.orig}") from error
    finally:
        engine.dispose()


def _read_only(file: Path) -> sqlite3.Connection:
    """Open a database read-only.

    Unlike a connection that can write, this one does not fold the write-ahead log in when it is
    closed.
    """
    address = f"file:{quote(str(real_path(file)))}?mode=ro"
    return sqlite3.connect(address, uri=True, timeout=_BUSY_SECONDS)
