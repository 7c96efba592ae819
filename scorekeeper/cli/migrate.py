"""`scorekeeper migrate`: bring a database to this program's schema."""

from pathlib import Path

import click

from scorekeeper.cli.options import database_options
from scorekeeper.settings import Settings
from scorekeeper.store.migrate import NewerDatabaseError, upgrade


@click.command()
@database_options
def migrate(database_url: str | None, data_dir: Path | None) -> None:
    """Bring the database to this program's schema; running it twice changes nothing."""
    settings = Settings.load(database_url=database_url, data_dir=data_dir)
    try:
        upgrade(settings.url)
    except NewerDatabaseError as error:
        raise click.ClickException(str(error)) from error
    click.echo("The database is up to date.")
