"""The events of a league's own stream, and who is in the league after them."""

from collections.abc import Iterable
from typing import Literal

import msgspec

from scorekeeper.ledger.draft import Draft

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


AnyLeagueEvent = LeagueOpened | PlayerRegistered | TokenMade | TokenRevoked

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
    """Who is in a league: slugs of players, and ids of the tokens in force."""

    players: frozenset[str] = frozenset()
    tokens: frozenset[str] = frozenset()


def roster(start: Roster, events: Iterable[AnyLeagueEvent]) -> Roster:
    """The roster after `events`."""
    players, tokens = set(start.players), set(start.tokens)
    for event in events:
        match event:
            case PlayerRegistered(player=player):
                players.add(player)
            case TokenMade(token_id=token_id):
                tokens.add(token_id)
            case TokenRevoked(token_id=token_id):
                tokens.discard(token_id)
            case LeagueOpened():
                pass
    return Roster(frozenset(players), frozenset(tokens))
