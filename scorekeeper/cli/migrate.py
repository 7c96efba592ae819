"""`scorekeeper migrate`: bring a database to this program's schema.

Views that another version has written are rebuilt, here and when `serve` starts.
"""

import asyncio
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import click

from scorekeeper.cli.terminal.options import database_options
from scorekeeper.cli.terminal.output import counting
from scorekeeper.files import alone, keep_private
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.integrity.view_upgrade import ViewUpgrade
from scorekeeper.settings import Settings
from scorekeeper.store.migrate import check, upgrade

_STEPS = 10


async def rebuild_stale_views(settings: Settings) -> None:
    """Rebuild the stored views that another version wrote, and print the progress.

    Views that can't be rebuilt stay as they were, with a warning. Raises LedgerInUse,
    LedgerUnavailable.
    """
    async with await Ledger.open(settings.url, queues=1) as ledger:
        upkeep = ViewUpgrade(ledger)
        stale = await upkeep.stale()
        if not stale:
            return
        entries = sum(stale.values())
        click.echo(
            f"Another version wrote the lists and tables of {_counted(len(stale), 'league')}: they "
            f"are made anew from {_counted(entries, 'entry', 'entries')}."
        )
        with _progress(entries) as advance:
            await upkeep.run(stale, advance, _warn_of_stale)
        click.echo("All lists and tables were looked at.")


def _warn_of_stale(league: str, why: str) -> None:
    click.echo(
        f"Warning: {league}: its lists and tables stay as they were and may be wrong. {why} "
        f"`scorekeeper verify {league}` says more."
    )


@contextmanager
def _progress(entries: int) -> Generator[Callable[[int], None]]:
    """Show a bar on a terminal; else print a line for each tenth, which ends up in a log."""
    if sys.stderr.isatty():
        with counting("Lists and tables", entries) as bar:
            yield bar.advance
        return
    done = shown = 0

    def advance(more: int) -> None:
        nonlocal done, shown
        done += more
        reached = done * _STEPS // max(entries, 1)
        if shown < reached < _STEPS:
            shown = reached
            click.echo(f"  {reached * 100 // _STEPS} % of the entries are read.")

    yield advance


def _counted(number: int, one: str, more: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else more or f'{one}s'}"


@click.command()
@database_options
def migrate(database_url: str | None, data_dir: Path | None) -> None:
    """Bring the database to this program's schema; running it twice changes nothing.

    Lists and tables that another version wrote are rebuilt from the log, league by league. If this
    is interrupted, the next run goes on.
    """
    settings = Settings.load(database_url=database_url, data_dir=data_dir)
    asyncio.run(bring_up_to_date(settings))
    click.echo("The database is up to date.")


async def bring_up_to_date(settings: Settings) -> None:
    """Bring the schema up to date, then the stored views.

    Raises DatabaseNotReady, LedgerUnavailable, and LedgerInUse if a SQLite file is being served.
    """
    with alone(settings.url) if settings.on_sqlite else nullcontext():
        if settings.database_file is not None:
            keep_private(settings.database_file)
        await upgrade(settings.url)
    await check(settings.url)
    await rebuild_stale_views(settings)
