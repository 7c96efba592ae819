"""Raw rows of the log's tables: read without trusting their content, and imported as they are.

Checks read them in one consistent snapshot. A ledger that was recorded elsewhere is written entry
by entry, with the same bytes.
"""

import sqlite3
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Final, TypeAlias, cast

import msgspec
from sqlalchemy import BigInteger, Connection, Text, bindparam, func, insert, select
from sqlalchemy import cast as sql_cast
from sqlalchemy.exc import DBAPIError

from scorekeeper.ledger.entry import Entry, Header, decode_header
from scorekeeper.ledger.integrity.checking import UNREADABLE, Flaw, Stored
from scorekeeper.ledger.reading import RowQuery
from scorekeeper.ledger.tables import events, ledgers
from scorekeeper.ledger.writing import statements as sql
from scorekeeper.ledger.writing.statements import EVERYTHING

PART: Final = 4_096
"""How many rows are read at once."""

BEFORE_ALL: Final = -(2**62)
"""A position below all that a table may hold."""

_DAMAGES: Final = 3
_REPEATED: Final = ("position", "stream", "version", "event_id", "type", "schema", "recorded_at")

_BETWEEN: Final = (
    events.c.league == bindparam("league"),
    events.c.position > bindparam("after", type_=BigInteger),
    events.c.position <= bindparam("until", type_=BigInteger),
)
_part = RowQuery(
    select(
        events.c.position,
        events.c.stream,
        events.c.version,
        func.replace(sql_cast(events.c.event_id, Text), "-", "").label("event_id"),
        events.c.type,
        events.c.schema,
        events.c.recorded_at,
        events.c.header,
        events.c.body,
        events.c.salt,
    )
    .where(*_BETWEEN)
    .order_by(events.c.position)
    .limit(bindparam("limit", type_=BigInteger))
)
_stored = RowQuery(
    select(events.c.header, events.c.body, events.c.salt)
    .where(*_BETWEEN)
    .order_by(events.c.position)
    .limit(bindparam("limit", type_=BigInteger))
)
_stored_of_stream = RowQuery(sql.read_stream)
_unsalted = RowQuery(
    select(events.c.header, events.c.body, events.c.position)
    .where(*_BETWEEN)
    .order_by(events.c.position)
    .limit(bindparam("limit", type_=BigInteger))
)
_last = select(func.max(events.c.position)).where(events.c.league == bindparam("league"))
_head = select(ledgers).where(ledgers.c.league == bindparam("league"))
_leagues = select(ledgers.c.league).order_by(ledgers.c.league)

_insert_head = insert(ledgers)


@contextmanager
def consistent_snapshot(connection: Connection) -> Generator[None]:
    """Let all statements of a reading connection see the database at one moment, that of the first.

    SQLite also accepts text that is not UTF-8. Invalid bytes in it are read as backslash escapes.
    """
    driver: Any = connection.connection.driver_connection
    if isinstance(driver, sqlite3.Connection):
        with _text_read_by(driver, _spelled_out), _rolled_back(connection, "BEGIN"):
            yield
    elif driver.is_in_transaction():  # the caller began it and ends it
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield
    else:
        with _rolled_back(connection, "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"):
            yield


@contextmanager
def _rolled_back(connection: Connection, begin: str) -> Generator[None]:
    connection.exec_driver_sql(begin)
    try:
        yield
    finally:
        connection.exec_driver_sql("ROLLBACK")


@contextmanager
def _text_read_by(driver: sqlite3.Connection, factory: Callable[[bytes], str]) -> Generator[None]:
    """Read text by `factory`. Later users of the connection get text as it was before."""
    before = driver.text_factory
    driver.text_factory = factory
    try:
        yield
    finally:
        driver.text_factory = before


def damage(connection: Connection) -> Iterator[str]:
    """Yield the first defects that SQLite itself finds in its file.

    They are at most three, since one damaged page makes SQLite list hundreds of others. For
    PostgreSQL this yields nothing: there, such checks are the server's business.
    """
    if connection.dialect.name != "sqlite":
        return
    told = False
    try:
        for each in _defects(connection, "integrity_check"):
            told = True
            yield each
    except DBAPIError:
        if told:
            raise
        # It stops where the rows or an index can't be read. This one looks at the pages alone.
        yield from _defects(connection, "quick_check")


def _defects(connection: Connection, check: str) -> Iterator[str]:
    for (found,) in connection.exec_driver_sql(f"PRAGMA {check}({_DAMAGES})"):
        lines = str(found).splitlines()
        yield from (line for line in lines if line != "ok" and not line.startswith("***"))


def _spelled_out(text: bytes) -> str:
    return text.decode(errors="backslashreplace")


StoredRow: TypeAlias = tuple[int, str, int, str, str, int, str, bytes, bytes | None, bytes | None]
"""A row of `events`, unchecked: the columns that repeat its header, then header, body and salt."""

Unsalted: TypeAlias = tuple[bytes, bytes | None, int]
"""A header, a body and a position, unchecked; the body is None if the content was erased."""


class HeadRow(msgspec.Struct, frozen=True):
    """A row of `ledgers`, unchecked."""

    league: str
    log: str
    size: int
    frontier: bytes
    opened_at: str
    recorded_at: str


def leagues_with_a_head(connection: Connection) -> list[str]:
    return list(connection.execute(_leagues).scalars())


def read_head(connection: Connection, league: str) -> HeadRow | None:
    row = connection.execute(_head, {"league": league}).one_or_none()
    return None if row is None else HeadRow(*row)


def lock_head(connection: Connection, league: str) -> HeadRow | None:
    """Return the head, None if there is none.

    Nobody else can take it until the transaction ends.
    """
    row = connection.execute(_head.with_for_update(), {"league": league}).one_or_none()
    return None if row is None else HeadRow(*row)


def read_parts(
    connection: Connection, league: str, *, after: int = BEFORE_ALL, until: int = EVERYTHING
) -> Iterator[Sequence[StoredRow]]:
    """Yield all rows of a league after position `after` up to `until`, PART at a time."""
    while part := _read_part(connection, league, after, until):
        yield part
        after, *_ = part[-1]


def _read_part(connection: Connection, league: str, after: int, until: int) -> Sequence[StoredRow]:
    read = partial(_part.rows, connection, league=league, after=after, until=until, limit=PART)
    driver: Any = connection.connection.driver_connection
    if isinstance(driver, sqlite3.Connection):
        # Spelling out takes a quarter of the time, and nearly every text is UTF-8. A part that has
        # another one is read again.
        with _text_read_by(driver, str), suppress(DBAPIError):
            return cast("Sequence[StoredRow]", read())
    return cast("Sequence[StoredRow]", read())


def read_unsalted_parts(
    connection: Connection, league: str, *, until: int = EVERYTHING
) -> Iterator[Sequence[Unsalted]]:
    """Yield the rows as `read_parts` does, without salt and all that repeats the header."""
    after = BEFORE_ALL
    while rows := _unsalted.rows(connection, league=league, after=after, until=until, limit=PART):
        yield cast("Sequence[Unsalted]", rows)
        after = rows[-1][2]


def last_position(connection: Connection, league: str) -> int:
    """Return the position of the last row, BEFORE_ALL if there is none.

    In a damaged database the size in the head row may differ.
    """
    last = connection.execute(_last, {"league": league}).scalar_one()
    return BEFORE_ALL if last is None else last


def read_stored(
    connection: Connection, league: str, after: int, until: int = EVERYTHING
) -> Sequence[Stored]:
    """Return header, body and salt of the rows after position `after` up to `until`, in order.

    They are at most PART rows.
    """
    rows = _stored.rows(connection, league=league, after=after, until=until, limit=PART)
    return cast("Sequence[Stored]", rows)


def stored_since(connection: Connection, league: str, after: int) -> list[Stored]:
    """Return header, body and salt of all rows after a position.

    They are plain tuples, which can be sent to another process. The positions must have no gaps.
    """
    found: list[Stored] = []
    while rows := read_stored(connection, league, after + len(found)):
        found += [(header, body, salt) for header, body, salt in rows]
    return found


def stored_of_stream(
    connection: Connection, league: str, stream: str, until: int | None
) -> Sequence[Stored]:
    """Return header, body and salt of a stream's rows up to version `until`; None: of all rows."""
    last = EVERYTHING if until is None else until
    rows = _stored_of_stream.rows(
        connection, league=league, stream=stream, after=0, until=last, limit=EVERYTHING
    )
    return cast("Sequence[Stored]", rows)


def named_log(header: bytes) -> str | None:
    """Return the log that a header names, None if the header can't be read."""
    try:
        return decode_header(header).log
    except UNREADABLE:
        return None


def misplaced(row: StoredRow, header: Header) -> list[Flaw]:
    """Return a flaw for each column of a row that differs from what its header says."""
    told = (
        header.position,
        header.stream,
        header.version,
        header.id.replace("-", ""),
        header.type,
        header.schema,
        header.time,
    )
    stands = row[:7]
    if stands == told:
        return []
    return [
        Flaw(
            "column-differs",
            f"The row of position {row[0]} has the {column} {found!r}; its header says {said!r}.",
            row[0],
            f"events.{column}",
        )
        for column, found, said in zip(_REPEATED, stands, told, strict=True)
        if found != said
    ]


def head_flaws(
    head: HeadRow, *, size: int, frontier: bytes, opened_at: str, recorded_at: str
) -> Iterator[Flaw]:
    """Yield a flaw for each column of a head row that differs from what its entries give."""
    for column, stands, found in (
        ("size", head.size, size),
        ("frontier", head.frontier.hex(), frontier.hex()),
        ("opened_at", head.opened_at, opened_at),
        ("recorded_at", head.recorded_at, recorded_at),
    ):
        if stands != found:
            yield Flaw(
                "head-differs",
                f"The head row has the {column} {stands!r}; the entries make it {found!r}.",
                None,
                f"ledgers.{column}",
            )


def write_entries(connection: Connection, entries: Sequence[Entry]) -> None:
    """Insert entries in the caller's transaction, which must insert the head, too, or roll back."""
    statements = sql.SQLITE if connection.dialect.name == "sqlite" else sql.POSTGRESQL
    rows = [statements.event_row(entry) for entry in entries]
    if rows:
        statements.insert_rows(connection, events, rows)


def write_head(
    connection: Connection,
    league: str,
    *,
    log: str,
    size: int,
    frontier: bytes,
    opened_at: str,
    recorded_at: str,
) -> None:
    """Insert the head row. The times are those of the first and of the last entry."""
    connection.execute(
        _insert_head,
        {
            "league": league,
            "log": log,
            "size": size,
            "frontier": frontier,
            "opened_at": opened_at,
            "recorded_at": recorded_at,
        },
    )
