"""The tables that the migrations make, and databases that this program must not touch."""

import asyncio
import re
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import BigInteger, Integer, inspect, make_url, text

from scorekeeper.ledger import tables as ledger_tables
from scorekeeper.postgres import postgres_engine
from scorekeeper.store import tables as store_tables
from scorekeeper.store.migrate import (
    DatabaseNotReady,
    NotMigrated,
    WrittenByNewer,
    _config,
    _revisions,
    _upgrade,
    check,
    upgrade,
)
from tests.databases import within

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("scorekeeper", "migrations")
METADATA = [ledger_tables.metadata, store_tables.metadata]
# Tables of the admin and of the installation belong to no league. The last is Alembic's own.
WITHOUT_LEAGUE = {
    "admin_token",
    "admin_sessions",
    "setup_code",
    "signing_keys",
    "alembic_version",
}
# A code does not name its league, so this index does not begin with it. It is not unique, so that
# every node of a distributed database can have its own part.
ACROSS_LEAGUES = {"invitations_digest"}


def execute(statement):
    return lambda connection: connection.execute(text(statement))


def test_the_migrations_make_the_tables_that_the_program_uses(database_url, run):
    def differences(connection):
        return compare_metadata(MigrationContext.configure(connection), METADATA)

    assert run(within(database_url, differences)) == []
    run(check(database_url))


def test_a_migration_is_in_a_file_that_is_named_after_its_revision():
    """The files' names alone tell which revision is the newest."""
    scripts = ScriptDirectory.from_config(_config())
    *_, newest = known = _revisions()
    assert newest == scripts.get_current_head()
    assert known == sorted(each.revision for each in scripts.walk_revisions())


def test_migrating_twice_changes_nothing(database_url, run):
    run(upgrade(database_url))
    run(check(database_url))


def test_every_key_begins_with_the_league(database_url, run):
    def keys(connection):
        seen = inspect(connection)
        for table in set(seen.get_table_names()) - WITHOUT_LEAGUE:
            yield table, seen.get_pk_constraint(table)["constrained_columns"]
            for unique in seen.get_unique_constraints(table):
                yield table, unique["column_names"]
            for index in seen.get_indexes(table):
                if index["name"] not in ACROSS_LEAGUES:
                    yield table, index["column_names"]

    found = run(within(database_url, lambda connection: list(keys(connection))))
    assert {table for table, _ in found} == {
        table for metadata in METADATA for table in metadata.tables
    } - WITHOUT_LEAGUE
    assert [(table, columns) for table, columns in found if columns[0] != "league"] == []


def test_all_whole_numbers_have_64_bits():
    columns = [
        column
        for metadata in METADATA
        for table in metadata.tables.values()
        for column in table.columns
        if isinstance(column.type, Integer)
    ]
    assert columns
    assert [column for column in columns if not isinstance(column.type, BigInteger)] == []


def test_nothing_counts_or_fires_by_itself_on_postgresql(postgresql_url, run):
    active = "SELECT count(*) FROM pg_class WHERE relkind = 'S'"
    fired = "SELECT count(*) FROM pg_trigger"
    generated = (
        "SELECT count(*) FROM information_schema.columns WHERE table_schema = 'public' "
        "AND (is_identity = 'YES' OR column_default IS NOT NULL OR is_generated <> 'NEVER')"
    )
    for statement in (active, fired, generated):
        assert run(within(postgresql_url, lambda c, s=statement: c.execute(text(s)).scalar())) == 0


def test_nothing_counts_or_fires_by_itself_on_sqlite(sqlite_url, run):
    made = run(
        within(sqlite_url, lambda c: c.execute(text("SELECT type, sql FROM sqlite_master")).all())
    )
    assert {kind for kind, _ in made} == {"table", "index"}
    assert [sql for _, sql in made if sql and "AUTOINCREMENT" in sql.upper()] == []


def test_no_statement_takes_what_lives_beside_the_rows():
    """Advisory locks, triggers and counters know no ledger and are not moved with its rows."""
    beside = re.compile(
        r"pg_(try_)?advisory|CREATE\s+(OR\s+REPLACE\s+|CONSTRAINT\s+|TEMP\s+)*TRIGGER|nextval"
        r"|\b(BIG|SMALL)?SERIAL\b|AS\s+IDENTITY|\b(Sequence|Identity)\(|autoincrement=True",
        re.IGNORECASE,
    )
    sources = [path for place in SOURCES for path in sorted((ROOT / place).rglob("*.py"))]
    assert len(sources) > 100
    assert {
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in sources
        for found in beside.finditer(path.read_text(encoding="utf-8"))
    } == set()


def test_a_database_that_was_not_migrated_is_refused(empty_database_url, run):
    with pytest.raises(NotMigrated, match="run scorekeeper migrate"):
        run(check(empty_database_url))
    run(upgrade(empty_database_url))
    run(check(empty_database_url))


def test_checking_makes_no_file(tmp_path, run):
    with pytest.raises(NotMigrated):
        run(check(f"sqlite+aiosqlite:///{tmp_path / 'none.sqlite3'}"))
    assert list(tmp_path.iterdir()) == []


def test_migrating_makes_the_folder_of_the_file(tmp_path, run):
    run(upgrade(f"sqlite+aiosqlite:///{tmp_path / 'new' / 'folder' / 'a.sqlite3'}"))
    assert (tmp_path / "new" / "folder" / "a.sqlite3").is_file()


def test_a_newer_database_is_refused(database_url, run):
    run(within(database_url, execute("UPDATE alembic_version SET version_num = '9999'")))
    for refusing in (check, upgrade):
        with pytest.raises(WrittenByNewer, match="written by a newer scorekeeper"):
            run(refusing(database_url))
    assert issubclass(WrittenByNewer, DatabaseNotReady)


def test_a_database_with_the_tables_of_two_is_refused(database_url, run):
    """As after a backup was restored into a database that was migrated already."""
    run(within(database_url, execute("INSERT INTO alembic_version VALUES ('0012')")))
    for refusing in (check, upgrade):
        with pytest.raises(DatabaseNotReady, match=f"0012 and {_revisions()[-1]}.*empty one"):
            run(refusing(database_url))


def test_a_migration_that_fails_leaves_nothing_behind(empty_database_url, run):
    run(within(empty_database_url, execute("CREATE TABLE matches (own text)")))
    with pytest.raises(Exception, match="matches"):
        run(upgrade(empty_database_url))
    tables = run(within(empty_database_url, lambda c: inspect(c).get_table_names()))
    assert set(tables) - {"alembic_version"} == {"matches"}


@pytest.mark.parametrize("empty_database_url", ["postgresql"], indirect=True)
def test_two_that_migrate_at_once_are_both_done(empty_database_url, run):
    """As on two machines. The second one waits for what the first has not committed yet."""
    url = empty_database_url
    waiting = text(
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )

    async def story():
        engine = postgres_engine(make_url(url))
        async with engine.connect() as first, engine.connect() as looking:
            await first.run_sync(_upgrade)
            second = asyncio.create_task(upgrade(url))
            while not (await looking.execute(waiting)).scalar_one():
                await looking.rollback()
            await first.commit()
            await second
        await engine.dispose()

    run(story())
    run(check(url))


def test_matches_from_before_there_were_disputes_have_none(database_url, run):
    def to(step, revision):
        def migrate(connection):
            config = _config()
            config.attributes["connection"] = connection
            step(config, revision)

        return migrate

    run(within(database_url, to(command.downgrade, "0004")))
    columns = "league, match, opened, edition, status, players, winners, opened_at"
    values = "'home', 'one', 1, 'basic', 'open', '[]', '[]', ''"
    run(within(database_url, execute(f"INSERT INTO matches ({columns}) VALUES ({values})")))
    run(within(database_url, to(command.upgrade, "head")))
    listed = text("SELECT match, open_disputes FROM matches")
    assert run(within(database_url, lambda c: c.execute(listed).all())) == [("one", 0)]


def test_the_migrations_can_be_taken_back(database_url, run):
    def downgrade(connection):
        config = _config()
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
        return inspect(connection).get_table_names()

    assert run(within(database_url, downgrade)) == ["alembic_version"]
