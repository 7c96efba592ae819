"""The names of people, and what a player's page shows.

Names are stored here and nowhere else, so that erasing one here erases it. A page is read in one
statement, since each statement costs more than reading its rows.
"""

from collections.abc import Collection, Sequence

import msgspec
from sqlalchemy import (
    BigInteger,
    Connection,
    Text,
    Update,
    and_,
    bindparam,
    func,
    insert,
    literal,
    select,
    update,
)

from scorekeeper.store.standings import Line
from scorekeeper.store.tables import (
    ViewRow,
    players,
    rating_progress,
    ratings,
    results,
    standings,
)

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
_erase = (
    update(players)
    .where(
        players.c.league == bindparam("of_league"),
        players.c.player == bindparam("of_player"),
        players.c.name.is_not(None),
    )
    .values(name=None)
)
_page = (
    _named.where(players.c.player > bindparam("after"))
    .order_by(players.c.player)
    .limit(bindparam("limit"))
)

_NOTHING = 0
_of_league = bindparam("league", type_=Text)
_of_player = bindparam("player", type_=Text)

_line_columns = [standings.c[name] for name in Line.__struct_fields__]
_as_of = func.coalesce(rating_progress.c.as_of, literal(_NOTHING, BigInteger))
_rated = ratings.alias("rated")
_newest = (
    select(func.max(_rated.c.finished))
    .where(_rated.c.league == _of_league, _rated.c.player == _of_player)
    .scalar_subquery()
)
# Not EXISTS with a later result: PostgreSQL would expect to find one soon, and look at them all.
_last_result = func.coalesce(
    select(func.max(results.c.finished)).where(results.c.league == _of_league).scalar_subquery(),
    literal(_NOTHING, BigInteger),
)
_player_page = (
    select(
        players.c.name,
        ratings.c.mu,
        ratings.c.sigma,
        _as_of.label("as_of"),
        (_last_result > _as_of).label("behind"),
        *_line_columns,
    )
    .select_from(players)
    .outerjoin(standings, and_(standings.c.league == _of_league, standings.c.player == _of_player))
    .outerjoin(rating_progress, rating_progress.c.league == _of_league)
    .outerjoin(
        ratings,
        and_(
            ratings.c.league == _of_league,
            ratings.c.player == _of_player,
            ratings.c.finished == _newest,
        ),
    )
    .where(players.c.league == _of_league, players.c.player == _of_player)
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
    """Return the names of these players by slug. Players whose name was erased are left out."""
    found = connection.execute(_names, {"league": league, "players": list(slugs)})
    return {row.player: row.name for row in found}


def rename(connection: Connection, league: str, player: str, name: str) -> bool:
    """Give a player another name. Return whether there is such a player."""
    named = {"of_league": league, "of_player": player, "new_name": name}
    return connection.execute(_rename, named).rowcount == 1


def name_erased(league: str, player: str) -> tuple[Update, dict[str, str]]:
    """Return the statement that erases a player's name.

    It changes no row if the name is erased already.
    """
    return _erase, {"of_league": league, "of_player": player}


def page(
    connection: Connection, league: str, *, after: str | None, limit: int
) -> Sequence[NamedPlayer]:
    """Return players in order of slug, those after the slug `after`."""
    found = connection.execute(_page, {"league": league, "after": after or "", "limit": limit})
    return [NamedPlayer(*row) for row in found]


class StoredPage(msgspec.Struct, frozen=True, kw_only=True):
    """What a player's page shows.

    `mu` and `sigma` are in millionths, None until the player is rated. Results up to the position
    `as_of` are in the ratings of the league. `behind`: there are later results. `line` is None for
    a player who is not in the table. `name` is None once it was erased.
    """

    name: str | None
    mu: int | None
    sigma: int | None
    as_of: int
    behind: bool
    line: Line | None


def find_page(connection: Connection, league: str, player: str) -> StoredPage | None:
    """Return what a player's page shows, None if there is no such player."""
    row = connection.execute(_player_page, {"league": league, "player": player}).one_or_none()
    if row is None:
        return None
    return StoredPage(
        name=row.name,
        mu=row.mu,
        sigma=row.sigma,
        as_of=row.as_of,
        behind=bool(row.behind),
        line=None if row.player is None else Line(*row[-len(_line_columns) :]),
    )
