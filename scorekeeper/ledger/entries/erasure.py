"""Erasing the content of entries: body and salt are deleted, the header and all proofs stay."""

from collections.abc import Iterable
from typing import Final

import msgspec

from scorekeeper.ledger.entries.entry import Entry

CONTENT_ERASED: Final = "content_erased"
"""The type of the entry that tells of an erasure.

Whoever meets one must forget what was folded from the ledger before it.
"""


class ErasureTarget(msgspec.Struct, frozen=True, kw_only=True):
    """Where an entry stands."""

    stream: str
    version: int
    position: int


def without_content(entries: Iterable[Entry], positions: frozenset[int]) -> list[Entry]:
    """The entries, with nothing left in those at these positions."""
    return [
        msgspec.structs.replace(entry, body=None, salt=None)
        if entry.position in positions
        else entry
        for entry in entries
    ]
