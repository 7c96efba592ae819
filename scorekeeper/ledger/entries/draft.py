"""A draft: an event that a decision wants recorded, before it has a place in the ledger."""

import msgspec


class Draft(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """An event to be recorded.

    `body` is canonical JSON and is stored and hashed as it is. Without an `id` the ledger makes one
    (a time-ordered UUIDv7). `told_by` is the index, among the drafts of the same decision, of the
    told event that an inferred one belongs to; it may stand after it.
    """

    stream: str
    type: str
    schema: int
    body: bytes
    id: str | None = None
    inferred: bool = False
    told_by: int | None = None
