"""Leagues spread over servers, tested without Citus: tables and statements fit its requirements."""

import re
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from tests.api.serving import note, serving
from tests.databases import PostgresServer, in_database
from tests.league_bound import OF_ALL_LEAGUES, OF_LEAGUES, ROOT, Statements, unbound

RECIPE = (ROOT / "deploy/citus/distribute.sql").read_text(encoding="utf-8")

# Each unique index with its ordered columns; then what Citus can't use in a schema, or refuses.
_KEYS = text("""
SELECT i.indrelid::regclass::text, array_agg(a.attname::text ORDER BY k.ord)
FROM pg_index i CROSS JOIN unnest(i.indkey) WITH ORDINALITY AS k (attnum, ord)
JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
WHERE i.indisunique AND i.indrelid::regclass::text IN
    (SELECT tablename FROM pg_tables WHERE schemaname = 'public')
GROUP BY i.indexrelid, i.indrelid
""")
_TABLES = text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
_REFUSED = text("""
SELECT tgname FROM pg_trigger WHERE NOT tgisinternal
UNION ALL SELECT conname FROM pg_constraint WHERE contype = 'f'
UNION ALL SELECT sequencename FROM pg_sequences
""")


def test_every_table_of_leagues_is_distributed_and_the_others_are_named(
    postgresql_url: str,
) -> None:
    distributed = re.findall(r"create_distributed_table\('(\w+)', 'league'", RECIPE)
    others = re.findall(
        r"\w+", RECIPE[RECIPE.index("connects:\n-- ") + 12 : RECIPE.index("\n\nCOMMIT")]
    )

    def tables(connection: Connection) -> set[str]:
        return set(connection.scalars(_TABLES))

    assert in_database(postgresql_url, tables) == {*distributed, *others}
    assert set(distributed) == OF_LEAGUES
    together = re.findall(
        r"create_distributed_table\('(\w+)', .*colocate_with => 'ledgers'", RECIPE
    )
    assert ["ledgers", *together] == distributed


def test_every_unique_key_begins_with_the_league(postgresql_url: str) -> None:
    def keys(connection: Connection) -> dict[str, list[list[str]]]:
        found: dict[str, list[list[str]]] = {}
        for table, columns in connection.execute(_KEYS):
            found.setdefault(table, []).append(columns)
        return found

    found = in_database(postgresql_url, keys)
    assert found.keys() >= OF_LEAGUES
    assert [
        (table, columns)
        for table in OF_LEAGUES
        for columns in found[table]
        if columns[0] != "league"
    ] == []


def test_nothing_that_reaches_over_servers_is_in_the_schema(postgresql_url: str) -> None:
    """Triggers, foreign keys and sequences."""

    def refused(connection: Connection) -> list[str]:
        return list(connection.scalars(_REFUSED))

    assert in_database(postgresql_url, refused) == []


# The row by which the product recognises Citus.
_PRETEND = text("""
INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
VALUES (999999, 'citus', 10, 11, false, '13.2')
""")
_JOINT = "ledger/writing/joint_statements.py: JointPostgresql.append"


@pytest.mark.parametrize("distributed", [False, True])
def test_leagues_are_written_together_only_where_one_server_has_them(
    *, distributed: bool, postgresql: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = postgresql.create(migrated=True)
    if distributed:
        in_database(url, lambda connection: connection.execute(_PRETEND))
    said = Statements()
    said.listen(monkeypatch)
    with serving(url) as served:
        matches = [served.league().match() for _ in range(12)]
        events = {"events": [note()]}
        for _ in range(4):
            answers = served.together(
                *(match.asking("POST", "/events", json=events) for match in matches)
            )
            assert {answer.status_code for answer in answers} == {201}
    said.stop()
    postgresql.drop(url)
    assert (_JOINT in said.places()) is not distributed


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT name FROM leagues WHERE league = $1::VARCHAR",
        "SELECT e.type FROM events AS e WHERE $1 = e.league AND (position > $2 OR position < $3)",
        """SELECT p.name FROM players p
        LEFT JOIN standings s ON s.league = $1 AND s.player = p.player WHERE p.league = $1""",
        "UPDATE ledgers SET size = $1 WHERE league = $2",
        """DELETE FROM answers WHERE answers.league = $1 AND key IN
        (SELECT key FROM answers WHERE answers.league = $1)""",
        "INSERT INTO players (player, league) VALUES ($1, $2::TEXT), ($3, $4::TEXT)",
        """WITH t AS (UPDATE ledgers SET size = $2 WHERE league = $1 RETURNING league)
        INSERT INTO players (league, player) SELECT t.league, n.p FROM t, (VALUES ($3)) AS n (p)""",
        "SELECT digest FROM admin_token",
    ],
)
def test_a_statement_names_its_league(statement: str) -> None:
    assert unbound(statement, "postgresql") == []


@pytest.mark.parametrize(
    ("statement", "table"),
    [
        ("SELECT name FROM leagues", "leagues"),
        ("SELECT name FROM leagues WHERE league > $1", "leagues"),
        ("SELECT name FROM leagues WHERE league = $1 OR name = $2", "leagues"),
        ("SELECT name FROM leagues WHERE NOT league = $1", "leagues"),
        ("SELECT name FROM leagues WHERE league IN ($1, $2)", "leagues"),
        ("SELECT name FROM leagues WHERE league = name", "leagues"),
        (
            """SELECT 1 FROM players p JOIN standings s ON s.league = p.league
            WHERE p.league = $1""",
            "standings",
        ),
        (
            """SELECT 1 FROM players p JOIN standings s ON s.player = p.player
            WHERE league = $1""",
            "standings",
        ),
        ("SELECT 1 FROM players WHERE league = $1 AND EXISTS (SELECT 1 FROM tokens)", "tokens"),
        ("UPDATE ledgers SET size = $1, league = $2", "ledgers"),
        ("DELETE FROM answers WHERE key = $1", "answers"),
        (
            """INSERT INTO players (league, player)
            SELECT t.league, t.name FROM tokens t WHERE t.league = $1""",
            "players",
        ),
    ],
)
def test_a_statement_that_does_not_is_found(statement: str, table: str) -> None:
    assert table in unbound(statement, "postgresql")


def test_each_exception_is_a_function_that_is_there() -> None:
    for place, reason in OF_ALL_LEAGUES.items():
        file, function = place.split(": ")
        name = function.replace(".<locals>.<lambda>", "").split(".")[-1]
        assert f"def {name}(" in Path(ROOT / "scorekeeper" / file).read_text(encoding="utf-8")
        assert reason
