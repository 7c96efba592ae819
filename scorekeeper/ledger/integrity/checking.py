"""Checking a ledger from its entries alone: order, chains, digests and tree."""

from collections.abc import Iterable
from typing import Final, TypeAlias

import msgspec

from scorekeeper.ledger.entry import Entry, Header, decode_header, encode_header
from scorekeeper.ledger.merkle_tree import TreeBuilder, body_digest, leaf_hash

_NOTHING: Final = (0, None, 0)

UNREADABLE: Final = (msgspec.DecodeError, UnicodeError, RecursionError)
"""What decoding raises of bytes that nobody here wrote: a RecursionError if they nest too deep."""

Stored = tuple[bytes, bytes | None, bytes | None]
"""A header, a body and a salt; body and salt are None if the content was erased."""

Decoded: TypeAlias = tuple[Header | Entry, bytes | None]
"""A decoded header, or the entry that was made of it, and the body; None if it was erased."""


class Flaw(msgspec.Struct, frozen=True):
    """A defect that a check has found. `code` is stable, `detail` a sentence for people.

    `position` is that of the entry, None if the defect is not in a single entry. `place` names the
    table and column, or the member of a bundle.
    """

    code: str
    detail: str
    position: int | None = None
    place: str | None = None


def by_position(flaws: Iterable[Flaw]) -> list[Flaw]:
    """Return the flaws in the order of their positions. Those that have none come first."""
    return sorted(flaws, key=lambda flaw: flaw.position or 0)


def readable(rows: Iterable[tuple[bytes, bytes | None, object]]) -> list[Decoded]:
    """Decode rows that begin with header and body. One whose header can't be read is left out."""
    read: list[Decoded] = []
    for stored, body, _ in rows:
        try:
            header = decode_header(stored)
        except UNREADABLE:
            continue
        read.append((header, body))
    return read


class LedgerCheck:
    """Checks the entries of one ledger, which must come in order of position from the first.

    In memory it keeps a hash for some 255 entries, and the end of each stream: `ends` has the last
    version of a stream, that entry's hash in hexadecimal, and its position. `erased` lists the
    positions of erased entries.
    """

    def __init__(self, league: str, log: str) -> None:
        self.league = league
        self.log = log
        self.tree = TreeBuilder()
        self.erased: list[int] = []
        self.ends: dict[str, tuple[int, str, int]] = {}
        self._time = ""

    @property
    def size(self) -> int:
        """The number of entries taken so far, unreadable ones included."""
        return self.tree.size

    def take(self, rows: Iterable[Stored]) -> tuple[list[Flaw], list[Header | None]]:
        """Check the next rows. Return their flaws, and the header of each.

        A header that can't be read is None. It is still a leaf of the tree.
        """
        found = _Found()
        leaves: list[bytes] = []
        headers: list[Header | None] = []
        for position, (stored, body, salt) in enumerate(rows, start=self.tree.size + 1):
            leaf = leaf_hash(stored)
            leaves.append(leaf)
            try:
                header = decode_header(stored)
            except UNREADABLE as error:
                found.add("header-unreadable", position, f"can't be read: {error}")
                headers.append(None)
                continue
            self._check(found, position, header)
            if encode_header(header) != stored:
                found.add("header-not-canonical", position, "has a header that is not canonical")
            self.ends[header.stream] = (header.version, leaf.hex(), position)
            if body is None:
                self.erased.append(position)
            _check_content(found, position, header, body, salt)
            headers.append(header)
        self.tree.add(leaves)
        return found.flaws, headers

    def _check(self, found: "_Found", position: int, header: Header) -> None:
        version, link, end = self.ends.get(header.stream, _NOTHING)
        if header.position != position:
            found.add("position-gap", position, f"says that its position is {header.position}")
        if header.log != self.log:
            found.add("log-other", position, f"belongs to the log {header.log}")
        if header.version != version + 1:
            what = f"has version {header.version} of {header.stream}, after version {version}"
            found.add("version-gap", position, what)
        if header.prev != link:
            # Either of the two may have been changed, so both are named.
            at = f" at position {end}" if end else ""
            what = f"does not link to version {version} of {header.stream} as it stands{at}"
            found.add("chain-broken", position, what)
        if header.time < self._time:
            found.add("time-backwards", position, f"was recorded at {header.time}, too early")
        else:
            self._time = header.time


def _check_content(
    found: "_Found", position: int, header: Header, body: bytes | None, salt: bytes | None
) -> None:
    if body is not None and salt is not None:
        if body_digest(salt, body).hex() != header.digest:
            found.add("digest-mismatch", position, "has content that its digest does not fit")
    elif body is not None or salt is not None:
        found.add("content-torn", position, "has only one of body and salt")


class _Found:
    def __init__(self) -> None:
        self.flaws: list[Flaw] = []

    def add(self, code: str, position: int, what: str) -> None:
        self.flaws.append(Flaw(code, f"The entry at position {position} {what}.", position))
