"""Folding streams: the roster of a league, from its own stream, and the state of a match.

The events of the league's own stream are defined here, those of a match in `match`. A substitute
has to be in the league, so an event that names one is decided on both streams.
"""

from collections.abc import Iterable, Sequence
from typing import Final, Literal, cast

import msgspec

from scorekeeper.editions.registry import edition_in_force
from scorekeeper.ledger.entry import CONTENT_ERASED, Draft, Entry
from scorekeeper.ledger.reading import Contents
from scorekeeper.ledger.writing.append import Tail
from scorekeeper.match.events.events import (
    Event,
    LogAmended,
    PlayerSubstituted,
    ToldEvent,
    decode_all_written,
    decode_written,
)
from scorekeeper.match.events.fields import FreeText
from scorekeeper.match.events.opening import MatchOpened
from scorekeeper.match.readings.effective_log import fold, initial
from scorekeeper.match.state import State

LEAGUE_STREAM = "league"
LEAGUE_SCHEMA = 1
NAME_ERASED: Final = "name_erased"

Role = Literal["owner", "scorekeeper", "viewer"]

# Events that name a substitute; no others do.
_NAMING_SUBSTITUTES = frozenset({PlayerSubstituted, LogAmended})


class LeagueEvent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """The base of all events of a league's own stream. They never contain names of people."""


class LeagueOpened(LeagueEvent, frozen=True, tag="league_opened"):
    league: str


class PlayerRegistered(LeagueEvent, frozen=True, tag="player_registered"):
    player: str


class TokenMade(LeagueEvent, frozen=True, tag="token_made"):
    token_id: str
    role: Role


class TokenRevoked(LeagueEvent, frozen=True, tag="token_revoked"):
    token_id: str


class NameErased(LeagueEvent, frozen=True, tag=NAME_ERASED):
    """The name of a player was erased; names are stored outside the ledger."""

    player: str


class ContentErased(LeagueEvent, frozen=True, tag=CONTENT_ERASED):
    """Body and salt of the entries at these positions were deleted."""

    positions: tuple[int, ...]
    reason: FreeText


AnyLeagueEvent = (
    LeagueOpened | PlayerRegistered | TokenMade | TokenRevoked | NameErased | ContentErased
)

_encoder = msgspec.json.Encoder(order="sorted")
_decoder: msgspec.json.Decoder[AnyLeagueEvent] = msgspec.json.Decoder(AnyLeagueEvent)


def decode_league_event(body: bytes) -> AnyLeagueEvent:
    return _decoder.decode(body)


def league_draft(event: AnyLeagueEvent) -> Draft:
    """Return the event as a draft for the ledger."""
    return Draft(
        stream=LEAGUE_STREAM,
        type=str(event.__struct_config__.tag),
        schema=LEAGUE_SCHEMA,
        body=_encoder.encode(event),
    )


class Roster(msgspec.Struct, frozen=True):
    """Who is in a league: slugs of players, and ids of the tokens in force.

    `erased`: the positions of entries whose content was erased.
    """

    players: frozenset[str] = frozenset()
    tokens: frozenset[str] = frozenset()
    erased: frozenset[int] = frozenset()


def roster(start: Roster, events: Iterable[AnyLeagueEvent]) -> Roster:
    """Return the roster after `events`, which follow on `start`."""
    players, tokens, erased = set(start.players), set(start.tokens), set(start.erased)
    for event in events:
        match event:
            case PlayerRegistered(player=player):
                players.add(player)
            case TokenMade(token_id=token_id):
                tokens.add(token_id)
            case TokenRevoked(token_id=token_id):
                tokens.discard(token_id)
            case ContentErased(positions=positions):
                erased.update(positions)
            case LeagueOpened() | NameErased():
                pass
    return Roster(frozenset(players), frozenset(tokens), frozenset(erased))


def streams_of(stream: str, events: Sequence[ToldEvent]) -> tuple[str, ...]:
    """Return the match's stream, and the league's if one of the events names a substitute."""
    if _NAMING_SUBSTITUTES.isdisjoint(map(type, events)):
        return (stream,)
    return (stream, LEAGUE_STREAM) if any(map(substitutes, events)) else (stream,)


def first_stranger(events: Sequence[ToldEvent], roster: Roster) -> tuple[int, str] | None:
    """Return the first substitute who is not in the league, after the index of the naming event."""
    for index, event in enumerate(events):
        for name in substitutes(event):
            if name not in roster.players:
                return index, name
    return None


def substitutes(event: Event) -> Sequence[str]:
    """Return who sits down for somebody else, by the event or by events that it inserts."""
    match event:
        case PlayerSubstituted():
            return (event.substitute,)
        case LogAmended():
            return [name for each in event.insert for name in substitutes(each)]
        case _:
            return ()


def fold_entries(state: State | None, entries: Sequence[Entry]) -> State:
    """Return the match after `entries`, which follow on `state`. If it is None, the first opens it.

    The edition has the revision that the opening pinned.
    """
    events = [event_of(entry) for entry in entries]
    return _folded(state, events, [entry.inferred for entry in entries])


def fold_contents(state: State | None, contents: Contents) -> State:
    """Return the match after `contents`, which follow on `state`, as `fold_entries` does."""
    return _folded(state, decode_all_written(contents.bodies), contents.inferred)


def _folded(state: State | None, events: list[Event | None], inferred: list[bool]) -> State:
    if state is None:
        opened = events.pop(0)
        assert isinstance(opened, MatchOpened)
        state = first_state(opened)
        inferred = inferred[1:]
    return fold(state, events, inferred) if events else state


def first_state(opened: MatchOpened) -> State:
    """Return the state at version 1, in the edition and by the house rules that the opening pinned.

    Raises KeyError if there is no such revision.
    """
    edition = edition_in_force(
        opened.edition, opened.revision, opened.house_rules, opened.house_rules_revision
    )
    return initial(edition, opened)


def event_of(entry: Entry) -> Event | None:
    """Return the event in an entry of a match; None if its content was erased."""
    return None if entry.body is None else decode_written(entry.body)


def tail_state(tail: Tail) -> State:
    """Return the match at the end of its stream, which must not be empty."""
    carried = cast("State | None", tail.carried)
    if carried is not None and not tail.entries:
        return carried
    return fold_entries(carried, tail.entries)


def tail_roster(tail: Tail) -> Roster:
    """Return the roster at the end of the league's own stream.

    Carry it on, even if it has not changed: else the next decision folds the stream again.
    """
    start = cast("Roster | None", tail.carried) or Roster()
    if not tail.entries:
        return start  # The very same value: a long decision takes another one for a change.
    return roster(start, (decode_league_event(_body(entry)) for entry in tail.entries))


def _body(entry: Entry) -> bytes:
    assert entry.body is not None
    return entry.body
