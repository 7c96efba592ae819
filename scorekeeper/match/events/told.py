"""What every event that the table tells has in common.

No event can refer back to itself, so that the collector need not look at any (`gc=False`).
"""

from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct

from scorekeeper.match.events.fields import Instant

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
