"""The events of a tournament's own stream. Results are not events: they follow from the matches."""

from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from scorekeeper.match.events.fields import FreeText, Instant, PlayerSlugs, Slug, Told, in_utc
from scorekeeper.match.events.opening import HouseRulesTold, Options, Scoring

SCHEMA: Final = 1
"""The schema number with which new events are stored."""

MOST_CYCLES: Final = 10
MOST_ROUNDS_PER_PARTNER: Final = 40


class TournamentOpening(
    Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """What is sent to open a tournament.

    `players`: in the order of entry, which determines the schedule. `rounds_per_partner`: a
    multiple of four, so that everybody deals equally often. `cycles`: how many times the
    whole rotation of partners is played.
    """

    name: Annotated[str, Meta(min_length=1, max_length=120)]
    edition: Slug
    players: PlayerSlugs
    rounds_per_partner: Annotated[int, Meta(ge=1, le=MOST_ROUNDS_PER_PARTNER)] = 4
    cycles: Annotated[int, Meta(ge=1, le=MOST_CYCLES)] = 1
    scoring: Scoring | None = None
    options: Options | None = None
    house_rules: HouseRulesTold | None = None
    at: Instant | None = None


class TournamentOpened(TournamentOpening, frozen=True, tag_field="type", tag="tournament_opened"):
    """The opening as it was sent, and the revision of the edition that holds for all tables.

    `house_rules_revision`: the revision of the house rules, if any were sent.
    """

    tournament: Slug
    revision: int
    house_rules_revision: int | None = None


class SeatTakenOver(Told, frozen=True, tag="player_substituted"):
    """Somebody sits in at all tables that are still to be played; `player`'s column goes on.

    An event that names the substitute is recorded with the name of the column.
    """

    player: Slug
    substitute: Slug


class PlayerWithdrawn(Told, frozen=True, tag="player_withdrawn"):
    """The player's unfinished tables are abandoned; what was played counts."""

    player: Slug
    reason: FreeText | None = None


class TieDrawn(Told, frozen=True, tag="tie_drawn"):
    """Lots were drawn among all players who share a rank at the end.

    `order`: these players, the winner of the draw first.
    """

    order: PlayerSlugs


class TournamentClosed(Told, frozen=True, tag="tournament_closed"):
    """Nothing more is played; unfinished tables are abandoned."""

    reason: FreeText | None = None


TournamentEvent: TypeAlias = SeatTakenOver | PlayerWithdrawn | TieDrawn | TournamentClosed
AnyTournamentEvent: TypeAlias = TournamentOpened | TournamentEvent

_encoder = msgspec.json.Encoder(order="sorted")
_decoder: msgspec.json.Decoder[AnyTournamentEvent] = msgspec.json.Decoder(AnyTournamentEvent)


def event_type(event: AnyTournamentEvent) -> str:
    """Return the tag under which the event is stored."""
    return str(event.__struct_config__.tag)


def encode(event: AnyTournamentEvent) -> bytes:
    """Return the canonical body of an event: JSON with sorted keys, without defaults and `id`."""
    if isinstance(event, Told) and event.id is not None:
        event = replace(event, id=None)
    return _encoder.encode(event)


def decode(body: bytes) -> AnyTournamentEvent:
    """Return the event of a body.

    Raises msgspec.ValidationError if `encode` can't have written the body.
    """
    return _decoder.decode(body)


def normalise(event: TournamentEvent) -> TournamentEvent:
    """Return the common form of all events with the same meaning.

    The time is in UTC, and the id in lower case. Raises TimeOutOfRange.
    """
    return replace(event, id=event.id.lower() if event.id else None, at=in_utc(event.at))
