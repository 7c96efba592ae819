"""The rows that a league has in the tables beside the log: read in parts, and put right."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Table,
    bindparam,
    delete,
    insert,
    select,
    tuple_,
    update,
)

from scorekeeper.store.views import Columns, Key, StoredView

_PART = 1_000
_AT_ONCE = 200

Row = dict[str, Any]
"""All columns by name."""


def rows_of(connection: Connection, view: StoredView, league: str) -> Iterator[Row]:
    """By their subject and key."""
    last: Row | None = None
    while rows := part_of(connection, view, league, last):
        yield from rows
        last = rows[-1]


def part_of(
    connection: Connection, view: StoredView, league: str, last: Columns | None
) -> list[Row]:
    """The next rows behind the last one in that order, some hundreds; none behind the last."""
    order = [view.table.c[name] for name in view.order]
    page = select(view.table).where(view.table.c.league == league).order_by(*order).limit(_PART)
    if last is not None:
        page = page.where(tuple_(*order) > tuple(last[name] for name in view.order))
    return [dict(row) for row in connection.execute(page).mappings()]


def rows_about(
    connection: Connection, view: StoredView, league: str, subjects: Collection[str]
) -> Iterator[Row]:
    """All that are derived from one of these, those of one side by side."""
    wanted = sorted(subjects)
    subject = view.table.c[view.subject]
    for start in range(0, len(wanted), _AT_ONCE):
        among = subject.in_(wanted[start : start + _AT_ONCE])
        found = connection.execute(
            select(view.table).where(view.table.c.league == league, among).order_by(subject)
        )
        yield from (dict(row) for row in found.mappings())


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


def add(connection: Connection, table: Table, league: str, rows: Iterable[Columns]) -> None:
    """New rows, told without their league, within the caller's transaction."""
    following = ({**row, "league": league} for row in rows)
    while part := list(islice(following, _PART)):
        connection.execute(insert(table), part)


def change(
    connection: Connection,
    view: StoredView,
    league: str,
    rows: Sequence[tuple[Key, Mapping[str, object]]],
) -> None:
    """The columns of rows that are to say something else."""
    table = view.table
    ordered = sorted(rows, key=lambda each: sorted(each[1]))
    for columns, same in groupby(ordered, key=lambda each: sorted(each[1])):
        values = {name: bindparam(f"new_{name}", type_=table.c[name].type) for name in columns}
        connection.execute(
            update(table).where(*_at_key(table)).values(values),
            [
                _key(view, league, key) | {f"new_{name}": said for name, said in other.items()}
                for key, other in same
            ],
        )


def drop(connection: Connection, view: StoredView, league: str, keys: Sequence[Key]) -> None:
    if keys:
        dropped = delete(view.table).where(*_at_key(view.table))
        connection.execute(dropped, [_key(view, league, key) for key in keys])


def _at_key(table: Table) -> list[ColumnElement[bool]]:
    """The condition that one row meets."""
    return [column == bindparam(f"of_{column.name}") for column in table.primary_key]


def _key(view: StoredView, league: str, key: Key) -> dict[str, object]:
    named = zip(view.key_names, key, strict=True)
    return {"of_league": league} | {f"of_{name}": value for name, value in named}
