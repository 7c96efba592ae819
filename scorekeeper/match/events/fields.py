"""The types of the fields that events and openings are made of, with the bounds of the wire.

`Told`, at the end, has the fields that all told events have in common. No event can refer to
itself, so that the garbage collector need not track events (`gc=False`).
"""

from datetime import UTC, datetime
from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct
from typing_extensions import TypeVar

from scorekeeper.rules.cards import Card, Color

SLUG: Final = "^[a-z0-9][a-z0-9-]{0,62}$(?!\\n)"
"""A pattern that means the same in Python and in ECMAScript.

In Python, `$` also matches before a line break at the end, which `(?!\\n)` rules out.
"""
MOST_IN_SLUG: Final = 63
"""The largest number of characters in a slug."""
MOST_NAMES: Final = 64
"""How many names a list may have. A longer list is malformed, a shorter one may be refused."""
MOST_EVENTS: Final = 1_000
"""How many events can be told at once."""
MOST_VERSIONS: Final = 2**53
"""The largest version. Not every JSON parser reads larger numbers exactly."""

Slug: TypeAlias = Annotated[str, Meta(pattern=SLUG, max_length=MOST_IN_SLUG)]
WrittenSlug: TypeAlias = str
"""A slug in a body that the service wrote. It is not validated again when the body is read."""
S = TypeVar("S", bound=Slug, default=Slug)
"""The slugs of an event. `CardPlayed` validates them, `CardPlayed[WrittenSlug]` does not."""
CardName: TypeAlias = Annotated[Card, Meta(min_length=1, max_length=63)]
Cards: TypeAlias = Annotated[tuple[CardName, ...], Meta(max_length=120)]
ColorName: TypeAlias = Annotated[Color, Meta(min_length=1, max_length=63)]
CardCount: TypeAlias = Annotated[int, Meta(ge=0, le=120)]
MoveCount: TypeAlias = Annotated[int, Meta(ge=1, le=120)]
"""A number of cards that move, which is at least one."""
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
"""A condition on the append, like `If-Match`. It is checked against the match and not stored."""
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


class TimeOutOfRange(ValueError):
    """A time that lies outside the years 1 to 9999 in UTC."""


def in_utc(at: datetime | None) -> datetime | None:
    """Return the time in UTC. Raises TimeOutOfRange."""
    if at is None or at.tzinfo is UTC:
        return at
    try:
        return at.astimezone(UTC)
    except OverflowError as overflow:
        raise TimeOutOfRange("The field at lies outside the years 1 to 9999.") from overflow


class Inserted(Struct, frozen=True, forbid_unknown_fields=True):
    """An event that an amendment inserted: the amendment's version, and the place in it, from 0."""

    amendment: Version
    index: Annotated[int, Meta(ge=0, le=1_000)]


Address: TypeAlias = int | Inserted | None
"""The version of a recorded entry, or an inserted event.

None stands for an event that was never recorded, but is inferred when the log is read.
"""


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
