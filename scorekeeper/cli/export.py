"""`scorekeeper export`: the whole ledger of a league in one file."""

import asyncio
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import click

from scorekeeper.cli.terminal.ending import ended_in_order
from scorekeeper.cli.terminal.failures import reported_in_one_line
from scorekeeper.cli.terminal.options import database_options, signing_key_option
from scorekeeper.cli.terminal.output import STANDARD_OUTPUT, blaming, bytes_to, counting
from scorekeeper.files import durable_file
from scorekeeper.service.export.format import Manifest
from scorekeeper.service.services import open_exporting
from scorekeeper.settings import Settings

_FILE = click.Path(path_type=Path, dir_okay=False, allow_dash=True)


@click.command()
@click.argument("league")
@click.argument("file", type=_FILE, required=False)
@click.option("--out", type=_FILE, help="The same as FILE; - is standard output.")
@signing_key_option
@database_options
def export(
    league: str,
    file: Path | None,
    out: Path | None,
    database_url: str | None,
    data_dir: Path | None,
    signing_key: Path | None,
) -> None:
    """Write the whole ledger of LEAGUE into FILE, which `verify` checks and `import` reads.

    The service may be running. FILE holds names and all cards: it is readable by its owner only.
    """
    target = file or out
    if target is None or (file is not None and out is not None):
        raise click.UsageError("Give one file to write to: FILE, or --out, or - for both.")
    settings = Settings.load(database_url=database_url, data_dir=data_dir, signing_key=signing_key)
    with reported_in_one_line(about=league), _written(target) as bundle:
        manifest = asyncio.run(_write(settings, league, bundle))
    place = "Standard output" if target == STANDARD_OUTPUT else target
    said = f"{place} holds {manifest.size} entries of the league {manifest.league}."
    click.echo(said, err=target == STANDARD_OUTPUT)


@contextmanager
def _written(target: Path) -> Generator[BinaryIO]:
    """Open the target of the bundle. A file gets its name only once all of it is written."""
    if target == STANDARD_OUTPUT:
        if sys.stdout.isatty():
            raise click.ClickException("A terminal can't show a bundle: send it to a file or on.")
        with bytes_to(target) as bundle:
            yield bundle
        return
    if target.exists():
        raise click.ClickException(f"{target} is there already.")
    with blaming(target), ended_in_order(), durable_file(target) as bundle:
        yield bundle


async def _write(settings: Settings, league: str, out: BinaryIO) -> Manifest:
    async with open_exporting(settings.url, evidence_files=settings.evidence_files) as exporting:
        with counting("Exporting") as progress:
            manifest, content = await exporting.export(league, progress.advance)
            progress.total(manifest.size)
            async for part in content:
                out.write(part)
    return manifest
