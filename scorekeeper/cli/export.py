"""`scorekeeper export`: the whole ledger of a league in one file."""

import asyncio
from pathlib import Path

import click

from scorekeeper.cli.options import database_options, signing_key_option
from scorekeeper.cli.progress import counting
from scorekeeper.ledger.signing_key import SigningKeyUnusable
from scorekeeper.ledger.unavailable import LedgerUnavailable
from scorekeeper.service.bundles.format import Manifest
from scorekeeper.service.bundles.writer import LedgerBroken
from scorekeeper.service.refused import Refused
from scorekeeper.service.services import open_exporting
from scorekeeper.settings import Settings
from scorekeeper.store.migrate import DatabaseNotReady


@click.command()
@click.argument("league")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@signing_key_option
@database_options
def export(
    league: str,
    file: Path,
    database_url: str | None,
    data_dir: Path | None,
    signing_key: Path | None,
) -> None:
    """Write the whole ledger of LEAGUE into FILE, which `verify` checks and `import` reads.

    The service may be running. FILE holds names and all cards: it is readable by its owner only.
    """
    settings = Settings.load(database_url=database_url, data_dir=data_dir, signing_key=signing_key)
    if file.exists():
        raise click.ClickException(f"{file} is there already.")
    partial = file.with_name(f".{file.name}.part")
    partial.touch(0o600)
    try:
        manifest = asyncio.run(_write(settings, league, partial))
        partial.replace(file)
    except (
        DatabaseNotReady,
        LedgerBroken,
        LedgerUnavailable,
        Refused,
        SigningKeyUnusable,
        OSError,
    ) as error:
        raise click.ClickException(str(error)) from error
    finally:
        partial.unlink(missing_ok=True)
    click.echo(f"{file} holds {manifest.size} entries of the league {manifest.league}.")


async def _write(settings: Settings, league: str, partial: Path) -> Manifest:
    async with open_exporting(settings.url, evidence=settings.evidence) as exporting:
        with counting("Exporting") as progress, partial.open("wb") as out:
            manifest, content = await exporting.export(league, progress.advance)
            progress.total(manifest.size)
            async for part in content:
                out.write(part)
    return manifest
