"""`scorekeeper doctor`: whether an installation is sound."""

import asyncio
import sys
from pathlib import Path

import click

from scorekeeper.cli.options import database_options, signing_key_option
from scorekeeper.service.checks.checkup import Grade, checkup
from scorekeeper.settings import Settings

_COLORS = {Grade.OK: "green", Grade.WARNING: "yellow", Grade.FAILURE: "red"}


@click.command()
@signing_key_option
@database_options
def doctor(database_url: str | None, data_dir: Path | None, signing_key: Path | None) -> None:
    """Check an installation, a line for each check; the exit code is 1 if something failed.

    The service may be running. Entries themselves are checked by `scorekeeper verify`.
    """
    settings = Settings.load(database_url=database_url, data_dir=data_dir, signing_key=signing_key)
    if not asyncio.run(_show(settings)):
        sys.exit(1)


async def _show(settings: Settings) -> bool:
    """Whether nothing failed."""
    sound = True
    async for finding in checkup(settings.url, settings.data_dir, settings.evidence):
        grade = click.style(f"{finding.grade:<8}", fg=_COLORS[finding.grade])
        click.echo(f"{grade} {finding.sentence}")
        sound = sound and finding.grade is not Grade.FAILURE
    return sound
