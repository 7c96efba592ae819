"""`scorekeeper rebuild`: rebuild the stored views from the log."""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from scorekeeper.cli.terminal.failures import why_refused
from scorekeeper.cli.terminal.options import database_options
from scorekeeper.cli.terminal.output import counting
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.integrity.rebuilding import Rebuilding, RebuiltView
from scorekeeper.service.refused import Refused
from scorekeeper.settings import Settings
from scorekeeper.store.migrate import check
from scorekeeper.store.tables import results

NOT_ALL = 1


@click.command()
@click.argument("leagues", metavar="[LEAGUE]...", nargs=-1)
@database_options
def rebuild(leagues: tuple[str, ...], database_url: str | None, data_dir: Path | None) -> None:
    """Rebuild the lists and tables of all leagues, or of those that are named, from the log.

    Only rows that differ are written, in one transaction, and appends go on meanwhile. On SQLite a
    running service has to be asked instead: POST /v1/leagues/LEAGUE/rebuild. The exit code is 1 if
    something was left as it was.
    """
    settings = Settings.load(database_url=database_url, data_dir=data_dir)
    if not asyncio.run(_rebuild_all(settings.url, leagues)):
        sys.exit(NOT_ALL)


async def _rebuild_all(url: str, leagues: Sequence[str]) -> bool:
    """Rebuild these leagues, by default all. Return False if a view could not be rebuilt."""
    await check(url)
    whole = True
    async with await Ledger.open(url, queues=1) as ledger:
        rebuilding = Rebuilding(ledger)
        for league in leagues or await rebuilding.leagues():
            whole &= await _rebuild(rebuilding, league)
        for stranger in () if leagues else await rebuilding.strangers():
            click.echo(_summary(await rebuilding.sweep(stranger)))
    return whole


async def _rebuild(rebuilding: Rebuilding, league: str) -> bool:
    try:
        with counting(league, await rebuilding.size(league)) as progress:
            rebuilt = await rebuilding.rebuild(league, progress.advance)
    except Refused as error:
        click.echo(f"{league}: left as it is. {why_refused(error)}", err=True)
        return False
    click.echo(_summary(rebuilt))
    return not rebuilt.left


def _summary(rebuilt: RebuiltView) -> str:
    rows = f"{rebuilt.sum} rows put right" if rebuilt.sum else "nothing to put right"
    if not rebuilt.size:
        return f"{rebuilt.league}: {rows}; there is no such league"
    if not rebuilt.left:
        return f"{rebuilt.league}: {rows}"
    table = ", and so does the league's table" if results.name not in rebuilt.views else ""
    left = ", ".join(rebuilt.left)
    return f"{rebuilt.league}: {rows}; these can't be replayed and stay as they are{table}: {left}"
