"""The part of consecutive entries that a fold needs: bodies, and who told them."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import ARRAY, BigInteger, Connection, Text, bindparam, func, select

from scorekeeper.ledger.reading.row_query import RowQuery
from scorekeeper.ledger.tables import events
from scorekeeper.ledger.writing.statements import EVERYTHING


class Contents(NamedTuple):
    """Entries of one stream by version.

    `bodies` is a JSON array of their bodies as they were recorded, null where one was erased;
    `inferred` says of each whether nobody told it. `version` and `position` are the last one's, 0
    where there are none.
    """

    bodies: bytes
    inferred: list[bool]
    version: int
    position: int


class _HeaderPlace(msgspec.Struct, gc=False):
    position: int
    version: int


_decode_place = msgspec.json.Decoder(_HeaderPlace).decode
# So it stands in canonical JSON, and nowhere within a text, whose quotation marks are escaped.
_INFERRED: Final = b'"inferred":true'

_read = RowQuery(
    select(events.c.header, events.c.body)
    .where(
        events.c.league == bindparam("league", type_=Text),
        events.c.stream == bindparam("stream", type_=Text),
        events.c.version > bindparam("after", type_=BigInteger),
        events.c.version <= bindparam("until", type_=BigInteger),
    )
    .order_by(events.c.version)
)
_known = (
    func.unnest(
        bindparam("streams", type_=ARRAY(Text)), bindparam("versions", type_=ARRAY(BigInteger))
    )
    .table_valued("stream", "version")
    .render_derived(name="known")
)
_read_since = RowQuery(
    select(events.c.header, events.c.body, events.c.stream)
    .join_from(_known, events, events.c.stream == _known.c.stream)
    .where(
        events.c.league == bindparam("league", type_=Text),
        events.c.version > _known.c.version,
    )
    .order_by(events.c.stream, events.c.version)
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


def read_contents(
    connection: Connection, league: str, stream: str, after: int = 0, until: int = EVERYTHING
) -> Contents:
    """The entries of a stream from the one after version `after` up to `until`."""
    return _contents(_read.rows(connection, league=league, stream=stream, after=after, until=until))


def read_contents_since(
    connection: Connection, league: str, after: Mapping[str, int]
) -> Sequence[tuple[int, Contents]]:
    """Of each stream how many entries are erased, and those after the version named with it.

    By two statements where a server has to be asked.
    """
    # Read first, so that it is never ahead of the entries.
    parameters = {"league": league, "streams": list(after)}
    counts = connection.execute(_count_erased_of, parameters).all()
    erased: dict[str, int] = {row[0]: row[1] for row in counts}
    if connection.dialect.name == "sqlite":
        new = [read_contents(connection, league, *each) for each in after.items()]
    else:
        versions = list(after.values())
        rows = _read_since.rows(connection, **parameters, versions=versions)
        found = {stream: list(own) for stream, own in groupby(rows, _stream_of)}
        new = [_contents(found.get(stream, ())) for stream in after]
    return [(erased.get(stream, 0), contents) for stream, contents in zip(after, new, strict=True)]


def _contents(rows: Sequence[Sequence[Any]]) -> Contents:
    """Of rows that begin with header and body."""
    bodies = [row[1] or b"null" for row in rows]
    # A third of the time of `in`, which first tries to take the bytes for a number.
    inferred = [row[0].rfind(_INFERRED) >= 0 for row in rows]
    last = _decode_place(rows[-1][0]) if rows else _HeaderPlace(0, 0)
    return Contents(b"[" + b",".join(bodies) + b"]", inferred, last.version, last.position)
