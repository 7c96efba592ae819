"""`scorekeeper serve`: the API, on SQLite with no configuration at all."""

import asyncio
from pathlib import Path

import click
from granian.constants import Interfaces, Loops
from granian.server import Server

from scorekeeper.cli.options import database_options
from scorekeeper.ledger.process_lock import LedgerInUse
from scorekeeper.service.admin import first_admin_token
from scorekeeper.settings import Settings
from scorekeeper.store.migrate import NewerDatabaseError, NotMigratedError, check, upgrade

# An open stream must not hold up a stop for longer than this.
STOP_SECONDS = 5


@click.command()
@click.option("--host", help="The address to listen on [SCOREKEEPER_HOST].")
@click.option("--port", type=int, help="The port to listen on [SCOREKEEPER_PORT].")
@click.option("--workers", type=int, help="Worker processes; 1 on SQLite [SCOREKEEPER_WORKERS].")
@click.option("--admin-token", help="Used instead of a made one [SCOREKEEPER_ADMIN_TOKEN].")
@click.option(
    "--rate-limit", type=int, help="Requests a minute for each token [SCOREKEEPER_RATE_LIMIT]."
)
@database_options
def serve(
    host: str | None,
    port: int | None,
    workers: int | None,
    admin_token: str | None,
    rate_limit: int | None,
    database_url: str | None,
    data_dir: Path | None,
) -> None:
    """Serve the API. On SQLite the database is made and migrated; elsewhere run `migrate` first."""
    settings = Settings.load(
        host=host,
        port=port,
        workers=workers,
        admin_token=admin_token,
        rate_limit=rate_limit,
        database_url=database_url,
        data_dir=data_dir,
    )
    made = _prepare(settings)
    settings.hand_down()
    server = Server(
        "scorekeeper.app:from_environment",
        factory=True,
        interface=Interfaces.ASGI,
        address=settings.host,
        port=settings.port,
        workers=settings.workers,
        loop=Loops.uvloop,
        websockets=False,
        log_access=False,
        log_level="warning",
        workers_kill_timeout=STOP_SECONDS,
    )
    server.on_startup(lambda: _greet(settings, made))
    server.serve()


def _prepare(settings: Settings) -> str | None:
    """Bring the database up to date; the admin token, if this start made it."""
    try:
        if settings.on_sqlite:
            upgrade(settings.url)
        check(settings.url)
        if settings.admin_token is not None:
            return None
        return asyncio.run(first_admin_token(settings.url))
    except (LedgerInUse, NewerDatabaseError, NotMigratedError) as error:
        raise click.ClickException(str(error)) from error


def _greet(settings: Settings, made: str | None) -> None:
    url = f"http://{settings.host}:{settings.port}"
    click.echo(f"Scorekeeper serves {url}  (API documentation: {url}/docs)")
    if made is not None:
        click.echo(f"Admin token, shown once:  {made}")
    elif settings.admin_token is not None:
        click.echo("Admin token: the one given in the settings.")
    else:
        click.echo("Admin token: as printed on the first start;")
        click.echo("  `scorekeeper token admin --renew` makes a new one.")
    shown = made or "$SCOREKEEPER_ADMIN_TOKEN"
    click.echo("Next, open a league:")
    click.echo(
        f"  curl {url}/v1/leagues -H 'Authorization: Bearer {shown}' "
        """-H 'Content-Type: application/json' -d '{"league": "home", "name": "Our league"}'"""
    )
