"""All rows of a league in the tables beside the log, written at once."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from sqlalchemy import Connection, Table, insert

from scorekeeper.store import stored_views, tables

_PART = 1_000

Columns = Mapping[str, object]


def write(
    connection: Connection,
    league: str,
    *,
    name: str,
    players: Iterable[Columns],
    tokens: Iterable[Columns],
    matches: Iterable[Columns],
    tournaments: Iterable[Columns],
    tournament_tables: Iterable[Columns],
    results: Iterable[Columns],
    meetings: Iterable[Columns],
    standings: Iterable[Columns],
) -> None:
    """Rows are given without their league, within the caller's transaction."""
    for table, rows in (
        (tables.leagues, [{"name": name}]),
        (tables.players, players),
        (tables.tokens, tokens),
        (tables.matches, matches),
        (tables.tournaments, tournaments),
        (tables.tournament_tables, tournament_tables),
        (tables.results, results),
        (tables.meetings, meetings),
        (tables.standings, standings),
        (tables.stored_views, [{"derivation": stored_views.DERIVATION}]),
    ):
        for part in _parts(table, league, rows):
            connection.execute(insert(table), part)


def _parts(table: Table, league: str, rows: Iterable[Columns]) -> Iterator[list[dict[str, object]]]:
    following = ({**row, "league": league} for row in rows)
    while part := list(islice(following, _PART)):
        yield part
