"""`scorekeeper backup`: a copy of the database, while it is served."""

from pathlib import Path
from shlex import quote

import click

from scorekeeper.cli.terminal.ending import ended_in_order
from scorekeeper.cli.terminal.options import database_options
from scorekeeper.files import real_path
from scorekeeper.settings import Settings
from scorekeeper.sqlite import SIDE_FILES, address_of
from scorekeeper.store.backup import check_copy, copy_database


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--overwrite", is_flag=True, help="Replace FILE where there is one.")
@database_options
def backup(file: Path, overwrite: bool, database_url: str | None, data_dir: Path | None) -> None:
    """Copy a SQLite database to FILE, as of one moment; the service may be running."""
    settings = Settings.load(database_url=database_url, data_dir=data_dir)
    database = sqlite_file(settings)
    if any(real_path(file) == real_path(each) for each in _files_of(database)):
        raise click.ClickException(f"{file} is the database itself: name another file for a copy.")
    if file.exists() and not overwrite:
        raise click.ClickException(f"{file} is there already; --overwrite replaces it.")
    if not database.is_file():
        raise click.ClickException(f"There is no database at {database}.")
    check_copy(database)
    with ended_in_order():
        copy_database(database, file)
    click.echo(f"{database} is copied to {file}; `scorekeeper verify` checks a copy like this:")
    click.echo(f"  scorekeeper verify --backup --database-url {quote(address_of(file))}")


def _files_of(database: Path) -> list[Path]:
    return [database.with_name(database.name + end) for end in ("", *SIDE_FILES)]


def sqlite_file(settings: Settings) -> Path:
    """Return the file of the database. Raises ClickException if the database is no SQLite file."""
    if settings.database_file is None:
        raise click.ClickException(
            "This copies SQLite files; for PostgreSQL use pg_dump and pg_restore, as in "
            "docs/operations.md."
        )
    return settings.database_file
