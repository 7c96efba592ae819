"""`scorekeeper import`: a league from the file that `export` wrote."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

import click

from scorekeeper.cli.terminal.options import database_options, key_option
from scorekeeper.cli.terminal.output import counting, until_left
from scorekeeper.cli.terminal.verify_report import print_flaw, print_summary
from scorekeeper.ledger.integrity.checkpoints import CheckpointStore
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.export.importing import (
    BundleImporting,
    CheckpointNotKept,
    ImportRefused,
)
from scorekeeper.service.export.reader import BundleUnreadable
from scorekeeper.service.integrity.verifying import Verified
from scorekeeper.settings import Settings
from scorekeeper.store.migrate import check


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@key_option("the file")
@database_options
def import_league(
    file: Path, key: str | None, database_url: str | None, data_dir: Path | None
) -> None:
    """Bring the league in FILE into the database, with the same positions, hashes and answers.

    Everything in it is checked first, as `verify` does. If there is one finding, nothing is brought
    in. On SQLite stop the service first. Tokens are not brought in.
    """
    settings = Settings.load(database_url=database_url, data_dir=data_dir)
    try:
        verified = asyncio.run(_bring_in(settings, file, key))
    except BundleUnreadable as error:
        raise click.ClickException(f"{file}: {error} Nothing was brought in.") from error
    except ImportRefused as error:
        raise click.ClickException("Nothing was brought in.") from error
    except CheckpointNotKept as error:
        raise click.ClickException(
            f"The league is brought in. Its checkpoint is not: {error}. The service signs another."
        ) from error
    print_summary(verified, findings=0)
    click.echo("It is brought in. Its tokens are not: make new ones with the admin token.")


async def _bring_in(settings: Settings, file: Path, key: str | None) -> Verified:
    await check(settings.url)
    async with AsyncExitStack() as stack:
        ledger = await stack.enter_async_context(await Ledger.open(settings.url))
        kept = CheckpointStore(settings.evidence_files.checkpoints)
        importing = BundleImporting(ledger, kept, report=lambda flaw: print_flaw(str(file), flaw))
        left = stack.enter_context(until_left())
        progress = stack.enter_context(counting("Importing", left=left))
        bundle = stack.enter_context(file.open("rb"))
        return await importing.bring_in(bundle, progress.advance, key=key)
