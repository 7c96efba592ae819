"""`scorekeeper import-results`: past rounds, from a spreadsheet into a league.

Rows are checked by the rules, on all processors if there are many rows.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final, TypeVar

import click
from msgspec import Struct

from scorekeeper.cli.import_requests import ImportRequests, logs_of, matches_of, players_of
from scorekeeper.cli.remote import Remote
from scorekeeper.cli.terminal.failures import Failure
from scorekeeper.cli.terminal.import_report import (
    MatchReport,
    Report,
    show_bad,
    show_differences,
    show_kept_out,
    show_notes,
    were,
)
from scorekeeper.cli.terminal.options import json_option, token_option
from scorekeeper.cli.terminal.output import counting, print_document
from scorekeeper.service.imports.cells import People
from scorekeeper.service.imports.checked_rows import CheckedMatch, check_rows, without_future
from scorekeeper.service.imports.findings import Finding
from scorekeeper.service.imports.import_plan import ImportPlan, known_matches, plan
from scorekeeper.service.imports.planned_matches import past_matches
from scorekeeper.service.imports.result_rows import BadRow, ResultRow, read_rows
from scorekeeper.service.imports.spreadsheet import OTHER_ENCODINGS, Workbook, opened
from scorekeeper.service.worker_start import begin_worker

T = TypeVar("T")
R = TypeVar("R")

_SHARE: Final = 1_000
"""Rows for each process. Fewer rows take less time than starting a process."""


def processors() -> int:
    """Return how many processes may work at once; 1 on systems other than Linux."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1


def parallel_map(
    work: Callable[[Sequence[T]], list[R]], things: Sequence[T], shares: int
) -> list[R]:
    """Return what `work` makes of the things, in their order, with a process for each share.

    This process works on the first share, forked ones on the others. A fork sees the memory of this
    process, so that only results are handed over. There must be no threads yet. Raises RuntimeError
    if a process ends without a result.
    """
    ends = [len(things) * share // shares for share in range(shares + 1)]
    here, *others = (things[ends[share] : ends[share + 1]] for share in range(shares))
    coming = [_forked(work, each) for each in others]
    done = work(here)
    for result in coming:
        done += result()
    return done


def _forked(work: Callable[[Sequence[T]], list[R]], share: Sequence[T]) -> Callable[[], list[R]]:
    context = get_context("fork")
    receiving, sending = context.Pipe(duplex=False)
    process = context.Process(target=_send_result, args=(sending, work, share), daemon=True)
    process.start()
    sending.close()

    def result() -> list[R]:
        try:
            found: list[R] = receiving.recv()
        except EOFError as error:
            raise RuntimeError("a process that had a share of the work came to no end") from error
        process.join()
        return found

    return result


def _send_result(
    sending: "Connection[object, object]",
    work: Callable[[Sequence[T]], list[R]],
    share: Sequence[T],
) -> None:
    begin_worker()
    sending.send(work(share))


def judged(tables: Sequence[Sequence[ResultRow]]) -> list[list[CheckedMatch]]:
    """Do what `check_rows` does, in several processes if there are many rows.

    There must be no threads yet.
    """
    shares = min(processors(), sum(map(len, tables)) // _SHARE)
    return parallel_map(check_rows, tables, max(1, shares))


class CommandContext(Struct, frozen=True):
    """The command's surroundings.

    `now`: the time in the local time zone. `asks`: whether somebody can answer a question.
    """

    now: Callable[[], datetime] = lambda: datetime.now(UTC).astimezone()  # noqa: TID251 its own
    asks: Callable[[], bool] = lambda: sys.stdin.isatty() and sys.stderr.isatty()


class Choices(Struct, frozen=True, kw_only=True):
    """The options that were given."""

    skip_bad: bool
    leave_open: bool
    correct: bool
    allow_future: bool


@click.command("import-results")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--url", required=True, help="The service to write to, as in http://127.0.0.1:8000.")
@token_option("A token of the league that may record", required=True)
@click.option("--league", required=True, help="The slug of the league.")
@click.option(
    "--encoding", type=click.Choice([*OTHER_ENCODINGS], case_sensitive=False),
    help="The encoding of the file, if it is neither UTF-8 nor UTF-16.",
)  # fmt: skip
@click.option("--skip-bad", is_flag=True, help="Import the matches that have no bad row.")
@click.option("--leave-open", is_flag=True, help="Do not close matches that nobody has won.")
@click.option("--correct", is_flag=True, help="Amend what was imported otherwise, without asking.")
@click.option(
    "--allow-future", is_flag=True, help="Import dates that lie in the future, without asking."
)
@json_option
@click.pass_context
def import_results(
    context: click.Context,
    file: Path,
    url: str,
    token: str,
    league: str,
    encoding: str | None,
    *,
    skip_bad: bool,
    leave_open: bool,
    correct: bool,
    allow_future: bool,
    as_json: bool,
) -> None:
    """Import rounds of the past from a CSV FILE: one row a round, nothing twice."""
    around = context.obj if isinstance(context.obj, CommandContext) else CommandContext()
    chosen = Choices(
        skip_bad=skip_bad, leave_open=leave_open, correct=correct, allow_future=allow_future
    )
    report = Report(file=file.name, league=league)
    try:
        with Remote(url, token) as service:
            _Import(service, file, encoding, chosen, around, report).run()
    except click.ClickException as error:
        report.error = error.format_message()
        raise
    except (KeyboardInterrupt, click.Abort):
        report.error = "Interrupted; nothing was imported."
        raise
    finally:
        if as_json:
            print_document(report)
    if not as_json:
        click.echo(report.summary())


class _Import(Struct, frozen=True):
    """One run of the command; nothing is sent before all of it is checked."""

    service: Remote
    file: Path
    encoding: str | None
    chosen: Choices
    around: CommandContext
    report: Report

    def run(self) -> None:
        """Raises Failure."""
        league = self.report.league
        people = players_of(self.service, league)
        try:
            with opened(self.file, self.encoding) as lines:
                rows = list(read_rows(lines, people))
        except Workbook as error:
            raise Failure(
                f"{self.file.name} is a workbook. Save it as CSV in the program that made it."
            ) from error
        leave_open = self.chosen.leave_open
        planned = past_matches(self._without_future(rows), leave_open=leave_open, judge=judged)
        known = known_matches(planned, matches_of(self.service, league))
        logs = logs_of(self.service, league, known)
        found = plan(league, planned, logs, leave_open=leave_open, file=self.file.name)
        try:
            self._check(found)
        finally:
            reports = self.report.report_plan(found)
        self._send(found, reports, people)

    def _without_future(self, rows: list[ResultRow | BadRow]) -> list[ResultRow | BadRow]:
        """Return the rows. Those in the future become bad ones, unless somebody wants them."""
        now = self.around.now()
        asks = self.around.asks()
        marked = without_future(rows, now, flag=None if asks else "--allow-future")
        early = [row for row, was in zip(marked, rows, strict=True) if row is not was]
        if not early or self.chosen.allow_future:
            return rows
        if asks:
            show_bad([row for row in early if isinstance(row, BadRow)])
            if click.confirm("Import them all the same?", err=True):
                return rows
        return marked

    def _check(self, found: ImportPlan) -> None:
        """Take out of `found` what is not to be imported, and report it.

        Raises Failure if nothing is to be imported.
        """
        show_bad(found.bad)
        if found.bad and not self.chosen.skip_bad:
            many = "1 bad row" if len(found.bad) == 1 else f"{len(found.bad)} bad rows"
            raise Failure(f"{many}; nothing was imported.")
        self._ask_about(found)
        show_kept_out(found.kept_out)
        show_notes(found.there)

    def _ask_about(self, found: ImportPlan) -> None:
        """Ask whether to amend what was imported otherwise.

        If not, keep it out, or raise Failure without `--skip-bad`.
        """
        otherwise = found.otherwise
        if not otherwise or self.chosen.correct:
            return
        show_differences(otherwise)
        asks = self.around.asks()
        if asks and click.confirm("Amend what was imported otherwise?", err=True):
            return
        if not self.chosen.skip_bad:
            more = "" if asks else " --correct puts that right."
            many = were(len(otherwise), "match", "matches")
            raise Failure(f"{many} imported otherwise; nothing was imported.{more}")
        found.leave_otherwise(Finding("imported-otherwise", {"flag": "--correct"}))

    def _send(self, found: ImportPlan, reports: Mapping[str, MatchReport], people: People) -> None:
        requests = ImportRequests(self.service, self.report.league)
        matches = [*found.new, *(each.match for each in found.corrections)]
        try:
            with counting("Rounds", sum(match.rounds for match in matches)) as progress:
                for player in requests.register(people, matches):
                    self.report.registered.append(player)
                # First what an interrupted import had begun, so that the log keeps the order.
                for each in found.corrections:
                    requests.correct(each)
                    reports[each.match.match].outcome = "corrected"
                    progress.advance(each.match.rounds)
                for match in requests.open(found.new):
                    reports[match.match].outcome = "imported"
                    progress.advance(match.rounds)
        except click.ClickException as error:
            raise Failure(f"{error.format_message()} {self.report.so_far()}") from error
        except KeyboardInterrupt as error:
            raise Failure(f"Interrupted. {self.report.so_far()}") from error
        self.report.complete = True
