"""PostgreSQL: one statement takes the head and inserts the events of a group.

Separate statements for begin, head, events and commit would take four round trips. SQLAlchemy's
path to the driver costs as much as a statement, so this one is sent to asyncpg directly, on the
held connection.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import URL, Connection
from sqlalchemy.util import await_only

from scorekeeper.ledger.tables import events, ledgers
from scorekeeper.ledger.writing.head_cache import LedgerHead

# A statement is prepared once for each of these numbers of events; rows of nulls fill it up.
_SIZES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)
MOST_EVENTS = _SIZES[-1]

_COLUMNS = tuple(column for column in events.columns if column.name != "league")
_EMPTY = (None,) * len(_COLUMNS)
_TAKE_HEAD = 5


def append_in_one_statement(
    connection: Connection,
    league: str,
    seen: LedgerHead,
    new: LedgerHead,
    rows: Sequence[Sequence[object]],
) -> bool:
    """Return whether the head was still the one seen. If not, nothing was written.

    `rows` are up to MOST_EVENTS rows of `events`, with their columns in order. Errors are raised as
    the driver raises them. Then nothing was written, unless the connection was cut off.
    """
    size = next(size for size in _SIZES if size >= len(rows))
    parameters: list[object] = [league, seen.size, new.size, new.frontier, new.recorded_at]
    for row in rows:
        parameters += row[1:]
    for _ in range(size - len(rows)):
        parameters += _EMPTY
    driver: Any = connection.connection.driver_connection
    status: str = await_only(driver.execute(_statement(size), *parameters))
    return status == f"INSERT 0 {len(rows)}"


@cache
def _statement(size: int) -> str:
    dialect = URL.create("postgresql+asyncpg").get_dialect()()
    types = [column.type.compile(dialect=dialect) for column in _COLUMNS]
    names = ", ".join(column.name for column in _COLUMNS)
    numbers = iter(range(_TAKE_HEAD + 1, _TAKE_HEAD + 1 + size * len(_COLUMNS)))
    values = ", ".join(
        "(" + ", ".join(f"${next(numbers)}::{kind}" for kind in types) + ")" for _ in range(size)
    )
    # The text is made of the names of our own tables, and of numbers.
    return (
        f"WITH taken AS (UPDATE {ledgers.name} SET size = $3, frontier = $4, recorded_at = $5"  # noqa: S608
        " WHERE league = $1 AND size = $2 RETURNING league)"
        f" INSERT INTO {events.name} (league, {names}) SELECT taken.league, new.*"
        f" FROM taken, (VALUES {values}) AS new ({names}) WHERE new.position IS NOT NULL"
    )
