"""What is claimed against the log, and how it is decided.

The tags and fields are the disk format, as those of the other events are.
"""

from typing import Annotated, Generic, Literal, TypeAlias

from msgspec import Meta

from scorekeeper.match.events.address import Inserted
from scorekeeper.match.events.fields import MOST_VERSIONS, FreeText, S, Version
from scorekeeper.match.events.told import Told

Ruling: TypeAlias = Literal["upheld", "rejected"]


class DisputeOpened(Told, Generic[S], frozen=True, tag="dispute_opened"):
    """The player `by` claims that a round, or one entry of it, is wrong.

    The version of this entry is the dispute's id.
    """

    by: S
    round: Annotated[int, Meta(ge=1, le=MOST_VERSIONS)]
    claim: FreeText
    entry: Version | Inserted | None = None


class DisputeRuled(Told, frozen=True, tag="dispute_ruled"):
    """The decision on a dispute, once and for all; whoever recorded it is the judge."""

    dispute: Version
    ruling: Ruling
    reason: FreeText


DisputeEvent: TypeAlias = DisputeOpened | DisputeRuled
