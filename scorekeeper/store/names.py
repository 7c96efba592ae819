"""All names of a league at once, as they are exported and imported, and the league's slugs."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

import msgspec
from sqlalchemy import Connection, Select, Text, bindparam, select

from scorekeeper.store.tables import leagues, matches, players, tokens, tournaments

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

Named: TypeAlias = Literal["match", "player", "tournament"]

_SLUGS: Final[Mapping[Named, Select[Any]]] = {
    "match": select(matches.c.match)
    .where(matches.c.league == bindparam("league"))
    .order_by(matches.c.opened.desc())
    .limit(bindparam("most")),
    "player": select(players.c.player)
    .where(players.c.league == bindparam("league"))
    .order_by(players.c.player)
    .limit(bindparam("most")),
    "tournament": select(tournaments.c.tournament)
    .where(tournaments.c.league == bindparam("league"))
    .order_by(tournaments.c.opened.desc())
    .limit(bindparam("most")),
}


WithPlayers: TypeAlias = Literal["match", "tournament"]

_PLAYERS: Final[Mapping[WithPlayers, Select[Any]]] = {
    "match": select(matches.c.players).where(
        matches.c.league == bindparam("league"), matches.c.match == bindparam("slug")
    ),
    "tournament": select(tournaments.c.players).where(
        tournaments.c.league == bindparam("league"), tournaments.c.tournament == bindparam("slug")
    ),
}


class StoredNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name of a league, of its players (None if erased) and of its tokens."""

    league: str
    players: Mapping[str, str | None]
    tokens: Mapping[str, str]


def read(connection: Connection, league: str) -> StoredNames:
    """Return all names of a league, which must exist."""
    of = {"league": league}
    return StoredNames(
        league=connection.execute(_league, of).scalar_one(),
        players={row.player: row.name for row in connection.execute(_players, of)},
        tokens={row.token_id: row.name for row in connection.execute(_tokens, of)},
    )


def slugs(connection: Connection, league: str, named: Named, *, most: int) -> Sequence[str]:
    """Return up to `most` slugs. Players are in order of slug, others the latest opened first."""
    found: Sequence[str] = (
        connection.execute(_SLUGS[named], {"league": league, "most": most}).scalars().all()
    )
    return found


def players_of(
    connection: Connection, league: str, named: WithPlayers, slug: str
) -> frozenset[str]:
    """Return the players with whom a match or tournament was opened, nobody if there is none."""
    found: str | None = connection.execute(
        _PLAYERS[named], {"league": league, "slug": slug}
    ).scalar()
    return frozenset(() if found is None else json.loads(found))
