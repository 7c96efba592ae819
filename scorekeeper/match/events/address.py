"""Where an event of the log as it is read stands in what was recorded."""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from scorekeeper.match.events.fields import Version


class Inserted(Struct, frozen=True, forbid_unknown_fields=True):
    """An event that an amendment inserted: the amendment's version, and the place in it, from 0."""

    amendment: Version
    index: Annotated[int, Meta(ge=0, le=1_000)]


Address: TypeAlias = int | Inserted | None
"""The version of a recorded entry, or an inserted event; None: only inferred when it is read."""
