"""Bringing a database to the tables that this program knows, and refusing one it does not know."""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import unquote

from sqlalchemy import URL, Connection, column, create_engine, inspect, make_url, select, table
from sqlalchemy.exc import DatabaseError
from sqlalchemy.pool import NullPool

import scorekeeper
from scorekeeper.sqlite import FILE_ERRORS, begin_at_once, file_at
from scorekeeper.store import views

# Alembic is imported only where a database is migrated. It takes a tenth of a second, and mostly
# there is nothing to migrate.
if TYPE_CHECKING:
    from alembic.config import Config

T = TypeVar("T")

_VERSION_TABLE = table("alembic_version", column("version_num"))


class DatabaseNotReady(Exception):
    """The database does not have the tables that this program works with; the message says why."""


class NotMigrated(DatabaseNotReady):
    """The database lacks tables or columns that this program needs."""


class WrittenByNewer(DatabaseNotReady):
    """The database was migrated by a newer program than this."""


async def upgrade(url: str) -> None:
    """Bring the database to this program's tables. A missing SQLite file is made, with its folder.

    All of it happens in one transaction. Raises DatabaseNotReady, and OSError if the folder can't
    be made.
    """
    file = file_at(url)
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
    try:
        await _in_transaction(url, _upgrade)
    except DatabaseError:
        # Another process may have made the same tables at the same moment.
        if not await _in_transaction(url, _is_newest):
            raise


async def check(url: str) -> None:
    """Raise DatabaseNotReady unless the database answers and has just these tables.

    This does not check whether the rows of the stored views are up to date (see `store/views`).
    """
    check_file(url)
    await _in_transaction(url, check_tables)


def check_file(url: str) -> None:
    """Raise NotMigrated if `url` names a SQLite file that does not exist."""
    file = file_at(url)
    if file is not None and not file.is_file():
        raise NotMigrated(f"there is no database at {file}: run scorekeeper migrate")


def check_tables(connection: Connection) -> None:
    """Raise as `check` does; nothing is written."""
    try:
        found = _revision(connection)
    except DatabaseError as error:
        if not is_no_database(error):
            raise
        file = unquote((connection.engine.url.database or "").removeprefix("file:"))
        raise NotMigrated(f"{file} is no database of a scorekeeper: {error.orig}") from error
    _refuse_newer(found)
    if found != _newest():
        raise NotMigrated(
            f"this database is at revision {found or 'none'}, this program needs {_newest()}: "
            "run scorekeeper migrate"
        )
    derivation = views.newest(connection)
    if derivation > views.DERIVATION:
        raise WrittenByNewer(
            "the stored views of this database were written by a newer scorekeeper (derivation "
            f"{derivation}; this program knows {views.DERIVATION}): install that version or "
            "a later one"
        )


def check_known(connection: Connection, name: object) -> None:
    """Raise WrittenByNewer, or NotMigrated if this program never migrated the database.

    `name` is what the message calls the database.
    """
    found = _revision(connection)
    _refuse_newer(found)
    if found is None:
        raise NotMigrated(f"{name} is no database of a scorekeeper")


def _upgrade(connection: Connection) -> None:
    found = _revision(connection)
    _refuse_newer(found)
    if found == _newest():
        return
    from alembic import command

    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _is_newest(connection: Connection) -> bool:
    return _revision(connection) == _newest()


def _config() -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_folder()).replace("%", "%%"))
    return config


def _revision(connection: Connection) -> str | None:
    """Return the revision of the database, as Alembic has noted it; None if it did not.

    Raises DatabaseNotReady if it noted several.
    """
    if not inspect(connection).has_table(_VERSION_TABLE.name):
        return None
    noted = sorted(connection.execute(select(_VERSION_TABLE.c.version_num)).scalars())
    if len(noted) > 1:
        raise DatabaseNotReady(
            f"this database has noted the revisions {' and '.join(noted)}, where one belongs: a "
            "backup was probably restored into a database with tables of its own. Restore it into "
            "an empty one, then run scorekeeper migrate"
        )
    return noted[0] if noted else None


@cache
def _revisions() -> Sequence[str]:
    """Return all revisions that this program knows, in order. Files are named after them."""
    return sorted(file.name.partition("_")[0] for file in _folder().glob("versions/*.py"))


def _newest() -> str:
    return _revisions()[-1]


def _refuse_newer(found: str | None) -> None:
    if found is not None and found not in _revisions():
        raise WrittenByNewer(
            f"this database was written by a newer scorekeeper (revision {found}; this program "
            f"knows {_newest()}): install that version or a later one"
        )


def _folder() -> Path:
    """Return the migrations: inside the package where it was installed, beside it in a checkout."""
    package = Path(scorekeeper.__file__).parent
    installed = package / "migrations"
    return installed if installed.is_dir() else package.parent / "migrations"


def is_no_database(error: DatabaseError) -> bool:
    """Return whether SQLite finds something else in a file than a database."""
    return getattr(error.orig, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB


async def _in_transaction(url: str, work: Callable[[Connection], T]) -> T:
    """Run `work` in one transaction. Raises DatabaseNotReady if the database can't be reached."""
    file = file_at(url)
    if file is not None:
        return await asyncio.to_thread(_in_file, file, work)
    # Not imported at the top: on SQLite nobody needs it, and its driver.
    from scorekeeper.postgres import in_own_words, postgres_engine

    engine = postgres_engine(make_url(url))
    try:
        try:
            connection = await engine.connect()
        except Exception as error:  # drivers raise what they like when they connect
            shown = make_url(url).render_as_string(hide_password=True)
            why = in_own_words(error)
            raise DatabaseNotReady(f"the database {shown} can't be reached: {why}") from error
        try:
            async with connection.begin():
                return await connection.run_sync(work)
        finally:
            await connection.close()
    finally:
        await engine.dispose()


def _in_file(file: Path, work: Callable[[Connection], T]) -> T:
    # The driver must not end the transaction when tables are changed.
    driver = {"isolation_level": None}
    url = URL.create("sqlite", database=str(file))
    engine = create_engine(url, poolclass=NullPool, connect_args=driver)
    begin_at_once(engine)
    try:
        with engine.begin() as connection:
            return work(connection)
    except DatabaseError as error:
        if getattr(error.orig, "sqlite_errorcode", 0) & 0xFF not in FILE_ERRORS:
            raise
        raise DatabaseNotReady(f"the database {file} can't be used: {error.orig}") from error
    finally:
        engine.dispose()
