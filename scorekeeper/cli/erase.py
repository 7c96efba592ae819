"""`scorekeeper erase`: delete the content of entries, or a player's name, permanently."""

import asyncio
from pathlib import Path

import click
import msgspec

from scorekeeper.cli.terminal.failures import reported_in_one_line
from scorekeeper.cli.terminal.options import database_options
from scorekeeper.match.events.fields import MOST_VERSIONS
from scorekeeper.service.identity.access import ADMIN_ID, Caller
from scorekeeper.service.services import open_services
from scorekeeper.service.views import ErasureRequest, ErasureView
from scorekeeper.settings import Settings
from scorekeeper.store.migrate import check

_CALLER = Caller(ADMIN_ID, "admin", None)


@click.command()
@click.argument("league")
@click.argument("positions", type=click.IntRange(1, MOST_VERSIONS), nargs=-1)
@click.option("--reason", help="Why entries are erased; it is recorded and can be read.")
@click.option("--name", "player", help="Erase the name of the player with this slug instead.")
@database_options
def erase(
    league: str,
    positions: tuple[int, ...],
    reason: str | None,
    player: str | None,
    database_url: str | None,
    data_dir: Path | None,
) -> None:
    """Delete the content of the entries at POSITIONS of a LEAGUE's ledger, or a player's name.

    Their headers stay, so that every proof still holds, and an entry records the erasure. On SQLite
    stop the service first.
    """
    if (player is None) == (not positions):
        raise click.UsageError("Give either positions or --name.")
    if positions and reason is None:
        raise click.UsageError("Positions need a --reason.")
    if player is not None and reason is not None:
        raise click.UsageError("No reason is recorded of an erased name: leave out --reason.")
    settings = Settings.load(database_url=database_url, data_dir=data_dir)
    if player is not None:
        with reported_in_one_line(about=f"{league} {player}"):
            asyncio.run(_erase_name(settings, league, player))
        click.echo(f"The name of {player} is erased.")
        return
    try:
        asked = msgspec.convert({"positions": positions, "reason": reason}, ErasureRequest)
    except msgspec.ValidationError as error:
        # Each position alone was looked at already.
        raise click.UsageError(
            "Up to 1,000 positions are erased at once, for a --reason of 1 to 2,000 characters."
        ) from error
    with reported_in_one_line(about=league):
        click.echo(_summary(asyncio.run(_erase(settings, league, asked))))


async def _erase(settings: Settings, league: str, asked: ErasureRequest) -> ErasureView:
    await check(settings.url)
    async with open_services(settings.url, evidence_files=settings.evidence_files) as services:
        outcome = await services.erasing.erase(_CALLER, league, asked, None)
    return msgspec.json.decode(outcome.body, type=ErasureView)


async def _erase_name(settings: Settings, league: str, player: str) -> None:
    await check(settings.url)
    async with open_services(settings.url, evidence_files=settings.evidence_files) as services:
        await services.players.erase_name(_CALLER, league, player)


def _summary(erased: ErasureView) -> str:
    if erased.position is None:
        return "All of that was erased before."
    listed = ", ".join(str(position) for position in erased.positions)
    return f"Erased: {listed}. The entry at position {erased.position} says so."
