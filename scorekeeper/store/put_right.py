"""Stored rows put right: what a view should hold, how the stored rows differ, and only that."""

from collections.abc import Collection, Iterable, Mapping
from itertools import groupby
from typing import Any

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, Table, bindparam, delete, insert, update

from scorekeeper.store.rows_of_league import rows_at, rows_of

Columns = Mapping[str, object]
Key = tuple[object, ...]


class FreshView(Struct, frozen=True):
    """The rows that a table should have of a league.

    `rows` have the columns that can be told, `whole` those of a row that is to be inserted, both
    by the primary key without the league. Rows whose key ends with one of `left` stay as they are.
    """

    table: Table
    rows: Mapping[Key, Columns]
    whole: Mapping[Key, Columns]
    left: frozenset[str] = frozenset()


class Difference(Struct, frozen=True):
    """What has to be written so that the rows of a league are as they should be."""

    table: Table
    league: str
    missing: list[Columns]
    changed: list[tuple[Key, Columns]]
    unknown: list[Key]

    def __bool__(self) -> bool:
        return bool(self.missing or self.changed or self.unknown)


def view(table: Table, rows: Iterable[Columns], *, left: Iterable[str] = ()) -> FreshView:
    """A view all of whose columns can be told."""
    keyed = by_key(table, rows)
    return FreshView(table, keyed, keyed, frozenset(left))


def by_key(table: Table, rows: Iterable[Columns]) -> dict[Key, Columns]:
    names = _key_names(table)
    return {tuple(row[name] for name in names): row for row in rows}


def differing(fresh: FreshView, rows: Iterable[Mapping[str, object]]) -> tuple[set[Key], set[Key]]:
    """The keys of all these stored rows, and of those that are not as they should be."""
    names = _key_names(fresh.table)
    keys: set[Key] = set()
    others: set[Key] = set()
    for row in rows:
        key = tuple(row[name] for name in names)
        keys.add(key)
        if key[-1] not in fresh.left:
            told = fresh.rows.get(key)
            if told is None or any(row[name] != said for name, said in told.items()):
                others.add(key)
    return keys, others


def difference(
    connection: Connection, league: str, fresh: FreshView, keys: Collection[Key] | None = None
) -> Difference:
    """How the stored rows differ, all of them or those with these keys."""
    names = _key_names(fresh.table)
    found = Difference(fresh.table, league, [], [], [])
    if keys is None:
        missing, rows = dict(fresh.whole), rows_of(connection, fresh.table, league)
    else:
        missing = {key: fresh.whole[key] for key in keys if key in fresh.whole}
        rows = rows_at(connection, fresh.table, league, keys)
    for row in rows:
        key = tuple(row[name] for name in names)
        missing.pop(key, None)
        if key[-1] in fresh.left:
            continue
        told = fresh.rows.get(key)
        if told is None:
            found.unknown.append(key)
        elif other := {name: said for name, said in told.items() if row[name] != said}:
            found.changed.append((key, other))
    found.missing.extend(missing.values())
    return found


def put_right(connection: Connection, found: Difference) -> None:
    """Write a difference, within the caller's transaction."""
    table = found.table
    if found.unknown:
        connection.execute(
            delete(table).where(*_row(table)), [_at(found, k) for k in found.unknown]
        )
    ordered = sorted(found.changed, key=lambda each: sorted(each[1]))
    for columns, same in groupby(ordered, key=lambda each: sorted(each[1])):
        values = {name: bindparam(f"new_{name}", type_=table.c[name].type) for name in columns}
        connection.execute(
            update(table).where(*_row(table)).values(values),
            [
                _at(found, key) | {f"new_{name}": said for name, said in other.items()}
                for key, other in same
            ],
        )
    if found.missing:
        rows = [{**row, "league": found.league} for row in found.missing]
        connection.execute(insert(table), rows)


def _key_names(table: Table) -> list[str]:
    return [column.name for column in table.primary_key if column.name != "league"]


def _row(table: Table) -> list[ColumnElement[bool]]:
    """The condition that one row meets."""
    return [column == bindparam(f"of_{column.name}") for column in table.primary_key]


def _at(found: Difference, key: Key) -> dict[str, Any]:
    names = _key_names(found.table)
    return {"of_league": found.league} | {
        f"of_{name}": value for name, value in zip(names, key, strict=True)
    }
