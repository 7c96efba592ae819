"""Parts of a ledger are looked up by an index, however large the league is."""

import re

import pytest
from sqlalchemy import create_engine, event, make_url, text
from sqlalchemy.dialects.sqlite import dialect
from sqlalchemy.engine import Engine

from scorekeeper.ledger.integrity.tree import Tree
from scorekeeper.ledger.reading import HEADERS_ON_SQLITE, ON_SQLITE, read_ledger_page
from scorekeeper.ledger.writing import kept_answers
from scorekeeper.ledger.writing import statements as sql
from tests.databases import within
from tests.ledger.asking import LEAGUE

OF_STREAMS = {
    "find_streams": sql.SQLITE.find_streams,
    "read_stream": sql.read_stream,
    "read_version": sql.read_version,
    "count_erased": sql.count_erased,
    "headers": HEADERS_ON_SQLITE,
    "last_recorded": ON_SQLITE,
}


@pytest.mark.parametrize("name", OF_STREAMS)
def test_a_stream_is_looked_up_and_the_league_is_not_gone_through(sqlite_url, name):
    compiled = OF_STREAMS[name].compile(dialect=dialect(paramstyle="named"))
    engine = create_engine(f"sqlite:///{make_url(sqlite_url).database}")
    with engine.connect() as connection:
        plan = connection.exec_driver_sql(
            f"EXPLAIN QUERY PLAN {compiled}", dict.fromkeys(compiled.params, "[]")
        )
        steps = [row.detail for row in plan if re.search(r"\bevents\b", row.detail)]
    engine.dispose()
    assert steps
    assert all("league=? AND stream=?" in step for step in steps), steps


KEPT_ANSWERS = {
    "an erased name": kept_answers._empty_about,
    "an erased name, lasting": kept_answers._delete_lasting_about,
    "erased entries": sql._erase_answers,
}


@pytest.mark.parametrize("about", KEPT_ANSWERS)
def test_the_kept_answers_about_what_is_erased_are_looked_up(sqlite_url, about):
    compiled = KEPT_ANSWERS[about].compile(dialect=dialect(paramstyle="named"))
    engine = create_engine(f"sqlite:///{make_url(sqlite_url).database}")
    with engine.connect() as connection:
        (step,) = connection.exec_driver_sql(
            f"EXPLAIN QUERY PLAN {compiled}", dict.fromkeys(compiled.params, "")
        )
    engine.dispose()
    assert "league=? AND about=?" in step.detail


HEADER = (
    '{"actor":"","digest":"","id":"","inferred":false,"log":"","position":1,"prev":null,'
    '"schema":1,"stream":"","time":"","told_by":null,"type":"","version":1}'
)
# A large league among small ones, which have most of the first positions.
ONE_LARGE = """
    INSERT INTO events
    SELECT league, position, 'league', position, gen_random_uuid(), '', 1,
        convert_to($1, 'UTF8'), '', '', ''
    FROM (
        SELECT 'large' AS league, generate_series(1, 4000) AS position
        UNION ALL SELECT 'small-' || nth, generate_series(1, 10) FROM generate_series(1, 600) AS nth
    ) AS places
"""
# By the estimates the whole table and a bitmap cost about the same. The latter is ruled out here,
# so that the outcome does not depend on which of them is a little cheaper.
CHOICE = ("ANALYZE events", "SET LOCAL enable_bitmapscan = off")
SEARCHED_WHOLE = "SELECT seq_scan FROM pg_stat_xact_user_tables WHERE relname = 'events'"
FIRST_PARTS = {
    "tree": lambda c: Tree(c, "large", 4_000).headers(0, 256),
    "page": lambda c: read_ledger_page(c, "large", 0, 100),
    "catching up": lambda c: sql.read_between(c, "large", 0, 256),
}


@pytest.mark.parametrize("part", FIRST_PARTS)
def test_the_first_entries_of_a_large_ledger_are_looked_up_among_many_small_ones(
    postgresql_url, run, part
):
    def searched_whole(connection):
        connection.exec_driver_sql(ONE_LARGE, (HEADER,))
        for statement in CHOICE:
            connection.execute(text(statement))
        before = connection.execute(text(SEARCHED_WHOLE)).scalar()
        FIRST_PARTS[part](connection)
        return connection.execute(text(SEARCHED_WHOLE)).scalar() - before

    assert run(within(postgresql_url, searched_whole)) == 0


def test_one_statement_asks_for_the_sizes_of_any_number_of_leagues(ledger, run, request):
    """A server keeps each statement prepared, which takes a megabyte for a thousand parameters."""
    said = []

    def note(_, _cursor, statement, *_rest):
        said.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    request.addfinalizer(lambda: event.remove(Engine, "before_cursor_execute", note))
    assert run(ledger.sizes([LEAGUE])) == {LEAGUE: 1}
    assert run(ledger.sizes(["away", LEAGUE, "none"])) == {LEAGUE: 1}
    assert run(ledger.sizes([])) == {}
    assert len(said) == 3
    assert len(set(said)) == 1
