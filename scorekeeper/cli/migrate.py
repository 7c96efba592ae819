"""`scorekeeper migrate`: bring a database to this program's schema."""

import asyncio
from pathlib import Path

import click

from scorekeeper.cli.options import database_options
from scorekeeper.settings import Settings
from scorekeeper.store.migrate import DatabaseNotReady, upgrade


@click.command()
@database_options
def migrate(database_url: str | None, data_dir: Path | None) -> None:
    """Bring the database to this program's schema; running it twice changes nothing."""
    settings = Settings.load(database_url=database_url, data_dir=data_dir)
    try:
        asyncio.run(upgrade(settings.url))
    except DatabaseNotReady as error:
        raise click.ClickException(str(error)) from error
    click.echo("The database is up to date.")
