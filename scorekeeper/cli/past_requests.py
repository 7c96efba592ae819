"""Matches of the past, cut into requests that the service takes."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from scorekeeper.cli.past_matches import PastMatch
from scorekeeper.match.events import TableEvent
from scorekeeper.match.fields import MOST_EVENTS

_MOST_BYTES: Final = 900_000
"""Of all that stands in a request, with some room below the mebibyte that a body may have."""


class PastRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Matches that are brought in by one request, from as many rows as `rounds` says.

    `body`: of the request, encoded. `rests`: events that did not go into it, by match, as many at a
    time as a request takes.
    """

    body: msgspec.Raw
    rests: list[tuple[str, tuple[TableEvent, ...]]]
    rounds: int


def requests(league: str, matches: Iterable[PastMatch]) -> Iterator[PastRequest]:
    """The matches in their order, as few requests as can be."""
    for part in parts(match.with_ids(league) for match in matches):
        told: list[dict[str, object]] = []
        rests: list[tuple[str, tuple[TableEvent, ...]]] = []
        for match in part:
            opening = {"match": match.match, **msgspec.to_builtins(match.opening)}
            first, *others = pieces(match.events)
            told.append({**opening, "events": first})
            rests += [(match.match, rest) for rest in others]
        yield PastRequest(
            body=msgspec.Raw(msgspec.json.encode({"matches": told})),
            rests=rests,
            rounds=sum(match.rounds for match in part),
        )


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


def pieces(events: Sequence[TableEvent]) -> Iterator[tuple[TableEvent, ...]]:
    """The events in their order, as many at a time as one request takes."""
    if len(events) <= MOST_EVENTS and _size(events) <= _MOST_BYTES:
        yield tuple(events)
        return
    piece: list[TableEvent] = []
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
