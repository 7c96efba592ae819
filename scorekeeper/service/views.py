"""Requests and answers of the service, as structs that the OpenAPI document describes."""

from collections.abc import Mapping
from typing import Annotated, Generic, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from scorekeeper.match.events.fields import MOST_VERSIONS, SLUG, FreeText
from scorekeeper.projections.scoreboard import HandView, Scoreboard
from scorekeeper.service.streams import Role

T = TypeVar("T")

SlugText = Annotated[
    str,
    msgspec.Meta(
        pattern=SLUG,
        description="A URL-safe name: lower-case letters, digits and hyphens, at most 63.",
        examples=["friday-1"],
    ),
]
MOST_IN_NAME = 120
"""The most characters in a name."""
Name = Annotated[
    str,
    msgspec.Meta(
        min_length=1,
        max_length=MOST_IN_NAME,
        description="A name as people write it. Names are not stored in the ledger.",
    ),
]


class Listing(msgspec.Struct, Generic[T], frozen=True):
    """One page of a list; `next` is the cursor of the page after it."""

    items: list[T]
    next: str | None


class LeagueOpening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A league to be opened; if no slug is given, the server makes one from the name."""

    name: Name
    league: SlugText | None = None


class LeagueView(msgspec.Struct, frozen=True):
    league: str
    name: str


class LeagueOpenedView(msgspec.Struct, frozen=True, omit_defaults=True):
    """`token` is the owner's and is shown once: a repeated request is answered without it."""

    league: str
    name: str
    token: str | None = None


class LeagueChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Name


class PlayerRegistration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player to be registered; if no slug is given, the server makes one from the name.

    Slugs stay in the ledger. If the name may have to be erased, give a slug that does not show it.
    """

    name: Name
    player: SlugText | None = None


class PlayerView(msgspec.Struct, frozen=True):
    """`name` is null once it has been erased; the slug stays in the ledger as a pseudonym."""

    player: str
    name: str | None


class PlayerChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new name, or null to erase the name for good."""

    name: Name | None


class TokenMaking(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    role: Role
    name: Name


class TokenView(msgspec.Struct, frozen=True):
    token_id: str
    role: str
    name: str


class TokenMadeView(msgspec.Struct, frozen=True, omit_defaults=True):
    """`token` is shown once: a repeated request is answered without it."""

    token_id: str
    role: str
    name: str
    token: str | None = None


EntryPosition = Annotated[int, msgspec.Meta(ge=1, le=MOST_VERSIONS)]


class ErasureRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Entries whose content is to be erased for good, by their positions in the ledger."""

    positions: Annotated[list[EntryPosition], msgspec.Meta(min_length=1, max_length=1_000)]
    reason: FreeText


class ErasureView(msgspec.Struct, frozen=True):
    """What was erased now, and the position of the entry that records the erasure.

    If everything had been erased before, nothing was recorded: `positions` is empty and `position`
    is null.
    """

    position: int | None
    positions: list[int]
    reason: str


class MatchView(msgspec.Struct, frozen=True):
    """A match as the list of matches shows it; `position` is that of its opening.

    `round`: how many rounds were begun. `totals`: by player, in the order of seats at the opening.
    If what is stored of an open match is damaged, its `round` is 0 and its `totals` are empty.
    `opened_at` and `changed_at`: when its first and its last entry were recorded.
    """

    match: str
    edition: str
    status: str
    players: list[str]
    winners: list[str]
    opened_at: str
    position: int
    open_disputes: int
    round: int
    totals: Mapping[str, int]
    changed_at: str


Hash = Annotated[
    str, msgspec.Meta(pattern="^[0-9a-f]{64}$", description="SHA-256 in lower-case hexadecimal.")
]


class InclusionView(msgspec.Struct, frozen=True):
    """The proof that an entry is in the ledger (RFC 9162, section 2.1.3).

    `index` is the entry's place among the leaves, from 0. `leaf` is the entry's hash, `root` the
    hash over the first `size` entries. `proof` is in the order of the RFC.
    """

    log: str
    position: int
    index: int
    size: int
    leaf: Hash
    root: Hash
    proof: list[Hash]


class ConsistencyView(msgspec.Struct, frozen=True, rename={"from_": "from"}):
    """The proof that the ledger of `to` entries extends that of `from` (RFC 9162, section 2.1.4).

    If `from` is 0, there is nothing to prove, and the proof is empty.
    """

    log: str
    from_: int
    to: int
    from_root: Hash
    to_root: Hash
    proof: list[Hash]


class HandsView(msgspec.Struct, frozen=True, omit_defaults=True):
    """The hands of the round in progress, or of the one that ended last.

    `redacted` names the fields in which a viewer may not see all that is recorded of a round in
    progress.
    """

    hands: Mapping[str, HandView]
    redacted: tuple[str, ...] | None = None


class EntryView(msgspec.Struct, frozen=True):
    """An event with its place, time, recorder and hash.

    `data` has the event's fields. If the content was erased, `data` is null and `erased` is true.
    Viewers do not get the cards of a round in progress that the table has not seen. Such fields are
    left out, and the object that lacks them names them in `redacted`. `at` is when the event
    happened at the table, `recorded_at` when it was written, both RFC 3339 in UTC. `recorded_by` is
    a token's id. `hash` is the leaf hash of the entry's header (RFC 9162) in lower-case hex.
    `event_index` is the event's place, from 0, in the request that this answers.
    """

    version: int
    position: int
    id: str
    type: str
    data: dict[str, object] | None
    inferred: bool
    recorded_at: str
    recorded_by: str
    at: str | None
    hash: str
    event_index: int | None = None
    erased: bool | UnsetType = UNSET


class LogPage(msgspec.Struct, frozen=True):
    """One page of a log; `next` is the cursor of the page after it.

    `recorders`: the names of the tokens that recorded these entries, revoked ones included.
    """

    items: list[EntryView]
    next: str | None
    recorders: Mapping[str, str]


class ViolationView(msgspec.Struct, frozen=True):
    """A recorded breach of a clause, in words for the reader and in facts for a program."""

    event_index: int | None
    clause: str
    reason: str
    message: str
    facts: dict[str, object]
    version: int | UnsetType = UNSET
    amendment: int | UnsetType = UNSET
    index: int | UnsetType = UNSET


class VoidedView(msgspec.Struct, frozen=True, kw_only=True):
    """A told event that can't be applied as the log is read now; it stays recorded.

    It is the entry with the version `version`, or what the amendment with the version `amendment`
    inserted at `index`. `code` and `reason` are those of the refusal that recording it would get,
    `facts` the figures behind it. `type` is absent if the content was erased.
    """

    version: int | UnsetType = UNSET
    amendment: int | UnsetType = UNSET
    index: int | UnsetType = UNSET
    type: str | UnsetType = UNSET
    code: str
    reason: str | UnsetType = UNSET
    message: str
    facts: dict[str, object]


class AppendView(msgspec.Struct, frozen=True):
    """What an append wrote, and the scoreboard after it.

    `voided` is present if an amendment was recorded: all told events that can't be applied any
    more.
    """

    match: str
    version: int
    position: int
    entries: list[EntryView]
    violations: list[ViolationView]
    state: Scoreboard
    voided: list[VoidedView] | UnsetType = UNSET


class PastMatchView(msgspec.Struct, frozen=True):
    """A match of the past after the request that recorded it; `appended`: how many new entries."""

    match: str
    version: int
    status: str
    appended: int


class PastMatchesView(msgspec.Struct, frozen=True):
    """The matches of a request, in the request's order."""

    matches: list[PastMatchView]
