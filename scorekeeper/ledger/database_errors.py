"""Errors that mean the database can't be reached, or that trying again helps.

Whether a database accepts writes is checked here, too, without writing anything.
"""

import os
import sqlite3
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from scorekeeper.sqlite import FILE_ERRORS

# Connection lost or refused, out of resources, an operator's intervention; and a server that
# accepts no writes, such as a primary that was made a standby.
_SQLSTATES = ("08", "53", "57", "25006")
_LOST_RACES = ("40001", "40P01")
_DUPLICATE = "23505"
# A distributed database may pass on another server's message without its SQLSTATE.
_STATELESS = ("XX000", None)
_DUPLICATE_SAID = "duplicate key value violates unique constraint"
_SQLITE_DUPLICATES = {sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY}
# These have no SQLSTATE: a connection that is closed, and one that is closing and accepts nothing
# more. (Each connection has one user at a time; otherwise this could also mean that it is busy.)
_ASYNCPG_ERRORS = {"InterfaceError", "InternalClientError"}

_is_read_only = text("SELECT current_setting('transaction_read_only')")


CLOSING: Final = "the ledger is being closed"
"""The message of a LedgerUnavailable that is raised while the ledger is being closed."""


class LedgerUnavailable(Exception):
    """The ledger can't be reached now.

    It is not known whether the request was written: send it again with the same ids or key.
    """


class LedgerOverloaded(LedgerUnavailable):
    """The number of waiting requests has reached its limit. This request was not written."""


def is_unavailable(error: BaseException) -> bool:
    """Return whether an error tells of the connection or the server, not of what was asked."""
    if isinstance(error, OSError):  # a TimeoutError is one
        return True
    if not isinstance(error, DBAPIError):
        # Drivers raise some errors past SQLAlchemy, on connecting above all.
        return _says_unavailable(error)
    if error.connection_invalidated or error.orig is None:
        return True
    return _says_unavailable(error.orig) or (
        error.orig.__cause__ is not None and _says_unavailable(error.orig.__cause__)
    )


def is_lost_race(error: BaseException) -> bool:
    """Return whether a serialization failure or a deadlock was the cause: trying again helps."""
    return _sqlstate(error) in _LOST_RACES


def is_duplicate(error: BaseException) -> bool:
    """Return whether an insert failed because a row with the same primary or unique key exists."""
    if isinstance(error, IntegrityError) and isinstance(error.orig, sqlite3.IntegrityError):
        return error.orig.sqlite_errorcode in _SQLITE_DUPLICATES
    state = _sqlstate(error)
    return state == _DUPLICATE or (state in _STATELESS and _DUPLICATE_SAID in str(error))


def _sqlstate(error: BaseException) -> object:
    """Return the SQLSTATE of an error raised by SQLAlchemy or by the driver, None if unknown."""
    return getattr(error.orig if isinstance(error, DBAPIError) else error, "sqlstate", None)


def _says_unavailable(error: BaseException) -> bool:
    if isinstance(error, sqlite3.Error):
        code = getattr(error, "sqlite_errorcode", None)
        return isinstance(code, int) and (code & 0xFF) in FILE_ERRORS
    state = getattr(error, "sqlstate", None)
    if isinstance(state, str) and state.startswith(_SQLSTATES):
        return True
    return isinstance(error, OSError) or type(error).__name__ in _ASYNCPG_ERRORS


def check_writable(connection: Connection) -> None:
    """Check that the database accepts writes, without writing. Raises LedgerUnavailable if not.

    Call it inside a transaction that may write. On SQLite such a transaction has taken the write
    lock, which fails on a file that was opened read-only; so only its file system is looked at.
    """
    if connection.dialect.name == "sqlite":
        database = connection.engine.url.database
        assert database is not None
        if _mounted_read_only(Path(database)):
            raise LedgerUnavailable("the file system of the database is mounted read-only")
    elif connection.execute(_is_read_only).scalar() == "on":
        raise LedgerUnavailable("the database is read-only")


def _mounted_read_only(file: Path) -> bool:
    """Return whether the file system of `file` is mounted read-only.

    Open files don't show this: they stay open if the system remounts it after a disk error.
    """
    return hasattr(os, "statvfs") and bool(os.statvfs(file).f_flag & os.ST_RDONLY)
