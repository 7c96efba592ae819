"""The names of leagues."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, bindparam, insert, select, update

from scorekeeper.store.tables import ViewRow, leagues

_insert = insert(leagues)
_name = select(leagues.c.name).where(leagues.c.league == bindparam("league"))
_rename = (
    update(leagues)
    .where(leagues.c.league == bindparam("of_league"))
    .values(name=bindparam("new_name"))
)
_page = (
    select(leagues.c.league, leagues.c.name)
    .where(leagues.c.league > bindparam("after"))
    .order_by(leagues.c.league)
    .limit(bindparam("limit"))
)


class NamedLeague(msgspec.Struct, frozen=True):
    """A league as it is listed."""

    league: str
    name: str


def added(league: str, name: str) -> ViewRow:
    return _insert, {"league": league, "name": name}


def name(connection: Connection, league: str) -> str | None:
    """Return the name of a league, None if there is no such league."""
    found: str | None = connection.execute(_name, {"league": league}).scalar()
    return found


def rename(connection: Connection, league: str, name: str) -> bool:
    """Give a league another name. Return whether there is such a league."""
    done = connection.execute(_rename, {"of_league": league, "new_name": name})
    return done.rowcount == 1


def page(connection: Connection, *, after: str | None, limit: int) -> Sequence[NamedLeague]:
    """Return leagues in order of slug, those after the slug `after`."""
    found = connection.execute(_page, {"after": after or "", "limit": limit})
    return [NamedLeague(*row) for row in found]
