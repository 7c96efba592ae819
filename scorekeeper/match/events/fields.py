"""The types of the fields that events and openings are made of, with the bounds of the wire.

At the end stands `Told`, the fields that every event that the table tells has in common. No event
can refer back to itself, so that the collector need not look at any (`gc=False`).
"""

from datetime import UTC, datetime
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta, Struct
from typing_extensions import TypeVar

from scorekeeper.rules.cards import Card, Color

SLUG: Final = "^[a-z0-9][a-z0-9-]{0,62}$(?!\\n)"
"""In Python, whose `$` also stands before a line break at the end, and in ECMAScript alike."""
MOST_IN_SLUG: Final = 63
"""Characters."""
MOST_NAMES: Final = 64
"""How many players a list may name before it is malformed rather than refused."""
MOST_EVENTS: Final = 1_000
"""How many events can be told at once."""
MOST_VERSIONS: Final = 2**53
"""Beyond this, JSON's numbers are not exact everywhere."""

Slug: TypeAlias = Annotated[str, Meta(pattern=SLUG, max_length=MOST_IN_SLUG)]
WrittenSlug: TypeAlias = str
"""A slug in what the service wrote: it is not looked through again when it is read."""
S = TypeVar("S", bound=Slug, default=Slug)
"""A slug in what is told: `CardPlayed` looks through it, `CardPlayed[WrittenSlug]` does not."""
CardName: TypeAlias = Annotated[Card, Meta(min_length=1, max_length=63)]
Cards: TypeAlias = Annotated[tuple[CardName, ...], Meta(max_length=120)]
ColorName: TypeAlias = Annotated[Color, Meta(min_length=1, max_length=63)]
CardCount: TypeAlias = Annotated[int, Meta(ge=0, le=120)]
MoveCount: TypeAlias = Annotated[int, Meta(ge=1, le=120)]
"""Cards that change places."""
PointsValue: TypeAlias = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
FreeText: TypeAlias = Annotated[str, Meta(min_length=1, max_length=2000)]
PlayerSlugs: TypeAlias = Annotated[tuple[Slug, ...], Meta(max_length=MOST_NAMES)]
"""A seating, clockwise: the next name sits on the left of the one before."""
Winners: TypeAlias = Annotated[tuple[S, ...], Meta(max_length=10)]
Version: TypeAlias = Annotated[int, Meta(ge=1, le=MOST_VERSIONS)]
"""The place of an entry in its match."""
RoundMeant: TypeAlias = Annotated[
    int,
    Meta(
        ge=1,
        le=MOST_VERSIONS,
        description="The number of the round that is meant; refused where it is not the next.",
    ),
]
"""A condition of the append, as `If-Match` is: it is held against the match and not kept."""
Instant: TypeAlias = Annotated[datetime, Meta(tz=True)]

EVENT_ID: Final = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"
"""A UUID."""

EventId: TypeAlias = Annotated[
    str,
    Meta(
        pattern=EVENT_ID,
        max_length=36,  # or else a line break could follow
        title="EventId",
    ),
]


def in_utc(at: datetime | None) -> datetime | None:
    """ValidationError for a time whose UTC lies outside the years 1 to 9999."""
    if at is None or at.tzinfo is UTC:
        return at
    try:
        return at.astimezone(UTC)
    except OverflowError as overflow:
        raise msgspec.ValidationError(
            "The field at lies outside the years 1 to 9999."
        ) from overflow


class Inserted(Struct, frozen=True, forbid_unknown_fields=True):
    """An event that an amendment inserted: the amendment's version, and the place in it, from 0."""

    amendment: Version
    index: Annotated[int, Meta(ge=0, le=1_000)]


Address: TypeAlias = int | Inserted | None
"""The version of a recorded entry, or an inserted event; None: only inferred when it is read."""


class Told(
    Struct,
    frozen=True,
    gc=False,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="type",
):
    """What every event from the table may carry.

    `id` is a UUID that the client made, for retries; it is no part of the stored body. `at`: when
    it happened at the table. `as_played`: record it although a clause forbids it.
    """

    id: EventId | None = None
    at: Instant | None = None
    as_played: bool = False
