"""A stored entry as it is answered."""

from typing import Any

import msgspec
from msgspec import UNSET

from scorekeeper.ledger.entry import Entry
from scorekeeper.service.views import EntryView

_decoder = msgspec.json.Decoder(dict[str, Any])


def entry_view(entry: Entry, event_index: int | None = None) -> EntryView:
    """`data` is read back from the bytes that were hashed, so that it shows what is stored."""
    data = None if entry.body is None else _decoder.decode(entry.body)
    at = None
    if data is not None:
        del data["type"]
        at = data.pop("at", None)
    return EntryView(
        version=entry.version,
        position=entry.position,
        id=entry.id,
        type=entry.type,
        data=data,
        inferred=entry.inferred,
        recorded_at=entry.time,
        recorded_by=entry.actor,
        at=at,
        hash=entry.hash,
        event_index=event_index,
        erased=True if data is None else UNSET,
    )
