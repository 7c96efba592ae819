"""A consistent snapshot of the database for all statements of a connection."""

import sqlite3
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection


@contextmanager
def consistent_snapshot(connection: Connection) -> Generator[None]:
    """All statements of a reading connection see the database as it is now.

    Text that is no UTF-8, which SQLite takes, is read with its bytes spelled out.
    """
    driver: Any = connection.connection.driver_connection
    if isinstance(driver, sqlite3.Connection):
        driver.text_factory = _spelled_out
        connection.exec_driver_sql("BEGIN")
    elif driver.is_in_transaction():  # whoever began it ends it
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield
        return
    else:
        connection.exec_driver_sql("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")
    try:
        yield
    finally:
        connection.exec_driver_sql("ROLLBACK")


def damage(connection: Connection) -> Iterator[str]:
    """What SQLite itself finds wrong with its file; elsewhere that is the server's business."""
    if connection.dialect.name == "sqlite":
        for (found,) in connection.exec_driver_sql("PRAGMA integrity_check"):
            if found != "ok":
                yield str(found)


def _spelled_out(text: bytes) -> str:
    return text.decode(errors="backslashreplace")
