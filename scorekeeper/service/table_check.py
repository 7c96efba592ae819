"""The stored views of a league's table, compared with those made anew beside them."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from sqlalchemy import Connection, Table, create_engine, func, insert, select

from scorekeeper.ledger.checking import Flaw
from scorekeeper.service.league_table import contributed
from scorekeeper.service.replay_check import LeagueReplay
from scorekeeper.store.tables import matches, meetings, metadata, results, standings

_COMPARED: Final = (results, meetings, standings)


def table_flaws(connection: Connection, league: str, replay: LeagueReplay) -> Iterator[Flaw]:
    """Every row and column of the league's table that a fresh fold makes otherwise.

    At which append a match was won is taken from the rows themselves, where it has to stand alike.
    """
    if replay.unreadable():
        return  # what a match that can't be replayed brought home nobody can tell
    engine = create_engine("sqlite://")
    try:
        with engine.connect() as beside:
            metadata.create_all(beside)
            _make_anew(beside, league, replay, _finished(connection, league))
            for table in _COMPARED:
                yield from _differences(table, _rows(connection, table, league), beside, league)
    finally:
        engine.dispose()


def _finished(connection: Connection, league: str) -> Mapping[str, int]:
    found = connection.execute(
        select(results.c.match, func.min(results.c.finished))
        .where(results.c.league == league)
        .group_by(results.c.match)
    )
    return {row[0]: row[1] for row in found}


def _make_anew(
    beside: Connection, league: str, replay: LeagueReplay, finished: Mapping[str, int]
) -> None:
    won = sorted(replay.brought(), key=lambda one: finished.get(one[0], 0))
    for match, opened_at, brought in won:
        # The only columns of it that a result is made from.
        row = {"league": league, "match": match, "opened_at": opened_at, "opened": 0}
        rest = {"edition": "", "status": "", "players": "", "winners": "", "open_disputes": 0}
        beside.execute(insert(matches).values(**row, **rest))
        for statement, parameters in contributed(
            league, match, {}, brought, finished.get(match, 0)
        ):
            beside.execute(statement, parameters)


def _rows(connection: Connection, table: Table, league: str) -> Iterator[Mapping[str, Any]]:
    rows = connection.execute(
        select(table).where(table.c.league == league).order_by(*table.primary_key)
    )
    for row in rows.mappings():
        yield dict(row)


def _differences(
    table: Table, stored: Iterator[Mapping[str, Any]], beside: Connection, league: str
) -> Iterator[Flaw]:
    keys = [column.name for column in table.primary_key if column.name != "league"]
    fresh = {tuple(row[key] for key in keys): row for row in _rows(beside, table, league)}
    for row in stored:
        name = tuple(row[key] for key in keys)
        wanted = fresh.pop(name, None)
        if wanted is None:
            yield _flaw(table, keys[0], f"has a row {name} that follows from no match")
            continue
        for column, said in wanted.items():
            if row[column] != said:
                what = f"has the {column} {row[column]!r} for {name}; a fresh fold has {said!r}"
                yield _flaw(table, column, what)
    for name in fresh:
        yield _flaw(table, keys[0], f"lacks the row {name}, which follows from the matches")


def _flaw(table: Table, column: str, what: str) -> Flaw:
    return Flaw("view-differs", f"The table {table.name} {what}.", None, f"{table.name}.{column}")
