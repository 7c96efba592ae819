"""What of a match's entries can be checked without its rules: chain, digests, versions, places."""

from collections.abc import Sequence

import msgspec

from scorekeeper.ledger.entries.entry import Entry
from scorekeeper.ledger.entries.header import decode_header, encode_header
from scorekeeper.ledger.hashing.hashes import body_digest, leaf_hash


class Checked(msgspec.Struct, frozen=True):
    """`first_bad`: the first version at which something does not hold; None: all of it does."""

    check: str
    first_bad: int | None = None


def chain(entries: Sequence[Entry]) -> Checked:
    """Each header is canonical and links to the one before it as it stands."""
    link: str | None = None
    for entry in entries:
        header = decode_header(entry.header)
        if header.prev != link or encode_header(header) != entry.header:
            return Checked("chain", entry.version)
        link = leaf_hash(entry.header).hex()
    return Checked("chain")


def contents(entries: Sequence[Entry]) -> Checked:
    """Each body that was not erased fits the digest in its header."""
    for entry in entries:
        if entry.body is None or entry.salt is None:
            if entry.body is not entry.salt:
                return Checked("contents", entry.version)
        elif body_digest(entry.salt, entry.body).hex() != decode_header(entry.header).digest:
            return Checked("contents", entry.version)
    return Checked("contents")


def contiguity(entries: Sequence[Entry]) -> Checked:
    """Versions count from 1 without gaps, positions and times only grow."""
    last: Entry | None = None
    for version, entry in enumerate(entries, start=1):
        behind = last is not None and (entry.position <= last.position or entry.time < last.time)
        if entry.version != version or behind:
            return Checked("contiguity", version)
        last = entry
    return Checked("contiguity")
