"""An entry: a recorded event with its place, its time, its recorder and its hash."""

from collections.abc import Mapping

import msgspec
from sqlalchemy import Connection, Executable

from scorekeeper.ledger.entries.header import Header, decode_header
from scorekeeper.ledger.hashing.hashes import leaf_hash


class Entry(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One entry of a ledger; all but `body` and `salt` is read from the header that was hashed.

    `hash` is the header's leaf hash (RFC 9162) in lower-case hex. `body` and `salt` are None where
    the content was erased. `told_by` is the id of the told event that an inferred one belongs to,
    `actor` the id of the token that recorded it, `time` RFC 3339 text in UTC with microseconds.
    """

    league: str
    stream: str
    version: int
    position: int
    id: str
    type: str
    schema: int
    header: bytes
    hash: str
    body: bytes | None
    salt: bytes | None
    inferred: bool
    told_by: str | None
    time: str
    actor: str


def make_entry(
    league: str, header: Header, stored: bytes, leaf: bytes, body: bytes | None, salt: bytes | None
) -> Entry:
    """The entry of a header; `stored` is the header as it was encoded, and hashed to `leaf`."""
    return Entry(
        league=league,
        stream=header.stream,
        version=header.version,
        position=header.position,
        id=header.id,
        type=header.type,
        schema=header.schema,
        header=stored,
        hash=leaf.hex(),
        body=body,
        salt=salt,
        inferred=header.inferred,
        told_by=header.told_by,
        time=header.time,
        actor=header.actor,
    )


def read_entries(
    connection: Connection, statement: Executable, parameters: Mapping[str, object]
) -> list[Entry]:
    """The entries of a statement that selects header, body and salt; its `league` is theirs."""
    league = str(parameters["league"])
    return [read_entry(league, *row) for row in connection.execute(statement, parameters)]


def read_entry(league: str, stored: bytes, body: bytes | None, salt: bytes | None) -> Entry:
    """The entry of a row; `stored` is its header."""
    return make_entry(league, decode_header(stored), stored, leaf_hash(stored), body, salt)
