"""The warning of commands that a database is older than its last signed checkpoint."""

import asyncio

import click

from scorekeeper.service.integrity.signed import logs_behind
from scorekeeper.settings import Settings


def warn_if_older(settings: Settings) -> None:
    """Print a line if so. Raises DatabaseNotReady."""
    behind = asyncio.run(logs_behind(settings.url, settings.evidence))
    if behind:
        click.echo(
            f"Warning: the database is older than the last checkpoint of {behind} of its logs, as "
            "after an older backup was restored; `scorekeeper doctor` names them."
        )
