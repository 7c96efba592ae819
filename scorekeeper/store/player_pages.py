"""Reading what a player's page shows in one statement, since each costs more than what it finds."""

import msgspec
from sqlalchemy import BigInteger, Connection, Text, and_, bindparam, func, literal, select

from scorekeeper.store.standings import Line
from scorekeeper.store.tables import players, rating_progress, ratings, results, standings

_NOTHING = 0
_league = bindparam("league", type_=Text)
_player = bindparam("player", type_=Text)

_line = [standings.c[name] for name in Line.__struct_fields__]
_as_of = func.coalesce(rating_progress.c.as_of, literal(_NOTHING, BigInteger))
_rated = ratings.alias("rated")
_newest = (
    select(func.max(_rated.c.finished))
    .where(_rated.c.league == _league, _rated.c.player == _player)
    .scalar_subquery()
)
# Not "is there a later one": of that PostgreSQL expects to find one soon, and looks at them all.
_last = func.coalesce(
    select(func.max(results.c.finished)).where(results.c.league == _league).scalar_subquery(),
    literal(_NOTHING, BigInteger),
)
_page = (
    select(
        players.c.name,
        ratings.c.mu,
        ratings.c.sigma,
        _as_of.label("as_of"),
        (_last > _as_of).label("behind"),
        *_line,
    )
    .select_from(players)
    .outerjoin(standings, and_(standings.c.league == _league, standings.c.player == _player))
    .outerjoin(rating_progress, rating_progress.c.league == _league)
    .outerjoin(
        ratings,
        and_(
            ratings.c.league == _league,
            ratings.c.player == _player,
            ratings.c.finished == _newest,
        ),
    )
    .where(players.c.league == _league, players.c.player == _player)
)


class StoredPage(msgspec.Struct, frozen=True, kw_only=True):
    """A player by name, and what is stored of the player.

    `mu` and `sigma` in millionths, None until there is a rating; `as_of`: results up to that
    position are in the ratings; `behind`: there are later ones.
    """

    name: str | None
    mu: int | None
    sigma: int | None
    as_of: int
    behind: bool
    line: Line | None


def find(connection: Connection, league: str, player: str) -> StoredPage | None:
    """None where there is no such player."""
    row = connection.execute(_page, {"league": league, "player": player}).one_or_none()
    if row is None:
        return None
    return StoredPage(
        name=row.name,
        mu=row.mu,
        sigma=row.sigma,
        as_of=row.as_of,
        behind=bool(row.behind),
        line=None if row.player is None else Line(*row[-len(_line) :]),
    )
