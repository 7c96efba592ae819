"""Queries whose rows come back as the driver's own tuples, for statements that read many."""

import sqlite3
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, SelectBase
from sqlalchemy.exc import DBAPIError
from sqlalchemy.util import await_only


class RowQuery:
    """A SELECT that goes to the driver as text, and whose rows come back as its own tuples.

    What SQLAlchemy makes of each row, and of each statement, costs as much as all that the ledger
    does with an entry. The values must need no conversion: text, integers and bytes.
    Raises DBAPIError, as SQLAlchemy does.
    """

    def __init__(self, select: SelectBase) -> None:
        self._select = select
        self._compiled: dict[str, tuple[str, Sequence[str], dict[str, object]]] = {}

    def rows(self, connection: Connection, **parameters: object) -> Sequence[Sequence[Any]]:
        """All rows of the statement."""
        text, names, defaults = self._in_words_of(connection)
        known = defaults | parameters
        values = tuple(known[name] for name in names)
        driver = connection.connection.driver_connection
        if isinstance(driver, sqlite3.Connection):
            return _of_sqlite(driver, text, values)
        if connection.dialect.driver == "asyncpg":
            return _of_asyncpg(connection, text, values)
        result = connection.exec_driver_sql(text, values)
        assert result.cursor is not None
        return result.cursor.fetchall()

    def _in_words_of(self, connection: Connection) -> tuple[str, Sequence[str], dict[str, object]]:
        dialect = connection.dialect
        known = self._compiled.get(dialect.name)
        if known is None:
            compiled = self._select.compile(dialect=dialect)
            known = str(compiled), tuple(compiled.positiontup or ()), dict(compiled.params)
            self._compiled[dialect.name] = known
        return known


def _of_sqlite(
    driver: sqlite3.Connection, text: str, values: tuple[object, ...]
) -> Sequence[Sequence[Any]]:
    try:
        return driver.execute(text, values).fetchall()
    except sqlite3.Error as error:
        raise DBAPIError(text, None, error) from error


def _of_asyncpg(
    connection: Connection, text: str, values: tuple[object, ...]
) -> Sequence[Sequence[Any]]:
    driver: Any = connection.connection.driver_connection
    try:
        rows: Sequence[Sequence[Any]] = await_only(driver.fetch(text, *values))
    except Exception as error:
        raise DBAPIError(text, None, error) from error
    return rows
