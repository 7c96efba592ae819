"""Checking whether a database accepts writes, without writing anything."""

import os
from pathlib import Path

from sqlalchemy import Connection, text

from scorekeeper.ledger.databases.database_errors import LedgerUnavailable

_read_only = text("SELECT current_setting('transaction_read_only')")


def check_writable(connection: Connection) -> None:
    """Within a transaction that could write. Raises LedgerUnavailable.

    SQLite has taken its lock by then, which a file that was opened to be read does not let it.
    """
    if connection.dialect.name == "sqlite":
        database = connection.engine.url.database
        assert database is not None
        if _mounted_read_only(Path(database)):
            raise LedgerUnavailable("the file system of the database is mounted read-only")
    elif connection.execute(_read_only).scalar() == "on":
        raise LedgerUnavailable("the database is read-only")


def _mounted_read_only(file: Path) -> bool:
    """What is open stays open when a file system is mounted anew after an error of the disk."""
    return hasattr(os, "statvfs") and bool(os.statvfs(file).f_flag & os.ST_RDONLY)
