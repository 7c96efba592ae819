"""PostgreSQL: the groups of several leagues are one statement, which is a transaction by itself.

Lists go in as arrays, one for each column, so that the statement is the same for any number of
leagues and events. Heads are locked in the order of their leagues: processes that write the same
leagues never wait for each other in a circle. It goes to the driver directly, on the held
connection.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import (
    ARRAY,
    URL,
    BigInteger,
    Connection,
    TableValuedAlias,
    Text,
    any_,
    bindparam,
    column,
    func,
    select,
)
from sqlalchemy.util import await_only

from scorekeeper.ledger.entries.entry import Entry, read_entry
from scorekeeper.ledger.tables import events, ledgers
from scorekeeper.ledger.writing.inserts import InsertedRows
from scorekeeper.ledger.writing.joint_commit import HeadRow, TakenHead, WantedStream

_HAS_CITUS: Final = "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')"

_find_heads = select(
    ledgers.c.league, ledgers.c.log, ledgers.c.size, ledgers.c.frontier, ledgers.c.recorded_at
).where(ledgers.c.league == any_(bindparam("leagues", type_=ARRAY(Text))))


def _wanted() -> TableValuedAlias:
    return func.unnest(
        bindparam("leagues", type_=ARRAY(Text)),
        bindparam("streams", type_=ARRAY(Text)),
        bindparam("sizes", type_=ARRAY(BigInteger)),
    ).table_valued(
        column("league", Text), column("stream", Text), column("size", BigInteger), name="wanted"
    )


_asked = _wanted().render_derived()
_find_streams = (
    select(events.c.league, events.c.header, events.c.body, events.c.salt)
    .join_from(
        _asked,
        events,
        (events.c.league == _asked.c.league)
        & (events.c.stream == _asked.c.stream)
        & (events.c.position <= _asked.c.size),
    )
    .order_by(events.c.league, events.c.stream, events.c.version)
)
_FIND_REPEATED: Final = (
    f"SELECT DISTINCT league FROM {events.name}"  # noqa: S608
    " JOIN unnest($1::text[], $2::uuid[]) AS asked (league, event_id) USING (league, event_id)"
)

_HEAD_TYPES: Final = ("text", "bigint", "bigint", "bytea", "text")


def _append_statement() -> str:
    """Heads, then events, each as arrays of their columns; it returns the leagues written."""
    dialect = URL.create("postgresql+asyncpg").get_dialect()()
    types = [each.type.compile(dialect=dialect) for each in events.columns]
    names = ", ".join(each.name for each in events.columns)
    numbers = iter(range(1, 1 + len(_HEAD_TYPES) + len(types)))
    heads = ", ".join(f"${next(numbers)}::{kind}[]" for kind in _HEAD_TYPES)
    new = ", ".join(f"${next(numbers)}::{kind}[]" for kind in types)
    # The text is made of the names of our own tables, and of numbers.
    return (
        f"WITH asked AS MATERIALIZED (SELECT * FROM unnest({heads})"  # noqa: S608
        f" AS asked ({', '.join(TakenHead._fields)})),"
        f" locked AS MATERIALIZED (SELECT league FROM {ledgers.name} WHERE league = ANY ($1)"
        " ORDER BY league FOR UPDATE),"
        f" taken AS (UPDATE {ledgers.name} AS head SET size = asked.size,"
        " frontier = asked.frontier, recorded_at = asked.recorded_at"
        " FROM locked JOIN asked USING (league)"
        " WHERE head.league = locked.league AND head.size = asked.seen RETURNING head.league),"
        f" inserted AS (INSERT INTO {events.name} ({names})"
        f" SELECT new.* FROM unnest({new}) AS new ({names})"
        " WHERE new.league IN (SELECT league FROM taken))"
        " SELECT league FROM taken"
    )


_APPEND: Final = _append_statement()


class JointPostgresql:
    """PostgreSQL's statements about several leagues at once."""

    def __init__(self) -> None:
        self._distributed: bool | None = None

    def can_join(self, connection: Connection) -> bool:
        """Where tables are distributed by league, a statement reaches one league only."""
        if self._distributed is None:
            self._distributed = bool(await_only(_driver(connection).fetchval(_HAS_CITUS)))
        return not self._distributed

    def heads(self, connection: Connection, leagues: Collection[str]) -> Iterator[HeadRow]:
        rows = connection.execute(_find_heads, {"leagues": list(leagues)})
        return map(HeadRow._make, rows)

    def streams(self, connection: Connection, wanted: Collection[WantedStream]) -> Iterator[Entry]:
        parameters: dict[str, Any] = {
            "leagues": [each.league for each in wanted],
            "streams": [each.stream for each in wanted],
            "sizes": [each.size for each in wanted],
        }
        for row in connection.execute(_find_streams, parameters):
            yield read_entry(*row)

    def repeated(self, connection: Connection, ids: Mapping[str, Collection[str]]) -> set[str]:
        pairs = [(league, one) for league, of_league in ids.items() for one in of_league]
        rows = await_only(_driver(connection).fetch(_FIND_REPEATED, *zip(*pairs, strict=True)))
        return {league for (league,) in rows}

    def append(
        self, connection: Connection, heads: Sequence[TakenHead], entries: InsertedRows
    ) -> Collection[str]:
        arrays = [*zip(*heads, strict=True), *zip(*entries, strict=True)]
        rows = await_only(_driver(connection).fetch(_APPEND, *arrays))
        return {league for (league,) in rows}


def _driver(connection: Connection) -> Any:  # noqa: ANN401 asyncpg's connection
    """SQLAlchemy's path to the driver costs as much as a statement."""
    return connection.connection.driver_connection
