"""New rows of a table, handed to the driver as tuples.

SQLAlchemy's processing of a row's parameters costs as much as all that the ledger does with an
event. The values must need no conversion.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection, Dialect, Table, insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.util import await_only

from scorekeeper.ledger.databases.database_errors import is_duplicate

InsertedRows: TypeAlias = Sequence[tuple[object, ...]]
"""Each has the columns of the table in their order."""

# Fewer rows gain little from COPY, which takes a second round trip.
_MANY: Final = 32


def insert_rows(connection: Connection, table: Table, rows: InsertedRows) -> None:
    """One statement, executed for each row."""
    connection.exec_driver_sql(_statement(connection.dialect, table), list(rows))


def copy_rows(connection: Connection, table: Table, rows: InsertedRows) -> None:
    """On PostgreSQL: many are copied in, which takes half of what an insert for each takes.

    A key that is taken raises IntegrityError either way.
    """
    if len(rows) < _MANY:
        insert_rows(connection, table, rows)
        return
    driver: Any = connection.connection.driver_connection
    if not driver.is_in_transaction():
        # SQLAlchemy begins one only with a statement that it sends itself.
        connection.exec_driver_sql("SELECT 1")
    columns = [column.name for column in table.columns]
    try:
        await_only(driver.copy_records_to_table(table.name, records=rows, columns=columns))
    except Exception as error:
        if is_duplicate(error):
            raise IntegrityError(f"COPY {table.name}", None, error) from error
        raise


@lru_cache
def _statement(dialect: Dialect, table: Table) -> str:
    """In the driver's own notation."""
    return str(insert(table).compile(dialect=dialect))
