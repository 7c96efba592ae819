"""A stored entry as it is answered."""

from typing import Any, TypeAlias, cast

import msgspec
from msgspec import UNSET

from scorekeeper.ledger.entries.entry import Entry
from scorekeeper.match.events.events import decode_written, encode
from scorekeeper.match.readings.viewer_fold import VisibilityHorizon, shown
from scorekeeper.service.views import EntryView

_Object: TypeAlias = dict[str, Any]

_decoder = msgspec.json.Decoder(_Object)


def entry_view(
    entry: Entry, event_index: int | None = None, *, ends: VisibilityHorizon | None = None
) -> EntryView:
    """`data` is read back from the bytes that were hashed, so that it shows what is stored.

    `ends`: where a viewer's sight of the match ends; None for those who see all.
    """
    data = None if entry.body is None else _data(entry.body, entry.version, ends)
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


def _data(body: bytes, version: int, ends: VisibilityHorizon | None) -> _Object:
    stored = _decoder.decode(body)
    if ends is None:
        return stored
    event = decode_written(body)
    left = shown(event, version, ends)
    return stored if left is event else naming(stored, _decoder.decode(encode(left)))


def naming(whole: _Object, left: _Object) -> _Object:
    """What is left of a document, each object naming in `redacted` what it has lost."""
    named = {name: _naming(whole.get(name), value) for name, value in left.items()}
    lost = [name for name in whole if name not in left]
    return {**named, "redacted": lost} if lost else named


def _naming(whole: object, left: object) -> object:
    if isinstance(whole, dict) and isinstance(left, dict):
        return naming(cast("_Object", whole), cast("_Object", left))
    if isinstance(whole, list) and isinstance(left, list):
        pairs = zip(cast("list[object]", whole), cast("list[object]", left), strict=True)
        return [_naming(one, other) for one, other in pairs]
    return left
