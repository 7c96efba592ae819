"""`scorekeeper verify`: check that a database or an export holds what was recorded."""

import asyncio
import re
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event
from typing import Final, NamedTuple

import click
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from scorekeeper.cli.terminal.failures import Failure, NotChecked, reported_in_one_line
from scorekeeper.cli.terminal.options import database_options, json_option, key_option
from scorekeeper.cli.terminal.output import counting, until_left
from scorekeeper.cli.terminal.verify_report import VerifyReport
from scorekeeper.cli.verifying_apart import Meanwhile, processes_for, verify_apart
from scorekeeper.ledger.integrity.checking import Flaw
from scorekeeper.ledger.integrity.checkpoints import CheckpointStore
from scorekeeper.ledger.integrity.raw_rows import consistent_snapshot, damage, read_head
from scorekeeper.match.events.fields import SLUG
from scorekeeper.service.export.importing import BundleCheck
from scorekeeper.service.export.reader import BundleUnreadable
from scorekeeper.service.integrity.signed import SignedLogs
from scorekeeper.service.integrity.verifying import leagues_to_verify, verify_league
from scorekeeper.service.ledger_to_read import open_ledger_to_read
from scorekeeper.settings import Settings

_UNSOUND = 1
# The time that SQLite takes to check its file, as a share of the replay of all matches.
_FILE: Final = 0.1


@click.command()
@click.argument("leagues", metavar="[FILE | LEAGUE]...", nargs=-1)
@key_option("a FILE")
@click.option(
    "--backup", is_flag=True, help="The database may be older than the last signed checkpoint."
)
@json_option
@database_options
def verify(
    leagues: tuple[str, ...],
    key: str | None,
    backup: bool,
    as_json: bool,
    database_url: str | None,
    data_dir: Path | None,
) -> None:
    """Check exports, or all leagues of a database, or those that are named, from the first entry.

    It checks chains and tree, compares every column with its header and every stored view with a
    fresh fold, replays every match by the rules, counts its cards, and compares every ledger with
    the checkpoints that were signed of it last, in the data directory and in the database. The
    service may be running. The exit code is 0 if all of it agrees, 1 if something does not, 2 if it
    could not be checked. Recorded violations, amendments and disputes are no findings; they are
    counted.

    The name of a file is taken for an export, which needs no database. Each of its bytes is
    checked, and the key that sealed it is shown; compare it with the key that you noted.
    """
    files = [Path(each) for each in leagues if _is_file(each)]
    named = [each for each in leagues if not _is_file(each)]
    if key is not None and not files:
        raise click.UsageError("--key is that of an export: name a FILE.")
    if backup and files and not named:
        raise click.UsageError("--backup is that of a database: a FILE is checked by itself.")
    report = VerifyReport(as_json=as_json)
    with _also_in(report), reported_in_one_line(NotChecked), _interruption_told():
        for file in files:
            _verify_file(file, key, report)
        if named or not files:
            settings = Settings.load(database_url=database_url, data_dir=data_dir)
            kept = CheckpointStore(settings.evidence_files.checkpoints)
            signed = SignedLogs.read(kept, of_later=backup)
            asyncio.run(_verify_database(settings.url, named, report, signed))
        report.end()
    if not report.ok:
        sys.exit(_UNSOUND)


@contextmanager
def _also_in(report: VerifyReport) -> Generator[None]:
    """Let the document say, too, why not all was checked, for programs that read nothing else."""
    try:
        yield
    except Failure as error:
        report.not_checked(error.message)
        raise


@contextmanager
def _interruption_told() -> Generator[None]:
    """Raise NotChecked where somebody pressed Ctrl-C, since nothing was found that differs."""
    try:
        yield
    except KeyboardInterrupt as error:
        raise NotChecked("Interrupted: not all of it was checked.") from error


def _is_file(name: str) -> bool:
    """Return whether a name means a file: such a file exists, or no league can have this name."""
    return Path(name).is_file() or re.fullmatch(SLUG, name) is None


def _verify_file(file: Path, key: str | None, report: VerifyReport) -> None:
    with file.open("rb") as bundle:
        try:
            check = BundleCheck(bundle, key=key)
            manifest = check.reader.manifest
            with counting(manifest.league, manifest.size) as progress:
                view = report.league(manifest.league, check.run(progress.advance), file)
        except BundleUnreadable as error:
            report.unreadable(file, error.flaw)
            return
    if check.reader.key is not None:
        report.sealed(view, str(check.reader.key))


async def _verify_database(
    url: str, leagues: Sequence[str], report: VerifyReport, signed: SignedLogs
) -> None:
    async with open_ledger_to_read(url) as ledger:
        with until_left() as left:
            check = _DatabaseCheck(url, report, signed, left)
            await ledger.read(lambda connection: check.run(connection, leagues))
    if report.ok:
        report.agreed()


class _DatabaseCheck(NamedTuple):
    url: str
    report: VerifyReport
    signed: SignedLogs
    left: Event

    def run(self, connection: Connection, leagues: Sequence[str]) -> None:
        """Check these leagues, by default all that there are.

        It is called again if the connection is lost meanwhile.
        """
        report = self.report
        report.begin_database()
        with consistent_snapshot(connection):
            try:
                sizes, strangers = _asked_for(connection, leagues)
            except DBAPIError:
                # Where even this can't be read, the file tells why.
                self._file(connection)
                raise
            self._leagues(connection, sizes)
            for flaw in (*strangers, *self.signed.missing(connection, leagues)):
                report.of_no_league(flaw)

    def _file(self, connection: Connection) -> None:
        for found in damage(connection):
            detail = f"The database file is damaged: {found}"
            self.report.of_no_league(Flaw("file-damaged", detail))

    def _leagues(self, connection: Connection, sizes: Mapping[str, int]) -> None:
        whole = sum(sizes.values())
        processes = processes_for(whole)
        if processes == 1:
            self._file(connection)
            for league, size in sizes.items():
                with counting(league, size, self.left) as progress:
                    found = verify_league(connection, league, progress.advance, self.signed)
                    self.report.league(league, found)
            return
        with counting("entries", whole, self.left) as progress:
            share = _FILE if connection.dialect.name == "sqlite" else 0.0
            file = Meanwhile(partial(self._file, connection), share)
            for league, listed in verify_apart(
                connection, self.url, sizes, self.signed, processes, progress.advance, file
            ):
                self.report.league(league, iter(listed))


def _asked_for(connection: Connection, leagues: Sequence[str]) -> tuple[dict[str, int], list[Flaw]]:
    """Return the sizes of these leagues, by default of all, and what can't be read as a league."""
    sizes: dict[str, int] = {}
    strangers: list[Flaw] = []
    for each in leagues or leagues_to_verify(connection):
        if isinstance(each, Flaw):
            strangers.append(each)
        else:
            sizes[each] = _size(connection, each)
    return sizes, strangers


def _size(connection: Connection, league: str) -> int:
    head = read_head(connection, league)
    if head is None:
        raise NotChecked(f"There is no league {league} in this database.")
    return head.size
