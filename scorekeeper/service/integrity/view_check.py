"""What lies beside the log, compared with a fresh fold of it.

Names of leagues, players and tokens, and the hashes of tokens, stand in no ledger: of them it is
only checked that they are there. An export's signed manifest covers the names in it.
"""

from collections.abc import Iterator

from sqlalchemy import Connection, select

from scorekeeper.ledger.reading.checking import Flaw
from scorekeeper.service.integrity.comparing import Comparison, Difference, FreshView
from scorekeeper.service.integrity.fresh_views import FreshViews, fresh_ratings
from scorekeeper.service.integrity.replay_check import LeagueReplay
from scorekeeper.store import leagues, ratings, tables, views
from scorekeeper.store.view_rows import rows_of
from scorekeeper.store.views import StoredView

_DIGEST_BYTES = 32


def view_flaws(connection: Connection, league: str, replay: LeagueReplay) -> Iterator[Flaw]:
    """Every row and column that is not as the entries of the league have it."""
    if leagues.name(connection, league) is None:
        yield Flaw("row-missing", "The league has no name.", None, "leagues.league")
    if not views.is_up_to_date(connection, league):
        yield Flaw(
            "views-outdated",
            "The lists and tables were written by another version of this program: `scorekeeper "
            "migrate` makes them anew.",
            None,
            "stored_views.derivation",
        )
    fresh = FreshViews(replay)
    fresh.bring_up()
    for each in fresh.views():
        yield from _compared(connection, league, each)
    yield from _ratings(connection, league, replay.size)
    yield from _names(connection, league, replay)


def _compared(connection: Connection, league: str, fresh: FreshView) -> Iterator[Flaw]:
    comparison = Comparison(fresh)
    for found in comparison.take(rows_of(connection, fresh.view, league)):
        yield from _flaws(fresh.view, found)
    for found in comparison.end():
        yield from _flaws(fresh.view, found)


def _ratings(connection: Connection, league: str, size: int) -> Iterator[Flaw]:
    """They follow behind the results, which were checked before: as far as they have come."""
    until = ratings.as_of(connection, league)
    if until > size:
        yield Flaw(
            "view-differs",
            f"The ratings are as of position {until}; the ledger has {size} entries.",
            None,
            "rating_progress.as_of",
        )
    on = ratings.played(connection, league, after=0, until=until)
    yield from _compared(connection, league, fresh_ratings(on))


def _flaws(view: StoredView, found: Difference) -> Iterator[Flaw]:
    table = view.name
    column = view.key_names[0] if len(view.key_names) == 1 else "key"
    key = "/".join(map(str, found.key))
    if found.fresh is None:
        detail = f"The table {table} has the {column} {key!r}, of which the ledger knows nothing."
        yield Flaw("row-unknown", detail, None, f"{table}.{column}")
    elif found.stored is None:
        detail = f"The table {table} lacks the {column} {key}, which the ledger has."
        yield Flaw("row-missing", detail, None, f"{table}.{column}")
    else:
        for name, said in found.changed.items():
            yield Flaw(
                "view-differs",
                f"The {column} {key} has the {name} {found.stored[name]!r} in the table {table}; "
                f"a fresh fold has {said!r}.",
                None,
                f"{table}.{name}",
            )


def _names(connection: Connection, league: str, replay: LeagueReplay) -> Iterator[Flaw]:
    """Of what follows from no log: what can't be right."""
    players, tokens = tables.players, tables.tokens
    nameless = select(players.c.player).where(players.c.league == league, players.c.name.is_(None))
    for player in connection.execute(nameless.order_by(players.c.player)).scalars():
        if player not in replay.nameless:
            detail = f"The player {player} has no name, and no entry tells that it was erased."
            yield Flaw("name-missing", detail, None, "players.name")
    digests = select(tokens.c.token_id, tokens.c.digest).where(tokens.c.league == league)
    for token_id, digest in connection.execute(digests.order_by(tokens.c.token_id)):
        if len(digest) != _DIGEST_BYTES:
            detail = f"The token {token_id} has a hash of {len(digest)} bytes."
            yield Flaw("digest-torn", detail, None, "tokens.digest")
