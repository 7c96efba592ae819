"""The rows that a league has in the tables beside the log, in parts, to be checked against it."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, Table, select

from scorekeeper.store.tables import (
    leagues,
    matches,
    players,
    tokens,
    tournament_tables,
    tournaments,
)

_PART = 1_000
_KEYS = {
    leagues: "league",
    players: "player",
    tokens: "token_id",
    matches: "match",
    tournaments: "tournament",
    tournament_tables: "match",
}
TABLES: tuple[Table, ...] = tuple(_KEYS)


def rows_of(connection: Connection, table: Table, league: str) -> Iterator[dict[str, Any]]:
    """Rows as mappings from column to value, by their key."""
    key = table.c[_KEYS[table]]
    page = select(table).where(table.c.league == league).order_by(key).limit(_PART)
    last: str | None = None
    while True:
        found = connection.execute(page if last is None else page.where(key > last))
        rows = [dict(row) for row in found.mappings()]
        yield from rows
        if len(rows) < _PART:
            return
        last = rows[-1][key.name]


def row_of(connection: Connection, table: Table, league: str, key: str) -> dict[str, Any] | None:
    """One row by its key."""
    where = (table.c.league == league, table.c[_KEYS[table]] == key)
    row = connection.execute(select(table).where(*where)).mappings().one_or_none()
    return None if row is None else dict(row)


def leagues_in(connection: Connection, table: Table) -> Iterator[str]:
    """The leagues that a table has rows of."""
    after = ""
    while True:
        found: str | None = connection.execute(
            select(table.c.league).where(table.c.league > after).order_by(table.c.league).limit(1)
        ).scalar()
        if found is None:
            return
        yield found
        after = found
