"""An entry: a recorded event with its place, its time, its recorder and its hash.

A draft is the event before it has a place. The header is what is hashed: canonical JSON (RFC 8785),
kept byte for byte as it was written. Erasing the content of an entry deletes body and salt; the
header and all proofs stay.
"""

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec
from sqlalchemy import Connection, Executable

from scorekeeper.ledger.merkle_tree import leaf_hash

# Canonical JSON sorts its keys. The fields of Header are declared in that order.
encode_header = msgspec.json.Encoder().encode

CONTENT_ERASED: Final = "content_erased"
"""The type of the entry that tells of an erasure.

A reader that meets such an entry must drop what it folded from the ledger before.
"""


class Draft(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """An event to be recorded.

    `body` is canonical JSON and is stored and hashed as it is. Without an `id` the ledger makes one
    (a time-ordered UUIDv7). `told_by` is set for an inferred event. It is the index, among the
    drafts of the same decision, of the told event that the inferred one belongs to. The told event
    may come later in the decision.
    """

    stream: str
    type: str
    schema: int
    body: bytes
    id: str | None = None
    inferred: bool = False
    told_by: int | None = None


class Header(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The part of an entry that is hashed. Its fields are in the order of canonical JSON.

    `log` is the ledger's permanent name, `actor` the id of the token that recorded the entry.
    `digest` is the digest of the salted body. `prev` is the leaf hash of the stream's previous
    header (None at version 1). Both are in lower-case hex. `told_by` is the id of the told event
    that an inferred one belongs to. `time` is RFC 3339 in UTC with microseconds.
    """

    actor: str
    digest: str
    id: str
    inferred: bool
    log: str
    position: int
    prev: str | None
    schema: int
    stream: str
    time: str
    told_by: str | None
    type: str
    version: int


decode_header = msgspec.json.Decoder(Header).decode


class Entry(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One entry of a ledger; all but `body` and `salt` is read from the header that was hashed.

    `hash` is the header's leaf hash (RFC 9162) in lower-case hex. `body` and `salt` are None if the
    content was erased. `told_by` is the id of the told event that an inferred one belongs to,
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
    """Return the entry with this header. `stored` is the encoded header, `leaf` its leaf hash."""
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
    """Return the entries that a statement selects as header, body and salt.

    The parameter `league` names the league of all these entries.
    """
    league = str(parameters["league"])
    return [read_entry(league, *row) for row in connection.execute(statement, parameters)]


def read_entry(league: str, stored: bytes, body: bytes | None, salt: bytes | None) -> Entry:
    """Return the entry of a row; `stored` is its header."""
    return make_entry(league, decode_header(stored), stored, leaf_hash(stored), body, salt)


class ErasureTarget(msgspec.Struct, frozen=True, kw_only=True):
    """The place of an entry whose content is erased."""

    stream: str
    version: int
    position: int


def first_erased(places: Iterable[ErasureTarget]) -> dict[str, int]:
    """Return the lowest version at these places, by stream."""
    first: dict[str, int] = {}
    for place in places:
        first[place.stream] = min(place.version, first.get(place.stream, place.version))
    return first


def without_content(entries: Iterable[Entry], positions: frozenset[int]) -> list[Entry]:
    """Return the entries, those at `positions` without body and salt."""
    return [
        msgspec.structs.replace(entry, body=None, salt=None)
        if entry.position in positions
        else entry
        for entry in entries
    ]
