"""Reading the log: what a fold needs of streams, their last times, and entries in parts.

Many rows are read by a RowQuery, whose rows come back as the driver's own tuples. Since an entry
may have a megabyte, whole entries are read in pages of bounded size.
"""

import json
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    Connection,
    FromClause,
    SelectBase,
    Text,
    any_,
    bindparam,
    func,
    select,
)
from sqlalchemy.exc import DBAPIError
from sqlalchemy.util import await_only

from scorekeeper.ledger.entry import Entry, Header, decode_header, read_entry
from scorekeeper.ledger.tables import events
from scorekeeper.ledger.writing import statements as sql
from scorekeeper.ledger.writing.statements import EVERYTHING

# Canonical JSON writes the field like this. A text can't contain it, since it escapes the quotation
# marks.
_INFERRED: Final = b'"inferred":true'
_known_versions = (
    func.unnest(
        bindparam("streams", type_=ARRAY(Text)), bindparam("versions", type_=ARRAY(BigInteger))
    )
    .table_valued("stream", "version")
    .render_derived(name="known")
)
_count_erased_of = (
    select(events.c.stream, func.count())
    .where(
        events.c.league == bindparam("league", type_=Text),
        events.c.stream.in_(bindparam("streams", expanding=True)),
        events.c.body.is_(None),
    )
    .group_by(events.c.stream)
)
_stream_of: Final = itemgetter(2)

_streams_on_sqlite = func.json_each(bindparam("streams", type_=Text)).table_valued(
    "value", name="named"
)
_streams_on_postgresql = (
    func.unnest(bindparam("streams", type_=ARRAY(Text)))
    .table_valued("stream")
    .render_derived(name="named")
)

PART_BYTES: Final = 1 << 20
"""The most bytes of bodies in one page. An entry with a longer body makes a page alone."""

_sizes_of_stream = (
    select(events.c.version, func.length(events.c.body))
    .where(
        events.c.league == bindparam("league"),
        events.c.stream == bindparam("stream"),
        events.c.version > bindparam("after", type_=BigInteger),
        events.c.version <= bindparam("until", type_=BigInteger),
    )
    .order_by(events.c.version)
    .limit(bindparam("limit", type_=BigInteger))
)
_sizes_of_ledger = (
    select(events.c.position, func.length(events.c.body))
    .where(
        events.c.league == bindparam("league"),
        events.c.position > bindparam("after", type_=BigInteger),
    )
    .order_by(events.c.position)
    .limit(bindparam("limit", type_=BigInteger))
)


class RowQuery:
    """A SELECT that is sent to the driver as text. Its rows are the driver's own tuples.

    SQLAlchemy's processing of each row and each statement costs as much as all that the ledger
    does with an entry. The values must need no conversion: text, integers and bytes.
    Raises DBAPIError, as SQLAlchemy does.
    """

    def __init__(self, select: SelectBase) -> None:
        self._select = select
        self._compiled: dict[str, tuple[str, Sequence[str], dict[str, object]]] = {}

    def rows(self, connection: Connection, **parameters: object) -> Sequence[Sequence[Any]]:
        """Return all rows of the statement."""
        text, names, defaults = self._in_words_of(connection)
        known = defaults | parameters
        values = tuple(known[name] for name in names)
        driver = connection.connection.driver_connection
        if isinstance(driver, sqlite3.Connection):
            return _of_sqlite(driver, text, values)
        return _of_asyncpg(connection, text, values)

    def _in_words_of(self, connection: Connection) -> tuple[str, Sequence[str], dict[str, object]]:
        dialect = connection.dialect
        known = self._compiled.get(dialect.name)
        if known is None:
            compiled = self._select.compile(dialect=dialect)
            known = str(compiled), tuple(compiled.positiontup or ()), dict(compiled.params)
            self._compiled[dialect.name] = known
        return known


def _of_sqlite(
    driver: sqlite3.Connection, text: str, values: tuple[object, ...]
) -> Sequence[Sequence[Any]]:
    try:
        return driver.execute(text, values).fetchall()
    except sqlite3.Error as error:
        raise DBAPIError(text, None, error) from error


def _of_asyncpg(
    connection: Connection, text: str, values: tuple[object, ...]
) -> Sequence[Sequence[Any]]:
    driver: Any = connection.connection.driver_connection
    try:
        rows: Sequence[Sequence[Any]] = await_only(driver.fetch(text, *values))
    except Exception as error:
        raise DBAPIError(text, None, error) from error
    return rows


class Contents(NamedTuple):
    """What a fold needs of entries of one stream, in order of version.

    `bodies` is a JSON array of their bodies as they were recorded, with null for an erased one.
    `inferred` has for each entry whether the service inferred it. `version` and `position` are
    those of the last entry, 0 if there are no entries.
    """

    bodies: bytes
    inferred: list[bool]
    version: int
    position: int


class _HeaderPlace(msgspec.Struct, gc=False):
    position: int
    version: int


_decode_place = msgspec.json.Decoder(_HeaderPlace).decode

_contents_of_stream = RowQuery(
    select(events.c.header, events.c.body)
    .where(
        events.c.league == bindparam("league", type_=Text),
        events.c.stream == bindparam("stream", type_=Text),
        events.c.version > bindparam("after", type_=BigInteger),
        events.c.version <= bindparam("until", type_=BigInteger),
    )
    .order_by(events.c.version)
)
_contents_since = RowQuery(
    select(events.c.header, events.c.body, events.c.stream)
    .join_from(_known_versions, events, events.c.stream == _known_versions.c.stream)
    .where(
        events.c.league == bindparam("league", type_=Text),
        events.c.version > _known_versions.c.version,
    )
    .order_by(events.c.stream, events.c.version)
)


def read_contents(
    connection: Connection, league: str, stream: str, after: int = 0, until: int = EVERYTHING
) -> Contents:
    """Return the contents of a stream after version `after`, up to and including `until`."""
    return _contents(
        _contents_of_stream.rows(connection, league=league, stream=stream, after=after, until=until)
    )


def read_contents_since(
    connection: Connection, league: str, after: Mapping[str, int]
) -> Sequence[tuple[int, Contents]]:
    """Return for each stream how many of its entries are erased, and its contents after a version.

    `after` maps each stream to that version. On a server this takes two statements.
    """
    # The counts are read first: so they never include an erasure that the contents don't show yet.
    parameters = {"league": league, "streams": list(after)}
    counts = connection.execute(_count_erased_of, parameters).all()
    erased: dict[str, int] = {row[0]: row[1] for row in counts}
    if connection.dialect.name == "sqlite":
        new = [read_contents(connection, league, *each) for each in after.items()]
    else:
        versions = list(after.values())
        rows = _contents_since.rows(connection, **parameters, versions=versions)
        found = {stream: list(own) for stream, own in groupby(rows, _stream_of)}
        new = [_contents(found.get(stream, ())) for stream in after]
    return [(erased.get(stream, 0), contents) for stream, contents in zip(after, new, strict=True)]


def _contents(rows: Sequence[Sequence[Any]]) -> Contents:
    """Return the contents of rows that begin with header and body."""
    bodies = [row[1] or b"null" for row in rows]
    # This takes a third of the time of `in`, which first tries to read the bytes as a number.
    inferred = [row[0].rfind(_INFERRED) >= 0 for row in rows]
    last = _decode_place(rows[-1][0]) if rows else _HeaderPlace(0, 0)
    return Contents(b"[" + b",".join(bodies) + b"]", inferred, last.version, last.position)


def _last_time_of_each(streams: FromClause, stream: ColumnElement[str]) -> SelectBase:
    """Select the time of each stream's last entry.

    The streams are looked up one by one. The cost of an aggregate over all their entries would
    grow with the length of the streams.
    """
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


ON_SQLITE: Final = _last_time_of_each(_streams_on_sqlite, _streams_on_sqlite.c.value)
_times_on_sqlite: Final = RowQuery(ON_SQLITE)
_times_on_postgresql: Final = RowQuery(
    _last_time_of_each(_streams_on_postgresql, _streams_on_postgresql.c.stream)
)


def last_recorded(
    connection: Connection, league: str, streams: Collection[str]
) -> Mapping[str, str | None]:
    """Return when the last entry of each stream was recorded, None for one without entries."""
    if connection.dialect.name == "sqlite":
        rows = _times_on_sqlite.rows(connection, league=league, streams=json.dumps(list(streams)))
    else:
        rows = _times_on_postgresql.rows(connection, league=league, streams=list(streams))
    return {row[0]: row[1] for row in rows}


_entries_of_stream = RowQuery(sql.read_stream)


def read_stream(
    connection: Connection, league: str, stream: str, after: int, until: int, limit: int
) -> list[Entry]:
    """Return a stream's entries after version `after`, up to and including `until`, in order.

    They are at most `limit`.
    """
    rows = _entries_of_stream.rows(
        connection, league=league, stream=stream, after=after, until=until, limit=limit
    )
    return [read_entry(league, *row) for row in rows]


_headers_of_stream = select(events.c.header).where(
    events.c.league == bindparam("league", type_=Text),
    events.c.stream == bindparam("stream", type_=Text),
)
_versions_on_sqlite = func.json_each(bindparam("versions", type_=Text)).table_valued("value")
HEADERS_ON_SQLITE: Final = _headers_of_stream.where(
    events.c.version.in_(select(_versions_on_sqlite.c.value))
)
_headers_on_sqlite: Final = RowQuery(HEADERS_ON_SQLITE)
_headers_on_postgresql: Final = RowQuery(
    _headers_of_stream.where(
        events.c.version == any_(bindparam("versions", type_=ARRAY(BigInteger)))
    )
)


def read_headers(
    connection: Connection, league: str, stream: str, versions: Collection[int]
) -> list[Header]:
    """Return the headers of a stream's entries with these versions, in any order."""
    about = {"league": league, "stream": stream}
    if connection.dialect.name == "sqlite":
        rows = _headers_on_sqlite.rows(connection, **about, versions=json.dumps(list(versions)))
    else:
        rows = _headers_on_postgresql.rows(connection, **about, versions=list(versions))
    return [decode_header(row[0]) for row in rows]


class EntryPage(NamedTuple):
    """Entries in their order. `more`: whether other entries follow."""

    entries: list[Entry]
    more: bool


def read_stream_page(
    connection: Connection, league: str, stream: str, after: int, until: int, limit: int
) -> EntryPage:
    """Return a page of a stream's entries after version `after`, up to and including `until`.

    They are in order of version, at most `limit`.
    """
    about = {"league": league, "stream": stream, "after": after}
    sizes = connection.execute(
        _sizes_of_stream, {**about, "until": until, "limit": limit + 1}
    ).all()
    if not sizes:
        return EntryPage([], more=False)
    last, more = _end_of_page(sizes, limit)
    return EntryPage(read_stream(connection, league, stream, after, last, limit), more)


def read_ledger_page(connection: Connection, league: str, after: int, limit: int) -> EntryPage:
    """Return a page of a ledger's entries after position `after`, in order, at most `limit`."""
    about = {"league": league, "after": after}
    sizes = connection.execute(_sizes_of_ledger, {**about, "limit": limit + 1}).all()
    if not sizes:
        return EntryPage([], more=False)
    last, more = _end_of_page(sizes, limit)
    return EntryPage(sql.read_between(connection, league, after, last), more)


def _end_of_page(sizes: Sequence[Any], limit: int) -> tuple[int, bool]:
    """Return the last version or position of the page, and whether other entries follow."""
    read = 0
    last = 0
    for count, (place, length) in enumerate(sizes):
        read += length or 0
        if count == limit or (count and read > PART_BYTES):
            return last, True
        last = place
    return last, False
