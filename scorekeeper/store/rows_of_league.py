"""The rows that a league has in the tables beside the log, in parts, to be checked against it."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from sqlalchemy import Connection, Table, select, tuple_

from scorekeeper.store.tables import (
    leagues,
    matches,
    meetings,
    players,
    ratings,
    results,
    standings,
    stored_views,
    tokens,
    tournament_tables,
    tournaments,
)

_PART = 1_000
_AT_ONCE = 200
_KEYS: Final[Mapping[Table, tuple[str, ...]]] = {
    leagues: ("league",),
    players: ("player",),
    tokens: ("token_id",),
    matches: ("match",),
    tournaments: ("tournament",),
    tournament_tables: ("tournament", "match"),
    results: ("match", "player"),
    meetings: ("player", "other", "partners"),
    standings: ("player",),
    ratings: ("player", "finished"),
    stored_views: ("league",),
}
TABLES: tuple[Table, ...] = tuple(_KEYS)


def rows_of(connection: Connection, table: Table, league: str) -> Iterator[dict[str, Any]]:
    """Rows as mappings from column to value, by their key."""
    last: dict[str, Any] | None = None
    while True:
        rows = part_of(connection, table, league, last)
        yield from rows
        if len(rows) < _PART:
            return
        last = rows[-1]


def part_of(
    connection: Connection, table: Table, league: str, last: Mapping[str, Any] | None
) -> list[dict[str, Any]]:
    """The next rows behind the last one by their key, some hundreds; none behind the last."""
    keys = [table.c[name] for name in _KEYS[table]]
    page = select(table).where(table.c.league == league).order_by(*keys).limit(_PART)
    if last is not None:
        page = page.where(tuple_(*keys) > tuple(last[name] for name in _KEYS[table]))
    return [dict(row) for row in connection.execute(page).mappings()]


def rows_at(
    connection: Connection, table: Table, league: str, keys: Collection[tuple[object, ...]]
) -> Iterator[dict[str, Any]]:
    """The rows with these primary keys, which are told without the league."""
    names = [column for column in table.primary_key if column.name != "league"]
    wanted = list(keys)
    for start in range(0, len(wanted), _AT_ONCE):
        among = tuple_(*names).in_(wanted[start : start + _AT_ONCE])
        found = connection.execute(select(table).where(table.c.league == league, among))
        yield from (dict(row) for row in found.mappings())


def key_of(table: Table, row: Mapping[str, Any]) -> str:
    """What names a row in its league."""
    return "/".join(str(row[name]) for name in _KEYS[table])


def row_of(connection: Connection, table: Table, league: str, key: str) -> dict[str, Any] | None:
    """One row by its key, which is of one column."""
    name = _KEYS[table][0]
    where = (table.c.league == league, table.c[name] == key)
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
