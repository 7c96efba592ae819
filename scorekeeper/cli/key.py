"""`scorekeeper key`: the key that signs checkpoints."""

import asyncio
from pathlib import Path

import click

from scorekeeper.cli.terminal.options import database_options, signing_key_option
from scorekeeper.service.integrity.evidence import adopt_signing_key, shown_key
from scorekeeper.settings import Settings
from scorekeeper.store.migrate import check


@click.group()
def key() -> None:
    """The key that signs checkpoints."""


@key.command()
@signing_key_option
@database_options
def adopt(database_url: str | None, data_dir: Path | None, signing_key: Path | None) -> None:
    """Sign with the key in the file from now on; it is made where there is none.

    Stop the service first. The key before it stays in the list of `…/log/key`.
    """
    settings = Settings.load(database_url=database_url, data_dir=data_dir, signing_key=signing_key)
    file = settings.evidence_files.signing_key
    public, changed = asyncio.run(_adopt(settings.url, file))
    click.echo(f"The key in {file} is in force: {shown_key(public)}")
    if changed:
        click.echo(
            "Restart every process that serves this database: none of them signs until then."
        )


async def _adopt(url: str, file: Path) -> tuple[bytes, bool]:
    await check(url)
    return await adopt_signing_key(url, file)
