"""All names of a league at once, as they are exported and brought in again."""

from collections.abc import Mapping

import msgspec
from sqlalchemy import Connection, Text, bindparam, select

from scorekeeper.store.tables import leagues, players, tokens

_of_league = bindparam("league", type_=Text)
_league = select(leagues.c.name).where(leagues.c.league == _of_league)
_players = (
    select(players.c.player, players.c.name)
    .where(players.c.league == _of_league)
    .order_by(players.c.player)
)
_tokens = (
    select(tokens.c.token_id, tokens.c.name)
    .where(tokens.c.league == _of_league)
    .order_by(tokens.c.token_id)
)


class StoredNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name of a league, of its players (None where erased) and of its tokens."""

    league: str
    players: Mapping[str, str | None]
    tokens: Mapping[str, str]


def read(connection: Connection, league: str) -> StoredNames:
    """Of a league that there is."""
    of = {"league": league}
    return StoredNames(
        league=connection.execute(_league, of).scalar_one(),
        players={row.player: row.name for row in connection.execute(_players, of)},
        tokens={row.token_id: row.name for row in connection.execute(_tokens, of)},
    )
