"""What lies beside the log, compared with a fresh fold of it.

Names of leagues, players and tokens, and the hashes of tokens, stand in no ledger: of them it is
only checked that they are there. An export's signed manifest covers the names in it.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import asdict
from sqlalchemy import Connection

from scorekeeper.ledger.checking import Flaw
from scorekeeper.service.integrity.replay_check import LeagueReplay
from scorekeeper.service.standings.rating import rated_after
from scorekeeper.store import stored_views
from scorekeeper.store.ratings import as_of, played
from scorekeeper.store.rows_of_league import key_of, rows_of
from scorekeeper.store.tables import (
    leagues,
    matches,
    meetings,
    players,
    ratings,
    results,
    standings,
    tokens,
    tournament_tables,
    tournaments,
)

_DIGEST_BYTES = 32

Expected = Mapping[str, Mapping[str, object] | None]
"""What each row should be, column by column; None: nobody can tell."""


def view_flaws(connection: Connection, league: str, replay: LeagueReplay) -> Iterator[Flaw]:
    """Every row and column that is not as the entries of the league have it."""
    if not any(True for _ in rows_of(connection, leagues, league)):
        yield Flaw("row-missing", "The league has no name.", None, "leagues.league")
    if not stored_views.is_up_to_date(connection, league):
        yield Flaw(
            "views-outdated",
            "The lists and tables were written by another version of this program: `scorekeeper "
            "migrate` makes them anew.",
            None,
            "stored_views.derivation",
        )
    fresh = dict(replay.rows())
    yield from _compared("matches", "match", fresh, rows_of(connection, matches, league))
    fresh = dict(replay.tournaments())
    rows = rows_of(connection, tournaments, league)
    yield from _compared("tournaments", "tournament", fresh, rows)
    fresh = dict(replay.tables())
    rows = rows_of(connection, tournament_tables, league)
    yield from _compared("tournament_tables", "match", fresh, rows)
    if None not in dict(replay.rows()).values():
        # Or else nobody can tell what a match that can't be replayed brought home.
        yield from _table(connection, league, replay)
    yield from _ratings(connection, league, replay)
    yield from _players(connection, league, replay)
    yield from _tokens(connection, league, replay)


def _table(connection: Connection, league: str, replay: LeagueReplay) -> Iterator[Flaw]:
    table = replay.table()
    for view, rows_fresh in (
        (results, table.results()),
        (meetings, table.meetings()),
        (standings, table.standings()),
    ):
        keyed = ({**row, "key": key_of(view, row)} for row in rows_of(connection, view, league))
        yield from _compared(view.name, "key", dict(rows_fresh), keyed)


def _ratings(connection: Connection, league: str, replay: LeagueReplay) -> Iterator[Flaw]:
    """They follow behind the results, which were checked before: as far as they have come."""
    until, size = as_of(connection, league), replay.size
    if until > size:
        yield Flaw(
            "view-differs",
            f"The ratings are as of position {until}; the ledger has {size} entries.",
            None,
            "rating_progress.as_of",
        )
    on = played(connection, league, after=0, until=until)
    fresh = {f"{each.player}/{each.finished}": asdict(each) for each in rated_after((), on)}
    keyed = ({**row, "key": key_of(ratings, row)} for row in rows_of(connection, ratings, league))
    yield from _compared("ratings", "key", fresh, keyed)


def _players(connection: Connection, league: str, replay: LeagueReplay) -> Iterator[Flaw]:
    rows = list(rows_of(connection, players, league))
    expected = {
        player: {"player": player, "registered": position}
        for player, position in replay.players.items()
    }
    yield from _compared("players", "player", expected, iter(rows))
    for row in rows:
        if row["name"] is None and row["player"] not in replay.nameless:
            yield Flaw(
                "name-missing",
                f"The player {row['player']} has no name, and no entry tells that it was erased.",
                None,
                "players.name",
            )


def _tokens(connection: Connection, league: str, replay: LeagueReplay) -> Iterator[Flaw]:
    rows = list(rows_of(connection, tokens, league))
    expected = {
        token_id: {
            "token_id": token_id,
            "role": token.role,
            "made_at": token.made_at,
            "revoked_at": token.revoked_at,
        }
        for token_id, token in replay.tokens.items()
    }
    yield from _compared("tokens", "token_id", expected, iter(rows))
    for row in rows:
        if len(row["digest"]) != _DIGEST_BYTES:
            yield Flaw(
                "digest-torn",
                f"The token {row['token_id']} has a hash of {len(row['digest'])} bytes.",
                None,
                "tokens.digest",
            )


def _compared(
    table: str, key: str, expected: Expected, rows: Iterator[Mapping[str, Any]]
) -> Iterator[Flaw]:
    """Rows that are missing, too many, or have a column that differs."""
    left = dict(expected)
    for row in rows:
        name = row[key]
        known = name in left
        wanted = left.pop(name, None)
        if not known:
            yield Flaw(
                "row-unknown",
                f"The table {table} has the {key} {name!r}, of which the ledger knows nothing.",
                None,
                f"{table}.{key}",
            )
        for column, said in (wanted or {}).items():
            if row[column] != said:
                yield Flaw(
                    "view-differs",
                    f"The {key} {name} has the {column} {row[column]!r} in the table {table}; "
                    f"a fresh fold has {said!r}.",
                    None,
                    f"{table}.{column}",
                )
    for name in left:
        yield Flaw(
            "row-missing",
            f"The table {table} lacks the {key} {name}, which the ledger has.",
            None,
            f"{table}.{key}",
        )
