"""The events of a match, as they are told, stored and read.

The tags and fields are the disk format. They never change their meaning, and a new field has a
default. For any other change, `SCHEMA` is raised and older bodies are converted when they are read.
The events of a round that is told card by card are in `card_events`.
"""

from collections.abc import Mapping, Sequence
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Generic,
    Literal,
    TypeAlias,
    TypeVar,
    Union,
    cast,
    get_args,
)

import msgspec
from msgspec import Meta, Struct, field
from msgspec.structs import replace

from scorekeeper.match.events.card_events import CardEvent, CardPlayed, CardsDrawn, Draw
from scorekeeper.match.events.fields import (
    MOST_EVENTS,
    MOST_NAMES,
    MOST_VERSIONS,
    CardCount,
    CardName,
    Cards,
    FreeText,
    Inserted,
    PlayerSlugs,
    PointsValue,
    RoundMeant,
    S,
    Told,
    Version,
    Winners,
    WrittenSlug,
    in_utc,
)
from scorekeeper.match.events.opening import MatchOpened

Ruling: TypeAlias = Literal["upheld", "rejected"]

SCHEMA: Final = 1

ByPlayer: Final = Meta(max_length=MOST_NAMES)

Removed: TypeAlias = Annotated[int, Meta(ge=0, le=MOST_VERSIONS)]
Withdrawn: TypeAlias = Annotated[tuple[Version, ...], Meta(max_length=MOST_EVENTS)]

_encoder = msgspec.json.Encoder(order="sorted")


class DisputeOpened(Told, Generic[S], frozen=True, tag="dispute_opened"):
    """The player `by` claims that a round, or one entry of it, is wrong.

    The version of this entry is the dispute's id.
    """

    by: S
    round: Annotated[int, Meta(ge=1, le=MOST_VERSIONS)]
    claim: FreeText
    entry: Version | Inserted | None = None


class DisputeRuled(Told, frozen=True, tag="dispute_ruled"):
    """The final decision on a dispute. Its judge is the person who recorded it."""

    dispute: Version
    ruling: Ruling
    reason: FreeText


DisputeEvent: TypeAlias = DisputeOpened | DisputeRuled


class DealerDrawn(Told, Generic[S], frozen=True, tag="dealer_drawn"):
    """Cards drawn for the deal, by everybody or by those who tied before."""

    draws: Annotated[Mapping[S, CardName], ByPlayer]


class RoundStarted(Told, Generic[S], frozen=True, tag="round_started"):
    """Cards are dealt. `draw_pile`: the whole pile, top first, before a card is turned up.

    `round`: the number of the round that is meant. The event is refused if that is not the next
    round. This field is not stored.
    """

    dealer: S | None = None
    hands: Annotated[Mapping[S, Cards], ByPlayer] | None = None
    draw_pile: Cards | None = None
    round: RoundMeant | None = None


class TalliedHand(
    Struct,
    frozen=True,
    gc=False,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """A hand at the end of a round: its cards, or else its points and perhaps their number."""

    cards: Cards | None = None
    points: PointsValue | None = None
    cards_left: CardCount | None = None

    def __post_init__(self) -> None:
        """Refuse a hand that is told twice, or not at all."""
        if (self.cards is None) == (self.points is None):
            raise ValueError("A hand has either cards or points.")
        if self.cards_left is not None and self.points is None:
            raise ValueError("The field cards_left goes with points.")


class RoundTallied(Told, Generic[S], frozen=True, tag="round_tallied"):
    """A whole round at once: either the hands whose points count, or everybody's scores.

    `charges`: the points counted against players who were caught during the round. `round`: the
    number of the round that is meant. The event is refused if that is not the running round, or the
    next one if none is running. This field is not stored.
    """

    winners: Winners[S]
    hands: Annotated[Mapping[S, TalliedHand], ByPlayer] | None = None
    scores: Annotated[Mapping[S, PointsValue], ByPlayer] | None = None
    dealer: S | None = None
    charges: Annotated[Mapping[S, PointsValue], ByPlayer] | None = None
    round: RoundMeant | None = None


class RoundVoided(Told, frozen=True, tag="round_voided"):
    """A round that is broken off. `redealt`: the same dealer deals it again, as a new round."""

    reason: FreeText
    redealt: bool


class SeatsChanged(Told, frozen=True, tag="seats_changed"):
    """A new seating of the same players."""

    players: PlayerSlugs


class PlayerSubstituted(Told, Generic[S], frozen=True, tag="player_substituted"):
    """Somebody else plays on in a player's column.

    Later events name the column, which is the player's slug. An event that names the substitute is
    recorded with the name of the column.
    """

    player: S
    substitute: S


class MatchClosed(Told, frozen=True, tag="match_closed"):
    """The table stops early; the best so far wins."""

    reason: FreeText | None = None


class MatchAbandoned(Told, frozen=True, tag="match_abandoned"):
    """The table stops without a winner; finished rounds stay."""

    reason: FreeText


class NoteAdded(Told, frozen=True, tag="note_added"):
    """A remark, without effect."""

    text: FreeText


class RoundEnded(
    Struct,
    frozen=True,
    gc=False,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="type",
    tag="round_ended",
):
    """The result of a round.

    `scores` has every player of the match. Both partners have their team's score. `hand_points` is
    None for a hand whose points nobody knows, and for a player without a hand.
    """

    as_played: ClassVar[bool] = False  # nobody tells it

    round: int
    winners: Winners[WrittenSlug]
    scores: Mapping[WrittenSlug, int]
    hand_points: Mapping[WrittenSlug, int | None]


class MatchWon(
    Struct,
    frozen=True,
    gc=False,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="type",
    tag="match_won",
):
    """The result of a match. `winners`: in seating order, both partners of a team."""

    as_played: ClassVar[bool] = False  # nobody tells it

    winners: Winners[WrittenSlug]
    totals: Mapping[WrittenSlug, int]


WholeRoundEvent: TypeAlias = (
    DealerDrawn
    | RoundStarted
    | RoundTallied
    | RoundVoided
    | SeatsChanged
    | PlayerSubstituted
    | MatchClosed
    | MatchAbandoned
    | NoteAdded
)

TableEvent: TypeAlias = WholeRoundEvent | CardEvent
"""What happened at the table."""

Inserts: TypeAlias = Annotated[tuple[TableEvent, ...], Meta(max_length=MOST_EVENTS)]


class LogAmended(Told, frozen=True, tag="log_amended"):
    """From now on, the log is read with changes.

    `remove` entries, beginning with the version `from`, are left out, and the events in `insert`,
    which have no ids, take their place. If `remove` is 0, they come before the entry `from`.
    `withdraws`: the versions of earlier amendments that no longer count. `dispute`: the version of
    the dispute that this amendment settles. `undo`: the amendment takes back an earlier entry, and
    the next undo skips it.
    """

    reason: FreeText
    first: Version | None = field(name="from", default=None)
    # Defaults are left out of a body. These are made by a function, so that every body has them.
    remove: Removed = field(default_factory=lambda: 0)
    insert: Inserts = field(default_factory=lambda: ())
    withdraws: Withdrawn = ()
    dispute: Version | None = None
    undo: bool = False

    def __post_init__(self) -> None:
        """Refuse a lack of `from`, unless it only withdraws others, and an inserted id or round."""
        if self.first is None and (self.remove or self.insert or not self.withdraws):
            raise ValueError("Only an amendment that just withdraws others needs no field from.")
        if any(event.id is not None for event in self.insert):
            raise ValueError("An inserted event has no id.")
        if any(event is not without_round(event) for event in self.insert):
            raise ValueError("An inserted event stands where it is put, and names no round.")


ToldEvent: TypeAlias = TableEvent | DisputeEvent | LogAmended
"""What a client may tell: what happened at the table, and what is said about the log."""

ServerEvent: TypeAlias = RoundEnded | MatchWon
"""What the rules force, and the service therefore writes itself."""

Event: TypeAlias = MatchOpened | ToldEvent | ServerEvent

T = TypeVar("T", bound=ToldEvent)
E = TypeVar("E", bound=Event)

_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def _written(kind: Any) -> Any:  # noqa: ANN401 a type
    return kind[WrittenSlug] if getattr(kind, "__parameters__", ()) else kind


# The same events without validating their slugs, which would take half the time of reading.
_Written: Any = Union[tuple(map(_written, get_args(Event)))]  # noqa: UP007 of a tuple
_decoder_of_written: msgspec.json.Decoder[Event] = msgspec.json.Decoder(_Written)
_decoder_of_all: msgspec.json.Decoder[list[Event | None]] = msgspec.json.Decoder(
    list[_Written | None]
)


def without_round(event: E) -> E:
    """Return the event without the round number against which it is checked."""
    if isinstance(event, RoundStarted | RoundTallied) and event.round is not None:
        return replace(event, round=None)
    return event


def event_type(event: Event) -> str:
    """Return the tag under which the event is stored."""
    return str(event.__struct_config__.tag)


def encode(event: Event) -> bytes:
    """Return the canonical body of an event.

    It is JSON with sorted keys, without defaults, without the `id`, and without the round number
    that a client sent to be checked.
    """
    if isinstance(event, Told) and event.id is not None:
        event = replace(event, id=None)
    return _encoder.encode(without_round(event))


def decode(body: bytes) -> Event:
    """Return the event of a body.

    Raises msgspec.ValidationError if `encode` can't have written the body.
    """
    return _decoder.decode(body)


def decode_written(body: bytes) -> Event:
    """Return the event of a body that `encode` wrote. Its slugs are not validated again."""
    return _decoder_of_written.decode(body)


def as_written(event: E) -> E:
    """Return the event as it is read back from its stored body.

    It has no `id` and no round number to be checked. Its mappings are in the order of canonical
    JSON, and not in the order in which they were told.
    """
    return cast("E", decode_written(encode(event)))


def encode_all(events: Sequence[Event | None]) -> bytes:
    """Return events as a JSON array, with null for None, that `decode_all_written` reads again."""
    return _encoder.encode(events)


def decode_all_written(bodies: bytes) -> list[Event | None]:
    """Return the events of a JSON array of bodies that `encode` wrote, None for each null."""
    return _decoder_of_all.decode(bodies)


def normalise(event: T) -> T:
    """Return the common form of all events with the same meaning.

    The time is in UTC, the id in lower case, and a draw has a `count`. Raises TimeOutOfRange.
    """
    if isinstance(event, LogAmended):
        event = replace(event, insert=tuple(normalise(each) for each in event.insert))
    elif isinstance(event, CardsDrawn) and event.count is None:
        event = replace(event, count=event.number)
    lower = event.id and event.id.lower()
    at = in_utc(event.at)
    if at is event.at and lower == event.id:
        return event
    return replace(event, id=lower, at=at)


def spelt_out_alike(event: E) -> E:
    """Return the common form of events that differ only in what goes without saying.

    A play without a `count` is of one card, one without `jump_in` is in turn, and an effect that
    draws without a `count` has one. The log keeps what was told, so this is only for comparing.
    """
    if isinstance(event, LogAmended):
        return replace(event, insert=tuple(spelt_out_alike(each) for each in event.insert))
    if not isinstance(event, CardPlayed):
        return event
    effects = event.effects and tuple(
        replace(each, count=each.number) if isinstance(each, Draw) else each
        for each in event.effects
    )
    return replace(event, count=event.number, jump_in=bool(event.jump_in), effects=effects)
