"""`scorekeeper migrate`: bring a database to this program's schema."""

import asyncio
from contextlib import nullcontext
from pathlib import Path

import click

from scorekeeper.cli.terminal.options import database_options
from scorekeeper.cli.view_upgrade import rebuild_stale_views
from scorekeeper.ledger.files import alone, keep_private
from scorekeeper.settings import Settings
from scorekeeper.store.migrate import check, upgrade


@click.command()
@database_options
def migrate(database_url: str | None, data_dir: Path | None) -> None:
    """Bring the database to this program's schema; running it twice changes nothing.

    Lists and tables that another version wrote are made anew from the log, league by league; if it
    is interrupted, the next run goes on.
    """
    settings = Settings.load(database_url=database_url, data_dir=data_dir)
    asyncio.run(bring_up_to_date(settings))
    click.echo("The database is up to date.")


async def bring_up_to_date(settings: Settings) -> None:
    """Schema first, then the stored views.

    Raises DatabaseNotReady, LedgerUnavailable, and LedgerInUse where a SQLite file is being served.
    """
    with alone(settings.url) if settings.on_sqlite else nullcontext():
        if settings.database_file is not None:
            keep_private(settings.database_file)
        await upgrade(settings.url)
    await check(settings.url)
    await rebuild_stale_views(settings)
