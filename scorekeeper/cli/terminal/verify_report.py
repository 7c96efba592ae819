"""The findings of `verify` and `import`: lines as they are found, or one JSON document."""

from collections.abc import Iterator
from pathlib import Path

import click
from msgspec import Struct, field

from scorekeeper.cli.terminal.failures import OutputLost, printable
from scorekeeper.cli.terminal.output import print_document
from scorekeeper.ledger.integrity.checking import Flaw
from scorekeeper.service.integrity.verifying import Verified

_MOST_PRINTED = 100
_MOST_LISTED = 1_000


class FindingView(Struct, frozen=True):
    """Something that does not agree. `code` is stable.

    `position`: the entry's position. `place`: a table and column, or a member of a bundle. Either
    is null if no single entry or place is to blame.
    """

    code: str
    message: str
    position: int | None
    place: str | None


class VerifiedLeagueView(Struct, kw_only=True):
    """A league of a database or of an export.

    `file`: the export. `key`: the key that sealed the export. `findings`: the first thousand of
    `finding_count`. The other members are null if the file could not be read. `violations` and the
    counts below it are no findings.
    """

    league: str | None = None
    file: str | None = None
    key: str | None = None
    ok: bool = True
    entries: int | None = None
    erased: int | None = None
    matches: int | None = None
    root: str | None = None
    violations: int | None = None
    amendments: int | None = None
    voided: int | None = None
    open_disputes: int | None = None
    ruled_disputes: int | None = None
    rounds_followed: int | None = None
    rounds_conserved: int | None = None
    finding_count: int = 0
    findings: list[FindingView] = field(default_factory=list[FindingView])


class VerifyView(Struct):
    """`ok`: all was checked, and there is no finding at all.

    `findings`: the findings that belong to no league. `not_checked`: what kept the check from
    coming to its end; null if nothing did.
    """

    ok: bool = True
    leagues: list[VerifiedLeagueView] = field(default_factory=list[VerifiedLeagueView])
    findings: list[FindingView] = field(default_factory=list[FindingView])
    not_checked: str | None = None


class VerifyReport:
    """Takes what is found; prints it on the way unless `as_json`."""

    def __init__(self, *, as_json: bool = False) -> None:
        self._printing = not as_json
        self._view = VerifyView()

    @property
    def ok(self) -> bool:
        """Whether nothing was found so far."""
        return self._view.ok

    def begin_database(self) -> None:
        """Begin with the database. Drop the findings of a check of it that was cut off.

        Those in files stay.
        """
        files = [each for each in self._view.leagues if each.file is not None]
        if self._view.findings or len(files) < len(self._view.leagues):
            _echo("The connection was lost: the database is checked again.", err=True)
        self._view = VerifyView(ok=all(each.ok for each in files), leagues=files)

    def league(
        self, league: str, found: Iterator[Flaw | Verified], file: Path | None = None
    ) -> VerifiedLeagueView:
        """Take all that is found in a league."""
        view = VerifiedLeagueView(league=league, file=None if file is None else str(file))
        self._view.leagues.append(view)
        for each in found:
            if isinstance(each, Flaw):
                self._flaw(view, league, each)
            else:
                _fill(view, each)
                if self._printing:
                    _print_rest(view)
                    print_summary(each, view.finding_count)
        return view

    def unreadable(self, file: Path, flaw: Flaw) -> None:
        """Take what is wrong with a file of which nothing can be read."""
        view = VerifiedLeagueView(file=str(file))
        self._view.leagues.append(view)
        self._flaw(view, str(file), flaw, err=True)

    def of_no_league(self, flaw: Flaw) -> None:
        """Take what is wrong with the database itself."""
        self._view.ok = False
        self._view.findings.append(_finding(flaw))
        if self._printing:
            print_flaw("-", flaw)

    def agreed(self) -> None:
        """Say that nothing was found in the whole database."""
        if self._printing:
            _echo("All of it agrees.")

    def sealed(self, view: VerifiedLeagueView, key: str) -> None:
        """Take the key that an export was sealed with."""
        view.key = key
        if self._printing:
            _echo(printable(f"Sealed with the key {key}"))

    def not_checked(self, why: str) -> None:
        """End with what was found until the check could not go on, and say why."""
        self._view.ok = False
        self._view.not_checked = why
        self.end()

    def end(self) -> None:
        """Print what could not be printed on the way."""
        if not self._printing:
            print_document(self._view)

    def _flaw(self, view: VerifiedLeagueView, about: str, flaw: Flaw, *, err: bool = False) -> None:
        self._view.ok = view.ok = False
        view.finding_count += 1
        if view.finding_count <= _MOST_LISTED:
            view.findings.append(_finding(flaw))
        if self._printing and view.finding_count <= _MOST_PRINTED:
            print_flaw(about, flaw, err=err)


def _echo(line: str, *, err: bool = False) -> None:
    """Print a line. Raises OutputLost."""
    try:
        click.echo(line, err=err)
    except OSError as error:
        raise OutputLost(error) from error


def print_flaw(about: str, flaw: Flaw, *, err: bool = False) -> None:
    """Print a finding in a line."""
    place = f" [{flaw.place}]" if flaw.place else ""
    _echo(printable(f"{about}: {flaw.detail}{place}"), err=err)


def print_summary(checked: Verified, findings: int) -> None:
    """Print the counts of violations and the like, which are no findings, and what was checked."""
    counts = checked.counts
    if counts.rounds:
        followed = f"{counts.conserved} of {counts.rounds} rounds followed card by card"
        cards = f"cards conserved in {followed}"
    else:
        cards = "no round followed card by card"
    league = printable(checked.league)
    _echo(
        f"{league}: violations that stand {counts.violations}, "
        f"amendments {counts.amendments}, voided entries {counts.voided}, "
        f"disputes open {counts.disputes_open} and ruled {counts.disputes_ruled}; {cards}."
    )
    verdict = f"{findings} {'finding' if findings == 1 else 'findings'}" if findings else "sound"
    replayed = f"{checked.matches} {'match' if checked.matches == 1 else 'matches'} replayed"
    _echo(
        f"{league}: {checked.entries} entries, {checked.erased} of them erased, "
        f"{replayed}, root {checked.root.hex()}: {verdict}."
    )


def _print_rest(view: VerifiedLeagueView) -> None:
    if view.finding_count > _MOST_PRINTED:
        _echo(f"{printable(view.league or '')}: and {view.finding_count - _MOST_PRINTED} more.")


def _finding(flaw: Flaw) -> FindingView:
    return FindingView(flaw.code, flaw.detail, flaw.position, flaw.place)


def _fill(view: VerifiedLeagueView, checked: Verified) -> None:
    counts = checked.counts
    view.entries = checked.entries
    view.erased = checked.erased
    view.matches = checked.matches
    view.root = checked.root.hex()
    view.violations = counts.violations
    view.amendments = counts.amendments
    view.voided = counts.voided
    view.open_disputes = counts.disputes_open
    view.ruled_disputes = counts.disputes_ruled
    view.rounds_followed = counts.rounds
    view.rounds_conserved = counts.conserved
