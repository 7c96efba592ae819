"""The slugs of what a league has."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from sqlalchemy import Connection, Select, bindparam, select

from scorekeeper.store.tables import matches, players, tournaments

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


def slugs(connection: Connection, league: str, named: Named, *, most: int) -> Sequence[str]:
    """As many as `most`: players by slug, all else the latest first."""
    found: Sequence[str] = (
        connection.execute(_SLUGS[named], {"league": league, "most": most}).scalars().all()
    )
    return found
