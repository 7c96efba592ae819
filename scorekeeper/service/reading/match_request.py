"""Requests that open matches, append to them, undo, and try an amendment."""

from typing import Annotated, Literal, Self

import msgspec

from scorekeeper.editions.house_rules.registry import HouseRulesAsked, variants_sent
from scorekeeper.match.events.events import (
    Inserts,
    LogAmended,
    Removed,
    ToldEvent,
    Withdrawn,
    normalise,
    without_round,
)
from scorekeeper.match.events.fields import MOST_EVENTS, EventId, FreeText, Version, in_utc
from scorekeeper.match.events.opening import Opening
from scorekeeper.service.views import SlugText

StatusFilter = Literal["open", "won", "abandoned"]


class MatchRequest(
    Opening, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """An opening, and events that are appended with it, all or nothing.

    The server makes a slug if none is given.
    """

    house_rules: HouseRulesAsked | None = None
    match: SlugText | None = None
    events: Annotated[tuple[ToldEvent, ...], msgspec.Meta(max_length=MOST_EVENTS)] = ()

    def normalised(self) -> Self:
        """Return the form that is equal for all requests that mean the same.

        Raises TimeOutOfRange.
        """
        events = tuple(normalise(event) for event in self.events)
        return msgspec.structs.replace(self, at=in_utc(self.at), events=events)

    def content(self) -> Self:
        """Return the request without the rounds that its events name.

        A retry counts as the same request even if its events name other rounds.
        """
        events = tuple(without_round(event) for event in self.events)
        return msgspec.structs.replace(self, events=events)

    def opening(self) -> Opening:
        """Return the opening without what only the request has."""
        fields = {name: getattr(self, name) for name in Opening.__struct_fields__}
        if self.house_rules is not None:
            fields["house_rules"] = variants_sent(self.house_rules)
        return Opening(**fields)


class PastMatchRequest(
    MatchRequest, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A match that was played in the past: its opening, its slug, and what happened in it."""

    # Keyword-only fields may be required in a subclass although they were optional.
    match: SlugText  # pyright: ignore[reportGeneralTypeIssues]
    events: Annotated[  # pyright: ignore[reportGeneralTypeIssues]
        tuple[ToldEvent, ...], msgspec.Meta(min_length=1, max_length=MOST_EVENTS)
    ]


class PastMatchesRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Matches of the past, in the order in which they are to be recorded.

    They have at most 1,000 events together, and each event carries an `id`.
    """

    matches: Annotated[
        tuple[PastMatchRequest, ...], msgspec.Meta(min_length=1, max_length=MOST_EVENTS)
    ]

    def __post_init__(self) -> None:
        """Refuse too many events, and a match that is given twice."""
        if sum(len(match.events) for match in self.matches) > MOST_EVENTS:
            raise ValueError("The matches have 1,000 events together at the most.")
        if len({match.match for match in self.matches}) < len(self.matches):
            raise ValueError("A match stands twice in this request.")

    def normalised(self) -> "PastMatchesRequest":
        """Return the form that is equal for all requests that mean the same.

        Raises TimeOutOfRange.
        """
        return PastMatchesRequest(tuple(match.normalised() for match in self.matches))


class AppendRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Events to be appended, all or nothing; each carries an `id`, or none does."""

    events: Annotated[tuple[ToldEvent, ...], msgspec.Meta(min_length=1, max_length=MOST_EVENTS)]


class WhatIf(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An amendment to be tried, in the fields of `log_amended`."""

    first: Version | None = msgspec.field(name="from", default=None)
    remove: Removed = 0
    insert: Inserts = ()
    withdraws: Withdrawn = ()

    def __post_init__(self) -> None:
        """Refuse what can't be an amendment."""
        self.amendment()

    def amendment(self) -> LogAmended:
        """Return the amendment as it would be recorded."""
        amended = LogAmended(
            reason="what if",
            first=self.first,
            remove=self.remove,
            insert=self.insert,
            withdraws=self.withdraws,
        )
        return normalise(amended)


class UndoRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`of`: the id of the event that is taken back; null: what was told last."""

    reason: FreeText | None = None
    of: EventId | None = None

    @property
    def event_id(self) -> str | None:
        """`of` as the ledger spells it, in lower case."""
        return self.of and self.of.lower()
