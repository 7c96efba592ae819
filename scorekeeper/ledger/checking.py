"""Checking a ledger from its entries alone: order, chains, digests and tree."""

from collections.abc import Iterable

import msgspec

from scorekeeper.ledger.entry import Entry, make_entry
from scorekeeper.ledger.grown_tree import GrownTree
from scorekeeper.ledger.hashes import body_digest, leaf_hash
from scorekeeper.ledger.header import Header, decode_header, encode_header

Stored = tuple[bytes, bytes | None, bytes | None]
"""A header, a body and a salt; body and salt are None where the content was erased."""


class Flaw(msgspec.Struct, frozen=True):
    """Something that does not hold. `code` is stable, `detail` a sentence for people.

    `position` is the entry's, None where no one entry is to blame; `place` names the table and
    column, or the member of a bundle.
    """

    code: str
    detail: str
    position: int | None = None
    place: str | None = None


class LedgerCheck:
    """Checks the entries of one ledger, which are taken by position from the first.

    In memory it keeps a hash for some 255 entries and the end of each stream: `ends` has its last
    version, that entry's hash in hexadecimal, and its position. `erased` lists positions.
    """

    def __init__(self, league: str, log: str) -> None:
        self.league = league
        self.log = log
        self.tree = GrownTree()
        self.erased: list[int] = []
        self.ends: dict[str, tuple[int, str, int]] = {}
        self._time = ""

    @property
    def size(self) -> int:
        """How many entries were taken."""
        return self.tree.size

    def take(self, rows: Iterable[Stored]) -> tuple[list[Entry], list[Flaw]]:
        """The entries of the next rows, and what is wrong with them.

        A header that can't be read makes no entry, but keeps its place in the tree.
        """
        entries: list[Entry] = []
        flaws: list[Flaw] = []
        for stored, body, salt in rows:
            leaf = leaf_hash(stored)
            self.tree.add(leaf)
            position = self.tree.size
            try:
                header = decode_header(stored)
            except (msgspec.DecodeError, UnicodeError) as error:
                flaws.append(_flaw("header-unreadable", position, f"can't be read: {error}"))
                continue
            flaws += self._check(position, header, stored, body, salt)
            self.ends[header.stream] = (header.version, leaf.hex(), position)
            self._time = max(self._time, header.time)
            if body is None:
                self.erased.append(position)
            entries.append(make_entry(self.league, header, stored, body, salt))
        return entries, flaws

    def _check(
        self, position: int, header: Header, stored: bytes, body: bytes | None, salt: bytes | None
    ) -> Iterable[Flaw]:
        version, link, _ = self.ends.get(header.stream, (0, None, 0))
        if header.position != position:
            yield _flaw("position-gap", position, f"says that its position is {header.position}")
        if header.log != self.log:
            yield _flaw("log-other", position, f"belongs to the log {header.log}")
        if header.version != version + 1:
            yield _flaw(
                "version-gap",
                position,
                f"has version {header.version} of {header.stream}, after version {version}",
            )
        if header.prev != link:
            yield _flaw(
                "chain-broken",
                position,
                f"does not link to version {version} of {header.stream} as it stands",
            )
        if header.time < self._time:
            yield _flaw("time-backwards", position, f"was recorded at {header.time}, too early")
        if encode_header(header) != stored:
            yield _flaw("header-not-canonical", position, "has a header that is not canonical")
        if (body is None) != (salt is None):
            yield _flaw("content-torn", position, "has only one of body and salt")
        if body is None or salt is None:
            return
        if body_digest(salt, body).hex() != header.digest:
            yield _flaw("digest-mismatch", position, "has content that its digest does not fit")


def _flaw(code: str, position: int, what: str) -> Flaw:
    return Flaw(code, f"The entry at position {position} {what}.", position)
