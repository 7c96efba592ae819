"""Splitting past matches into requests that the service accepts."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeVar

import msgspec

from scorekeeper.match.events.events import ToldEvent
from scorekeeper.match.events.fields import MOST_EVENTS
from scorekeeper.service.imports.past_matches import PastMatch

E = TypeVar("E", bound=ToldEvent)

_MOST_BYTES: Final = 900_000
"""Of all that stands in a request, with some room below the mebibyte that a body may have."""


class PastRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Matches that are brought in by one request.

    `body`: of the request, encoded. `rests`: events of the last match that did not go into it, as
    many at a time as a request takes.
    """

    matches: list[PastMatch]
    body: msgspec.Raw
    rests: list[tuple[ToldEvent, ...]]


def requests(league: str, matches: Iterable[PastMatch]) -> Iterator[PastRequest]:
    """The matches in their order, as few requests as can be."""
    for part in parts(match.with_ids(league) for match in matches):
        told: list[dict[str, object]] = []
        rests: list[tuple[ToldEvent, ...]] = []
        for match in part:
            opening = {"match": match.match, **msgspec.to_builtins(match.opening)}
            first, *others = pieces(match.events)
            told.append({**opening, "events": first})
            rests += others
        body = msgspec.Raw(msgspec.json.encode({"matches": told}))
        yield PastRequest(matches=part, body=body, rests=rests)


def parts(matches: Iterable[PastMatch]) -> Iterator[list[PastMatch]]:
    """The matches in their order, as many at a time as one request takes.

    Of one that is too long it takes the first piece; that match is the last of its part.
    """
    part: list[PastMatch] = []
    events = size = 0
    for match in matches:
        first = next(pieces(match.events))
        own = _size(match.opening) + _size(first)
        if part and (events + len(first) > MOST_EVENTS or size + own > _MOST_BYTES):
            yield part
            part, events, size = [], 0, 0
        part.append(match)
        events += len(first)
        size += own
        if len(first) < len(match.events):
            yield part
            part, events, size = [], 0, 0
    if part:
        yield part


def pieces(events: Sequence[E]) -> Iterator[tuple[E, ...]]:
    """The events in their order, as many at a time as one request takes."""
    if len(events) <= MOST_EVENTS and _size(events) <= _MOST_BYTES:
        yield tuple(events)
        return
    piece: list[E] = []
    size = 0
    for event in events:
        own = _size(event)
        if len(piece) == MOST_EVENTS or size + own > _MOST_BYTES:
            yield tuple(piece)
            piece, size = [], 0
        piece.append(event)
        size += own
    yield tuple(piece)


def _size(told: object) -> int:
    """Bytes on the wire, and a few for what stands around it."""
    return len(msgspec.json.encode(told)) + 100
