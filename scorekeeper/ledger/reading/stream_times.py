"""When the last entry of each of many streams was recorded."""

import json
from collections.abc import Collection, Mapping
from typing import Final

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    Connection,
    FromClause,
    SelectBase,
    Text,
    bindparam,
    func,
    select,
)

from scorekeeper.ledger.reading.row_query import RowQuery
from scorekeeper.ledger.tables import events


def _of_each(streams: FromClause, stream: ColumnElement[str]) -> SelectBase:
    """Looked up one by one: over all their entries it would cost what the streams are long."""
    last = (
        select(events.c.recorded_at)
        .where(
            events.c.league == bindparam("league", type_=Text),
            events.c.stream == stream,
        )
        .order_by(events.c.version.desc())
        .limit(bindparam("one", 1, type_=BigInteger))
        .scalar_subquery()
    )
    return select(stream, last).select_from(streams)


_named = func.json_each(bindparam("streams", type_=Text)).table_valued("value", name="named")
ON_SQLITE: Final = _of_each(_named, _named.c.value)
_on_sqlite: Final = RowQuery(ON_SQLITE)
_array = (
    func.unnest(bindparam("streams", type_=ARRAY(Text)))
    .table_valued("stream")
    .render_derived(name="named")
)
_on_postgresql: Final = RowQuery(_of_each(_array, _array.c.stream))


def last_recorded(
    connection: Connection, league: str, streams: Collection[str]
) -> Mapping[str, str | None]:
    """When the last entry of each stream was recorded; None where it has none."""
    if connection.dialect.name == "sqlite":
        rows = _on_sqlite.rows(connection, league=league, streams=json.dumps(list(streams)))
    else:
        rows = _on_postgresql.rows(connection, league=league, streams=list(streams))
    return {row[0]: row[1] for row in rows}
