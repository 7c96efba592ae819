"""The names of people. They lie here and nowhere else, so that erasing one here erases it."""

from collections.abc import Collection, Sequence

import msgspec
from sqlalchemy import Connection, bindparam, insert, select, update

from scorekeeper.store.rows import RowChange, ViewRow
from scorekeeper.store.tables import players

_insert = insert(players)
_named = select(players.c.player, players.c.name).where(players.c.league == bindparam("league"))
_find = _named.where(players.c.player == bindparam("player"))
_names = select(players.c.player, players.c.name).where(
    players.c.league == bindparam("league"),
    players.c.player.in_(bindparam("players", expanding=True)),
    players.c.name.is_not(None),
)
_rename = (
    update(players)
    .where(players.c.league == bindparam("of_league"), players.c.player == bindparam("of_player"))
    .values(name=bindparam("new_name"))
)
_page = (
    _named.where(players.c.player > bindparam("after"))
    .order_by(players.c.player)
    .limit(bindparam("limit"))
)


class NamedPlayer(msgspec.Struct, frozen=True):
    """A player; the name is None once it was erased."""

    player: str
    name: str | None


def added(league: str, player: str, name: str, registered: int) -> ViewRow:
    """`registered` is the position of the registration in the ledger."""
    return _insert, {"league": league, "player": player, "name": name, "registered": registered}


def find(connection: Connection, league: str, player: str) -> NamedPlayer | None:
    row = connection.execute(_find, {"league": league, "player": player}).one_or_none()
    return None if row is None else NamedPlayer(*row)


def names(connection: Connection, league: str, slugs: Collection[str]) -> dict[str, str]:
    """The names of those of these players who have one, by their slugs."""
    found = connection.execute(_names, {"league": league, "players": list(slugs)})
    return {row.player: row.name for row in found}


def renamed(league: str, player: str, name: str | None) -> RowChange:
    """Another name, or None to erase it."""
    return _rename, {"of_league": league, "of_player": player, "new_name": name}


def rename(connection: Connection, league: str, player: str, name: str) -> bool:
    """Give a player another name. Whether there was such a player."""
    statement, parameters = renamed(league, player, name)
    return connection.execute(statement, parameters).rowcount == 1


def page(
    connection: Connection, league: str, *, after: str | None, limit: int
) -> Sequence[NamedPlayer]:
    """Players by slug, those after `after`."""
    found = connection.execute(_page, {"league": league, "after": after or "", "limit": limit})
    return [NamedPlayer(*row) for row in found]
