"""`scorekeeper verify`: whether a database, or an export, holds what was recorded."""

import asyncio
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from scorekeeper.cli.options import database_options
from scorekeeper.cli.progress import counting
from scorekeeper.ledger.checking import Flaw
from scorekeeper.ledger.columns import read_head
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.snapshot import damage, one_moment
from scorekeeper.ledger.unavailable import LedgerUnavailable
from scorekeeper.service.bundles.check import BundleCheck
from scorekeeper.service.bundles.reader import BundleUnreadable
from scorekeeper.service.checks.verifying import Verified, leagues_to_verify, verify_league
from scorekeeper.settings import Settings
from scorekeeper.store.migrate import DatabaseNotReady, check_file, check_tables

UNSOUND = 1
NOT_CHECKED = 2
_MOST_SHOWN = 100


class NotChecked(click.ClickException):
    """Something kept the check from coming to its end."""

    exit_code = NOT_CHECKED


@click.command()
@click.argument("leagues", metavar="[FILE | LEAGUE]...", nargs=-1)
@click.option("--key", help="The verifier key that a FILE must be sealed with.")
@database_options
def verify(
    leagues: tuple[str, ...], key: str | None, database_url: str | None, data_dir: Path | None
) -> None:
    """Check exports, or all leagues of a database, or those that are named, from the first entry.

    Chains and tree, every column against its header, every match replayed by the rules and its
    cards counted, every stored view against a fresh fold. It may be served meanwhile. Exits with 0
    where all of it agrees, with 1 where something does not, with 2 where it could not be checked.
    Violations that were recorded, amendments and disputes are counted, and no findings.

    A name that is that of a file is taken for an export, which needs no database: each of its bytes
    is checked, and the key that sealed it is shown, to be compared with one noted elsewhere.
    """
    files = [Path(each) for each in leagues if Path(each).is_file()]
    named = [each for each in leagues if not Path(each).is_file()]
    sound = True
    for file in files:
        sound &= _verify_file(file, key)
    if named or not files:
        settings = Settings.load(database_url=database_url, data_dir=data_dir)
        try:
            sound &= asyncio.run(_verify_database(settings.url, named))
        except (DatabaseNotReady, LedgerUnavailable) as error:
            raise NotChecked(str(error)) from error
        except DBAPIError as error:
            raise NotChecked(f"The database can't be read to its end: {error.orig}") from error
    if not sound:
        sys.exit(UNSOUND)


def _verify_file(file: Path, key: str | None) -> bool:
    """Whether an export is sound."""
    try:
        with file.open("rb") as bundle:
            check = BundleCheck(bundle, key=key)
            manifest = check.reader.manifest
            with counting(manifest.league, manifest.size) as progress:
                sound = report(manifest.league, check.run(progress.advance))
    except BundleUnreadable as error:
        show_flaw(str(file), error.flaw)
        return False
    except OSError as error:
        raise NotChecked(f"{file} can't be read: {error}") from error
    if check.reader.key is not None:
        click.echo(f"Sealed with the key {check.reader.key}")
    return sound


async def _verify_database(url: str, leagues: Sequence[str]) -> bool:
    check_file(url)
    ledger = await Ledger.open_to_read(url)
    try:
        await ledger.read(check_tables)
        return await ledger.read(lambda connection: _verify_all(connection, leagues))
    finally:
        await ledger.close()


def _verify_all(connection: Connection, leagues: Sequence[str]) -> bool:
    """Whether everything is sound."""
    sound = True
    with one_moment(connection):
        for found in damage(connection):
            sound = False
            click.echo(f"The database file is damaged: {found}")
        for league in leagues or leagues_to_verify(connection):
            if isinstance(league, Flaw):
                sound = False
                show_flaw("-", league)
            else:
                sound &= _verify_one(connection, league)
    if sound:
        click.echo("All of it agrees.")
    return sound


def _verify_one(connection: Connection, league: str) -> bool:
    head = read_head(connection, league)
    if head is None:
        raise NotChecked(f"There is no league {league} in this database.")
    with counting(league, head.size) as progress:
        return report(league, verify_league(connection, league, progress.advance))


def report(league: str, found: Iterator[Flaw | Verified]) -> bool:
    """Print what is wrong, the first hundred of it, and what was checked; whether it is sound."""
    flaws = 0
    for each in found:
        if isinstance(each, Flaw):
            flaws += 1
            if flaws <= _MOST_SHOWN:
                show_flaw(league, each)
        else:
            if flaws > _MOST_SHOWN:
                click.echo(f"{league}: and {flaws - _MOST_SHOWN} more.")
            sum_up(each, flaws)
    return flaws == 0


def show_flaw(league: str, flaw: Flaw) -> None:
    """Print a finding in a line."""
    place = f" [{flaw.place}]" if flaw.place else ""
    click.echo(f"{league}: {flaw.detail}{place}")


def sum_up(checked: Verified, flaws: int) -> None:
    """Print what the matches have, which is no finding, and what was checked."""
    counts = checked.counts
    if counts.rounds:
        followed = f"{counts.conserved} of {counts.rounds} rounds followed card by card"
        cards = f"cards conserved in {followed}"
    else:
        cards = "no round followed card by card"
    click.echo(
        f"{checked.league}: violations that stand {counts.violations}, "
        f"amendments {counts.amendments}, voided entries {counts.voided}, "
        f"disputes open {counts.disputes_open} and ruled {counts.disputes_ruled}; {cards}."
    )
    verdict = "sound" if flaws == 0 else f"{flaws} findings"
    click.echo(
        f"{checked.league}: {checked.entries} entries, {checked.erased} of them erased, "
        f"{checked.matches} matches replayed, root {checked.root.hex()}: {verdict}."
    )
