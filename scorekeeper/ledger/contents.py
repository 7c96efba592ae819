"""What a fold needs of entries that follow on each other, and nothing else of them."""

from typing import NamedTuple

import msgspec
from sqlalchemy import BigInteger, Connection, Text, bindparam, select

from scorekeeper.ledger.rows import RowQuery
from scorekeeper.ledger.statements import EVERYTHING
from scorekeeper.ledger.tables import events


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


class _Mark(msgspec.Struct, gc=False):
    inferred: bool
    position: int
    version: int


_decode_mark = msgspec.json.Decoder(_Mark).decode

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


def read_contents(
    connection: Connection, league: str, stream: str, after: int = 0, until: int = EVERYTHING
) -> Contents:
    """The entries of a stream from the one after version `after` up to `until`."""
    rows = _read.rows(connection, league=league, stream=stream, after=after, until=until)
    bodies = [b"null" if body is None else body for _, body in rows]
    marks = [_decode_mark(header) for header, _ in rows]
    version, position = (marks[-1].version, marks[-1].position) if marks else (0, 0)
    inferred = [mark.inferred for mark in marks]
    return Contents(b"[" + b",".join(bodies) + b"]", inferred, version, position)
