"""`scorekeeper token`: the admin token."""

import asyncio
from pathlib import Path

import click

from scorekeeper.cli.terminal.options import database_options
from scorekeeper.service.identity.tokens import has_admin_token, renew_admin_token
from scorekeeper.settings import Settings

_GIVEN = "The admin token is the one given in the settings, by SCOREKEEPER_ADMIN_TOKEN"


@click.group()
def token() -> None:
    """The admin token, which no other token can make."""


@token.command()
@click.option(
    "--renew",
    is_flag=True,
    help="Make a new admin token, which ends the old one; on SQLite stop the service first.",
)
@database_options
def admin(renew: bool, database_url: str | None, data_dir: Path | None) -> None:
    """Tell whether there is an admin token, or make a new one."""
    settings = Settings.load(database_url=database_url, data_dir=data_dir)
    given = settings.admin_token is not None
    if renew:
        made = asyncio.run(renew_admin_token(settings.url))
        if given:
            click.echo(
                f"{_GIVEN}: replace it there. Browsers and invitations of the admin are out."
            )
            click.echo(f"Admin token once the settings give none, shown once:  {made}")
        else:
            click.echo(f"Admin token, shown once:  {made}")
    elif given:
        click.echo(f"{_GIVEN}.")
    elif asyncio.run(has_admin_token(settings.url)):
        click.echo("There is an admin token; it was shown once. --renew makes a new one.")
    else:
        click.echo("There is no admin token yet; the first `scorekeeper serve` makes one.")
