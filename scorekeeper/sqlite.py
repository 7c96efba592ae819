"""What all code that opens the file of a SQLite database has to know."""

import sqlite3
from pathlib import Path
from typing import Final

from sqlalchemy import Engine, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection

SIDE_FILES: Final = ("-wal", "-shm", "-journal")
"""The endings of the names of the files that SQLite keeps beside a database in use."""

FILE_ERRORS: Final = frozenset(
    {
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        # A damaged file, until a backup is put in its place.
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
    }
)
"""The codes of errors that are due to the file, and not to a statement or a row."""


def address_of(file: Path) -> str:
    """Return the address of a SQLite database, which `file_at` reads."""
    path = str(file).replace("%", "%25").replace("?", "%3F")
    return f"sqlite+aiosqlite:///{path}"


def file_at(address: str) -> Path | None:
    """Return the file of a SQLite database, None for another database."""
    parsed = make_url(address)
    if parsed.get_backend_name() != "sqlite" or not parsed.database:
        return None
    return Path(parsed.database)


def begin_at_once(engine: Engine) -> None:
    """Have transactions take the write lock as they begin, so that what they read does not change.

    The driver must begin none of its own: each connection's `isolation_level` has to be None.
    """
    # Not in a listener of the `begin` event. If that fails, as on a locked file, SQLAlchemy begins
    # no more transactions on this connection, and each statement would be committed alone.
    setattr(engine.dialect, "do_begin", _begin_immediate)  # noqa: B010 of this engine alone


def _begin_immediate(connection: DBAPIConnection) -> None:
    cursor = connection.cursor()
    cursor.execute("BEGIN IMMEDIATE")
    cursor.close()
