"""The stored views of tournaments: the list of them, and what was played at their tables."""

import json
from collections.abc import Mapping, Sequence

import msgspec
from sqlalchemy import Connection, and_, bindparam, exists, insert, select, update

from scorekeeper.store.tables import ViewRow, tournament_tables, tournaments

_insert = insert(tournaments)
_insert_table = insert(tournament_tables)
_close = (
    update(tournaments)
    .where(
        tournaments.c.league == bindparam("of_league"),
        tournaments.c.tournament == bindparam("of_tournament"),
    )
    .values(closed=1)
)
_change_table = (
    update(tournament_tables)
    .where(
        tournament_tables.c.league == bindparam("of_league"),
        tournament_tables.c.tournament == bindparam("of_tournament"),
        tournament_tables.c.match == bindparam("of_match"),
    )
    .values(status=bindparam("new_status"), rounds=bindparam("new_rounds"))
)
_tables = select(
    tournament_tables.c.match, tournament_tables.c.status, tournament_tables.c.rounds
).where(
    tournament_tables.c.league == bindparam("league"),
    tournament_tables.c.tournament == bindparam("tournament"),
)
_open_tables = select(tournament_tables.c.match).where(
    tournament_tables.c.league == bindparam("league"),
    tournament_tables.c.tournament == bindparam("tournament"),
    tournament_tables.c.status == "open",
)
_names = (
    select(tournament_tables.c.match, tournaments.c.name)
    .join_from(
        tournament_tables,
        tournaments,
        and_(
            tournaments.c.league == bindparam("league"),
            tournaments.c.tournament == tournament_tables.c.tournament,
        ),
    )
    .where(
        tournament_tables.c.league == bindparam("league"),
        tournament_tables.c.tournament.in_(bindparam("tournaments", expanding=True)),
        tournament_tables.c.match.in_(bindparam("matches", expanding=True)),
    )
)
# The league is named again: a server of a distributed database has to see that it is the same.
_playing = exists(tournament_tables).where(
    tournament_tables.c.league == bindparam("league"),
    tournament_tables.c.tournament == tournaments.c.tournament,
    tournament_tables.c.status == "open",
)
_page = (
    select(tournaments, _playing.label("playing"))
    .where(tournaments.c.league == bindparam("league"))
    .order_by(tournaments.c.opened.desc())
    .limit(bindparam("limit"))
)


class ListedTournament(msgspec.Struct, frozen=True):
    """A tournament as it is listed; `opened` is the position of its opening.

    `playing`: some table has rounds left.
    """

    tournament: str
    opened: int
    name: str
    edition: str
    players: list[str]
    closed: bool
    opened_at: str
    playing: bool


class StoredTable(msgspec.Struct, frozen=True):
    """What was played at a table; `rounds` as the service wrote it, in JSON."""

    match: str
    status: str
    rounds: str


def added(
    *,
    league: str,
    tournament: str,
    opened: int,
    name: str,
    edition: str,
    players: Sequence[str],
    opened_at: str,
) -> ViewRow:
    return _insert, {
        "league": league,
        "tournament": tournament,
        "opened": opened,
        "name": name,
        "edition": edition,
        "players": json.dumps(list(players)),
        "closed": 0,
        "opened_at": opened_at,
    }


def closed(*, league: str, tournament: str) -> ViewRow:
    return _close, {"of_league": league, "of_tournament": tournament}


def table_added(*, league: str, tournament: str, match: str) -> ViewRow:
    return _insert_table, {
        "league": league,
        "tournament": tournament,
        "match": match,
        "status": "open",
        "rounds": "[]",
    }


def table_changed(*, league: str, tournament: str, match: str, status: str, rounds: str) -> ViewRow:
    return _change_table, {
        "of_league": league,
        "of_tournament": tournament,
        "of_match": match,
        "new_status": status,
        "new_rounds": rounds,
    }


def tables(connection: Connection, league: str, tournament: str) -> Sequence[StoredTable]:
    """Return the tables of a tournament, in no order."""
    found = connection.execute(_tables, {"league": league, "tournament": tournament})
    return [StoredTable(*row) for row in found]


def open_tables(connection: Connection, league: str, tournament: str) -> Sequence[str]:
    """Return the matches of the tables at which rounds are left to play, in no order."""
    asked = {"league": league, "tournament": tournament}
    return connection.scalars(_open_tables, asked).all()


def names(
    connection: Connection, league: str, tournament_of: Mapping[str, str]
) -> Mapping[str, str]:
    """Return the name of each match's tournament.

    A match that is no table of its tournament is left out.
    """
    asked = {
        "league": league,
        "tournaments": list({*tournament_of.values()}),
        "matches": list(tournament_of),
    }
    return {row.match: row.name for row in connection.execute(_names, asked)}


def page(
    connection: Connection, league: str, *, before: int | None, limit: int
) -> Sequence[ListedTournament]:
    """Return tournaments, the latest opened first, those opened before the position `before`."""
    wanted = _page if before is None else _page.where(tournaments.c.opened < before)
    return [
        ListedTournament(
            tournament=row.tournament,
            opened=row.opened,
            name=row.name,
            edition=row.edition,
            players=json.loads(row.players),
            closed=bool(row.closed),
            opened_at=row.opened_at,
            playing=bool(row.playing),
        )
        for row in connection.execute(wanted, {"league": league, "limit": limit})
    ]
