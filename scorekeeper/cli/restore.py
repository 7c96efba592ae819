"""`scorekeeper restore`: replace the database by a backup.

Both `restore` and `serve` warn of a database that is older than its last signed checkpoint.
"""

import asyncio
from contextlib import suppress
from pathlib import Path

import click

from scorekeeper.cli.backup import sqlite_file
from scorekeeper.cli.terminal.ending import ended_in_order
from scorekeeper.cli.terminal.options import database_options
from scorekeeper.files import alone
from scorekeeper.service.integrity.signed import logs_behind
from scorekeeper.settings import Settings
from scorekeeper.store.backup import check_copy, copy_database
from scorekeeper.store.migrate import DatabaseNotReady


async def warn_if_older(settings: Settings) -> None:
    """Warn if the database is older than its last signed checkpoint.

    Raises DatabaseNotReady, and OSError if the checkpoints can't be read.
    """
    behind = await logs_behind(settings.url, settings.evidence_files)
    if behind:
        click.echo(
            f"Warning: the database is older than the last checkpoint of {behind} of its logs, as "
            "after an older backup was restored; `scorekeeper doctor` names them."
        )


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option("--overwrite", is_flag=True, help="Replace the database that is there.")
@database_options
def restore(file: Path, overwrite: bool, database_url: str | None, data_dir: Path | None) -> None:
    """Put the backup in FILE in place of a SQLite database; stop the service first."""
    settings = Settings.load(database_url=database_url, data_dir=data_dir)
    database = sqlite_file(settings)
    check_copy(file)
    with ended_in_order(), alone(settings.url):
        if database.exists() and not overwrite:
            raise click.ClickException(
                f"There is a database at {database}; --overwrite gives it up for the backup."
            )
        copy_database(file, database)
    click.echo(f"{file} is restored to {database}.")
    # A backup of an older version is checked once `serve` has migrated it.
    with suppress(DatabaseNotReady):
        asyncio.run(warn_if_older(settings))
    click.echo("Check it with `scorekeeper verify --backup` before you serve it.")
