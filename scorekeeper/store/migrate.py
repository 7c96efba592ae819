"""Bringing a database to the tables that this program knows, and refusing one it does not know."""

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, event, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

import scorekeeper
from scorekeeper.store import stored_views

T = TypeVar("T")


class DatabaseNotReady(Exception):
    """The database does not have the tables that this program works with; the message says why."""


class NotMigrated(DatabaseNotReady):
    """The database lacks tables or columns that this program needs."""


class WrittenByNewer(DatabaseNotReady):
    """The database was migrated by a newer program than this."""


async def upgrade(url: str) -> None:
    """Bring the database to this program's tables; a SQLite file is made where there is none.

    All of it happens in one transaction. Raises WrittenByNewer.
    """
    file = _file(url)
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
    await _in_transaction(url, _upgrade)


async def check(url: str) -> None:
    """Raise WrittenByNewer or NotMigrated unless the database has just these tables.

    Whether what is in the views is up to date is another question (`stored_views`).
    """
    check_file(url)
    await _in_transaction(url, check_tables)


def check_file(url: str) -> None:
    """Raise NotMigrated where a SQLite file is named that is not there."""
    file = _file(url)
    if file is not None and not file.exists():
        raise NotMigrated(f"there is no database at {file}: run scorekeeper migrate")


def check_tables(connection: Connection) -> None:
    """Raise as `check` does; nothing is written."""
    found, known, newest = _revisions(connection)
    _refuse_newer(found, known, newest)
    if found != newest:
        raise NotMigrated(
            f"this database is at revision {found or 'none'}, this program needs {newest}: "
            "run scorekeeper migrate"
        )
    derivation = stored_views.newest(connection)
    if derivation > stored_views.DERIVATION:
        raise WrittenByNewer(
            "the stored views of this database were written by a newer scorekeeper (derivation "
            f"{derivation}; this program knows {stored_views.DERIVATION}): install that version or "
            "a later one"
        )


def check_known(connection: Connection) -> None:
    """Raise WrittenByNewer, or NotMigrated for a database that no such program ever migrated."""
    found, known, newest = _revisions(connection)
    _refuse_newer(found, known, newest)
    if found is None:
        raise NotMigrated("this is no database of a scorekeeper")


def _file(url: str) -> Path | None:
    """The file of a SQLite database."""
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite" or not parsed.database:
        return None
    return Path(parsed.database)


def _upgrade(connection: Connection) -> None:
    _refuse_newer(*_revisions(connection))
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _revisions(connection: Connection) -> tuple[str | None, frozenset[str], str | None]:
    """The database's revision, those that this program knows, and the newest of them."""
    scripts = ScriptDirectory.from_config(_config())
    known = frozenset(script.revision for script in scripts.walk_revisions())
    found = MigrationContext.configure(connection).get_current_revision()
    return found, known, scripts.get_current_head()


def _refuse_newer(found: str | None, known: frozenset[str], newest: str | None) -> None:
    if found is not None and found not in known:
        raise WrittenByNewer(
            f"this database was written by a newer scorekeeper (revision {found}; this program "
            f"knows {newest}): install that version or a later one"
        )


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_folder()).replace("%", "%%"))
    return config


def _folder() -> Path:
    """The migrations: inside the package where it was installed, beside it in a checkout."""
    package = Path(scorekeeper.__file__).parent
    installed = package / "migrations"
    return installed if installed.is_dir() else package.parent / "migrations"


def _begin_at_once(engine: Engine) -> None:
    """Let SQLite take its lock when a transaction begins, and change tables inside it."""

    @event.listens_for(engine, "connect")
    def leave_to_us(connection: DBAPIConnection, _: object) -> None:  # pyright: ignore[reportUnusedFunction]
        connection.isolation_level = None

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:  # pyright: ignore[reportUnusedFunction]
        connection.exec_driver_sql("BEGIN IMMEDIATE")


async def _in_transaction(url: str, work: Callable[[Connection], T]) -> T:
    engine = create_async_engine(url, poolclass=NullPool)
    if engine.dialect.name == "sqlite":
        _begin_at_once(engine.sync_engine)
    try:
        async with engine.begin() as connection:
            return await connection.run_sync(work)
    finally:
        await engine.dispose()
