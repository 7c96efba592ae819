"""SQLite looks up one stream by an index, however large the league is."""

import re

import pytest
from sqlalchemy import create_engine, make_url
from sqlalchemy.dialects.sqlite import dialect

from scorekeeper.ledger.reading import ON_SQLITE
from scorekeeper.ledger.writing import statements as sql

OF_STREAMS = {
    "find_streams": sql.SQLITE.find_streams,
    "read_stream": sql.read_stream,
    "read_version": sql.read_version,
    "count_erased": sql.count_erased,
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
