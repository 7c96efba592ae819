"""The SQL statements of the log, built once for each kind of database.

New rows of a table are handed to the driver as tuples: SQLAlchemy's processing of a row's
parameters costs as much as all that the ledger does with an event. The values must need no
conversion.
"""

import json
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Final, TypeAlias

import msgspec
from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    Connection,
    Dialect,
    Executable,
    LargeBinary,
    Select,
    Table,
    Text,
    Uuid,
    any_,
    bindparam,
    cast,
    func,
    insert,
    literal_column,
    null,
    select,
    update,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects import sqlite as sqlite_dialect
from sqlalchemy.exc import IntegrityError
from sqlalchemy.util import await_only

from scorekeeper.ledger.database_errors import is_duplicate
from scorekeeper.ledger.entry import Entry, ErasureTarget, first_erased, read_entries
from scorekeeper.ledger.sqlite_database import fold_log_in
from scorekeeper.ledger.tables import answers, events, ledgers
from scorekeeper.ledger.writing.head_cache import LedgerHead
from scorekeeper.ledger.writing.one_statement import append_in_one_statement
from scorekeeper.ledger.writing.write_batch import OffLoop, at_once, on_a_thread

InsertedRows: TypeAlias = Sequence[tuple[object, ...]]
"""Rows for a table. Each has all columns of the table, in their order."""

# Fewer rows gain little from COPY, which takes a second round trip.
_MANY: Final = 32
# Those of 64 events. SQLite took no more than 999 before its version 3.32.
_PARAMETERS: Final = 704

EVERYTHING = 2**62
"""A limit, or a last version, that no ledger reaches."""

_league = bindparam("league", type_=Text)
_stored = (events.c.header, events.c.body, events.c.salt)
# The addition keeps SQLite from using the index on positions. Asked for positions up to the last
# one, it would go through the whole ledger by that index instead of looking the streams up.
_unsought_position = events.c.position + literal_column("0")

head = select(ledgers.c.log, ledgers.c.size, ledgers.c.frontier, ledgers.c.recorded_at).where(
    ledgers.c.league == _league
)
heads = select(ledgers.c.league, ledgers.c.log, ledgers.c.size, ledgers.c.frontier).order_by(
    ledgers.c.league
)
recorded_after = (
    select(ledgers.c.league, ledgers.c.recorded_at)
    .where(ledgers.c.recorded_at > bindparam("moment", type_=Text))
    .order_by(ledgers.c.recorded_at.desc(), ledgers.c.league)
)
size = select(ledgers.c.size).where(ledgers.c.league == _league)
_sizes = select(ledgers.c.league, ledgers.c.size)
take_head = (
    update(ledgers)
    .where(ledgers.c.league == bindparam("of_league"), ledgers.c.size == bindparam("seen"))
    .values(
        size=bindparam("new_size"),
        frontier=bindparam("new_frontier"),
        recorded_at=bindparam("new_recorded_at"),
    )
)
# Changes nothing, and is a commit like any other.
confirm_head = (
    update(ledgers)
    .where(ledgers.c.league == bindparam("of_league"), ledgers.c.size == bindparam("seen"))
    .values(size=bindparam("seen"))
)
# Changes nothing, and waits for a process that is about to append: what is counted after it is so
# counted with what that process writes.
hold_head = (
    update(ledgers).where(ledgers.c.league == bindparam("of_league")).values(size=ledgers.c.size)
)
_erase_content = (
    update(events)
    .where(events.c.league == bindparam("of_league"), events.c.position == bindparam("of_position"))
    .values(body=null(), salt=null())
)
# The answers about a stream have its version as their etag.
_erase_answers = (
    update(answers)
    .where(
        answers.c.league == bindparam("of_league"),
        answers.c.about == bindparam("of_stream"),
        cast(answers.c.etag, BigInteger) >= bindparam("first", type_=BigInteger),
    )
    .values(body=b"")
)

read_stream = (
    select(*_stored)
    .where(
        events.c.league == _league,
        events.c.stream == bindparam("stream"),
        events.c.version > bindparam("after", type_=BigInteger),
        events.c.version <= bindparam("until", type_=BigInteger),
    )
    .order_by(events.c.version)
    .limit(bindparam("limit", type_=BigInteger))
)
count_erased = (
    select(func.count())
    .select_from(events)
    .where(
        events.c.league == _league,
        events.c.stream == bindparam("stream"),
        events.c.body.is_(None),
    )
)
read_positions = select(*_stored).where(
    events.c.league == _league, events.c.position.in_(bindparam("positions", expanding=True))
)
read_version = (
    select(events.c.version)
    .where(
        events.c.league == _league,
        events.c.stream == bindparam("stream"),
        _unsought_position <= bindparam("until", type_=BigInteger),
    )
    .order_by(events.c.version.desc())
    .limit(1)
)
# The limit is what the positions say already. PostgreSQL does not know that they are unique. Where
# most ledgers are small it would expect many rows at the first positions of a large one, and might
# go through the whole table.
_read_between = (
    select(*_stored)
    .where(
        events.c.league == _league,
        events.c.position > bindparam("after", type_=BigInteger),
        events.c.position <= bindparam("until", type_=BigInteger),
    )
    .order_by(events.c.position)
    .limit(bindparam("limit", type_=BigInteger))
)

AppendAtOnce = Callable[[Connection, str, LedgerHead, LedgerHead, InsertedRows], bool]


def insert_rows(connection: Connection, table: Table, rows: InsertedRows) -> None:
    """Insert rows by one statement, which is executed for each row."""
    connection.exec_driver_sql(_insert_statement(connection.dialect, table), list(rows))


def insert_rows_together(connection: Connection, table: Table, rows: InsertedRows) -> None:
    """Insert rows on SQLite. Of many, each statement inserts as many as it has parameters for.

    A statement for each row would have to find its places in the table and its indexes each time.
    """
    at_once = _PARAMETERS // len(table.columns)
    rest = len(rows) - len(rows) % at_once
    if rest:
        parts = [tuple(chain(*rows[at : at + at_once])) for at in range(0, rest, at_once)]
        connection.exec_driver_sql(_joint_insert(connection.dialect, table, at_once), parts)
    if rest < len(rows):
        insert_rows(connection, table, rows[rest:])


def copy_rows(connection: Connection, table: Table, rows: InsertedRows) -> None:
    """Insert rows on PostgreSQL. Many rows are written by COPY, in half the time of INSERT.

    Raises IntegrityError if a key is taken, either way.
    """
    if len(rows) < _MANY:
        insert_rows(connection, table, rows)
        return
    driver: Any = connection.connection.driver_connection
    if not driver.is_in_transaction():
        # SQLAlchemy begins a transaction only with a statement that it sends itself.
        connection.exec_driver_sql("SELECT 1")
    columns = [column.name for column in table.columns]
    try:
        await_only(driver.copy_records_to_table(table.name, records=rows, columns=columns))
    except Exception as error:
        if is_duplicate(error):
            raise IntegrityError(f"COPY {table.name}", None, error) from error
        raise


@lru_cache
def _insert_statement(dialect: Dialect, table: Table) -> str:
    """Return the INSERT statement of a table in the driver's own notation."""
    return str(insert(table).compile(dialect=dialect))


@lru_cache
def _joint_insert(dialect: Dialect, table: Table, rows: int) -> str:
    """Return the INSERT statement of so many rows of a table in SQLite's own notation."""
    row = f", ({', '.join('?' * len(table.columns))})"
    return _insert_statement(dialect, table) + row * (rows - 1)


class Statements(msgspec.Struct, frozen=True):
    """What differs between the databases.

    `sole`: no other process writes, so that the cached heads stay true.
    `append_at_once`, if there is one, takes the head and inserts events in one statement.
    `overwrite` is called after the commit of an erasure, so that nothing of the erased content
    stays in the files.
    `off_loop` runs computations that would hold up the event loop.
    """

    sole: bool
    open_ledger: Executable
    lock_head: Executable
    find_ids: Executable
    find_streams: Executable
    find_answers: Executable
    insert_rows: Callable[[Connection, Table, InsertedRows], None]
    append_at_once: AppendAtOnce | None
    overwrite: Callable[[Connection], None]
    off_loop: OffLoop

    def event_row(self, entry: Entry) -> tuple[object, ...]:
        """Return an entry as a row of `events`, in the driver's own types."""
        return (
            entry.league,
            entry.position,
            entry.stream,
            entry.version,
            entry.id.replace("-", "") if self.sole else entry.id,
            entry.type,
            entry.schema,
            entry.header,
            entry.body,
            entry.salt,
            entry.time,
        )

    def ids(self, ids: Collection[str]) -> str | list[str]:
        """Return the parameter of `find_ids`."""
        if self.sole:
            return json.dumps([one.replace("-", "") for one in ids])
        return list(ids)

    def streams(self, streams: Collection[str]) -> str | list[str]:
        """Return the parameter of `find_streams`."""
        return json.dumps(list(streams)) if self.sole else list(streams)


def _find_ids(among: ColumnElement[bool]) -> Executable:
    return select(*_stored).where(events.c.league == _league, among)


def _find_streams(among: ColumnElement[bool]) -> Executable:
    return (
        select(*_stored)
        .where(
            events.c.league == _league,
            among,
            _unsought_position <= bindparam("until", type_=BigInteger),
        )
        .order_by(events.c.stream, events.c.version)
    )


def _find_answers(among: ColumnElement[bool]) -> Executable:
    return select(
        answers.c.key,
        answers.c.request,
        answers.c.body,
        answers.c.etag,
        answers.c.about,
    ).where(answers.c.league == _league, among)


def _listed(name: str) -> Select[Any]:
    """Return the values of a JSON array given as one parameter: one statement for any number."""
    return select(func.json_each(bindparam(name, type_=Text)).table_valued("value").c.value)


# One parameter for any number of leagues, of which thousands may be followed. A server keeps each
# statement prepared, and each number of parameters would make another one.
_sizes_on_sqlite = _sizes.where(ledgers.c.league.in_(_listed("leagues")))
_sizes_on_postgresql = _sizes.where(
    ledgers.c.league == any_(bindparam("leagues", type_=ARRAY(Text)))
)

SQLITE = Statements(
    sole=True,
    open_ledger=sqlite_dialect.insert(ledgers).on_conflict_do_nothing(),
    lock_head=head,
    find_ids=_find_ids(events.c.event_id.in_(_listed("ids"))),
    find_streams=_find_streams(events.c.stream.in_(_listed("streams"))),
    # Binary keys don't go into JSON; a group has few of them.
    find_answers=_find_answers(answers.c.key.in_(bindparam("keys", expanding=True))),
    insert_rows=insert_rows_together,
    append_at_once=None,
    overwrite=fold_log_in,
    off_loop=at_once,
)
POSTGRESQL = Statements(
    sole=False,
    open_ledger=postgresql.insert(ledgers).on_conflict_do_nothing(),
    lock_head=head.with_for_update(),
    find_ids=_find_ids(
        events.c.event_id == any_(bindparam("ids", type_=ARRAY(Uuid(as_uuid=False))))
    ),
    find_streams=_find_streams(events.c.stream == any_(bindparam("streams", type_=ARRAY(Text)))),
    find_answers=_find_answers(answers.c.key == any_(bindparam("keys", type_=ARRAY(LargeBinary)))),
    insert_rows=copy_rows,
    append_at_once=append_in_one_statement,
    # The server keeps old versions of rows until its next VACUUM.
    overwrite=lambda _: None,
    off_loop=on_a_thread,
)


def read_sizes(connection: Connection, leagues: Collection[str]) -> dict[str, int]:
    """Return how many entries each of these ledgers has. One that is not open is left out."""
    if connection.dialect.name == "sqlite":
        rows = connection.execute(_sizes_on_sqlite, {"leagues": json.dumps(list(leagues))})
    else:
        rows = connection.execute(_sizes_on_postgresql, {"leagues": list(leagues)})
    return {row.league: row.size for row in rows}


def read_between(connection: Connection, league: str, after: int, until: int) -> list[Entry]:
    """Return the entries after position `after` up to and including `until`, in order."""
    parameters = {"league": league, "after": after, "until": until, "limit": until - after}
    return read_entries(connection, _read_between, parameters)


def erase(connection: Connection, league: str, places: Sequence[ErasureTarget]) -> None:
    """Delete body and salt at these places, and the bodies of kept answers that may show them.

    These are the answers about the same stream from the first erased version on.
    """
    connection.execute(
        _erase_content,
        [{"of_league": league, "of_position": place.position} for place in places],
    )
    connection.execute(
        _erase_answers,
        [
            {"of_league": league, "of_stream": stream, "first": version}
            for stream, version in first_erased(places).items()
        ],
    )
