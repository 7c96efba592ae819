"""The statements of a joint commit: what the databases write of several leagues at once.

SQLite writes the groups of several leagues in one transaction, and so with one sync. PostgreSQL
takes them as one statement, which is a transaction by itself. Its parameters are arrays, one for
each column, so that the statement is the same for any number of leagues and events. Heads are
locked in the order of their leagues: processes that write the same leagues never wait for each
other in a circle. The statement is sent to the driver directly, on the held connection.
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

from scorekeeper.ledger.entry import Entry, read_entries, read_entry
from scorekeeper.ledger.tables import events, ledgers
from scorekeeper.ledger.writing.joint_commit import FoundHead, TakenHead, WantedStream
from scorekeeper.ledger.writing.statements import SQLITE, InsertedRows, head

# The driver's own notation: SQLAlchemy's path to it costs more than the rest of a league's append.
_TAKE_HEADS: Final = (
    f"UPDATE {ledgers.name} SET size = ?, frontier = ?, recorded_at = ?"  # noqa: S608
    " WHERE league = ? AND size = ?"
)

_HAS_CITUS: Final = "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')"

_find_heads = select(
    ledgers.c.league, ledgers.c.log, ledgers.c.size, ledgers.c.frontier, ledgers.c.recorded_at
).where(ledgers.c.league == any_(bindparam("leagues", type_=ARRAY(Text))))
_FIND_REPEATED: Final = (
    f"SELECT DISTINCT league FROM {events.name}"  # noqa: S608
    " JOIN unnest($1::text[], $2::uuid[]) AS asked (league, event_id) USING (league, event_id)"
)

_HEAD_TYPES: Final = ("text", "bigint", "bigint", "bytea", "text")


class JointSqlite:
    """SQLite's statements about several leagues. Reads cost no round trip, so each is for one."""

    def can_join(self, connection: Connection) -> bool:
        return True

    def heads(self, connection: Connection, leagues: Collection[str]) -> Iterator[FoundHead]:
        for league in leagues:
            row = connection.execute(head, {"league": league}).one_or_none()
            if row is not None:
                yield FoundHead(league, *row)

    def streams(self, connection: Connection, wanted: Collection[WantedStream]) -> Iterator[Entry]:
        for league, stream, size in wanted:
            asked = {"league": league, "streams": SQLITE.streams([stream]), "until": size}
            yield from read_entries(connection, SQLITE.find_streams, asked)

    def repeated(self, connection: Connection, ids: Mapping[str, Collection[str]]) -> set[str]:
        return {
            league
            for league, of_league in ids.items()
            if connection.execute(
                SQLITE.find_ids, {"league": league, "ids": SQLITE.ids(of_league)}
            ).first()
        }

    def append(
        self, connection: Connection, heads: Sequence[TakenHead], entries: InsertedRows
    ) -> Collection[str]:
        rows = [(new.size, new.frontier, new.recorded_at, new.league, new.seen) for new in heads]
        with connection.begin():
            taken = connection.exec_driver_sql(_TAKE_HEADS, rows)
            if taken.rowcount != len(rows):
                raise RuntimeError("somebody else has written to the database file")
            SQLITE.insert_rows(connection, events, entries)
        return [new.league for new in heads]


def _wanted_streams() -> TableValuedAlias:
    return func.unnest(
        bindparam("leagues", type_=ARRAY(Text)),
        bindparam("streams", type_=ARRAY(Text)),
        bindparam("sizes", type_=ARRAY(BigInteger)),
    ).table_valued(
        column("league", Text), column("stream", Text), column("size", BigInteger), name="wanted"
    )


_asked_streams = _wanted_streams().render_derived()
_find_streams = (
    select(events.c.league, events.c.header, events.c.body, events.c.salt)
    .join_from(
        _asked_streams,
        events,
        (events.c.league == _asked_streams.c.league)
        & (events.c.stream == _asked_streams.c.stream)
        & (events.c.position <= _asked_streams.c.size),
    )
    .order_by(events.c.league, events.c.stream, events.c.version)
)


def _append_statement() -> str:
    """Return the statement that takes heads, inserts events and returns the leagues written.

    Its parameters are the columns of the heads, then those of the events, each as an array.
    """
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
        """Return False on Citus: if tables are distributed by league, a statement reaches one."""
        if self._distributed is None:
            self._distributed = bool(await_only(_driver(connection).fetchval(_HAS_CITUS)))
        return not self._distributed

    def heads(self, connection: Connection, leagues: Collection[str]) -> Iterator[FoundHead]:
        rows = connection.execute(_find_heads, {"leagues": list(leagues)})
        return map(FoundHead._make, rows)

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
    """Return the driver's connection. SQLAlchemy's path to it costs as much as a statement."""
    return connection.connection.driver_connection
