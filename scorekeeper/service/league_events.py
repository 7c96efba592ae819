"""The events of a league's own stream, and who is in the league after them."""

from collections.abc import Iterable
from typing import Literal

import msgspec

from scorekeeper.ledger.entries.draft import Draft
from scorekeeper.ledger.entries.erasure import CONTENT_ERASED
from scorekeeper.match.events.fields import FreeText

STREAM = "league"
SCHEMA = 1

Role = Literal["owner", "scorekeeper", "viewer"]


class LeagueEvent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """What every event of a league's own stream is; names of people never stand in one."""


class LeagueOpened(LeagueEvent, frozen=True, tag="league_opened"):
    league: str


class PlayerRegistered(LeagueEvent, frozen=True, tag="player_registered"):
    player: str


class TokenMade(LeagueEvent, frozen=True, tag="token_made"):
    token_id: str
    role: Role


class TokenRevoked(LeagueEvent, frozen=True, tag="token_revoked"):
    token_id: str


class NameErased(LeagueEvent, frozen=True, tag="name_erased"):
    """The name of a player was erased where names lie, beside the ledger."""

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


def decode(body: bytes) -> AnyLeagueEvent:
    return _decoder.decode(body)


def league_draft(event: AnyLeagueEvent) -> Draft:
    """The event as the ledger takes it."""
    return Draft(
        stream=STREAM,
        type=str(event.__struct_config__.tag),
        schema=SCHEMA,
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
    """The roster after `events`."""
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
