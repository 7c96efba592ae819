"""The report of an import, for people and for programs."""

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

import click
from msgspec import Struct

from scorekeeper.cli.terminal.failures import printable
from scorekeeper.service.imports.corrections import Correction, RowDifference
from scorekeeper.service.imports.import_plan import AlreadyThere, ImportPlan
from scorekeeper.service.imports.import_views import RowChangeView, event_in_short, row_changes
from scorekeeper.service.imports.planned_matches import KeptOut, PastMatch
from scorekeeper.service.imports.result_rows import BadRow

_SHOWN: Final = 200

ReportedOutcome: TypeAlias = Literal[
    "imported", "already-there", "corrected", "kept-out", "not-sent"
]


class LineView(Struct, frozen=True):
    """Why a row was not imported; `match` is null if nobody can tell which it belongs to."""

    line: int
    match: str | None
    why: str


class MatchReport(Struct, kw_only=True):
    """A match of the file, and the lines of its rows.

    `not-sent`: it was to be imported or corrected, but the command ended before that was done.
    """

    match: str
    outcome: ReportedOutcome
    lines: list[int]
    rounds: int
    reasons: list[LineView] = []
    changes: list[RowChangeView] = []
    note: str | None = None


class Report(Struct, kw_only=True):
    """`complete`: all that was to be sent is in the league; `error`: why it is not."""

    file: str
    league: str
    complete: bool = False
    error: str | None = None
    registered: list[str] = []
    matches: list[MatchReport] = []
    bad: list[LineView] = []

    def report_plan(self, found: ImportPlan) -> dict[str, MatchReport]:
        """Report what is planned, before anything is sent. Return the reports by match."""
        self.bad = [_line_view(row) for row in found.bad]
        self.matches = [
            *(_of(match, "not-sent") for match in found.new),
            *(
                _of(
                    each.match,
                    "already-there",
                    note=None if each.note is None else each.note.wording("en"),
                )
                for each in found.there
            ),
            *(_of(each.match, "not-sent", changes=row_changes(each)) for each in found.corrections),
            *(
                MatchReport(
                    match=kept.match,
                    outcome="kept-out",
                    lines=list(kept.lines),
                    rounds=len(kept.lines),
                    reasons=[_line_view(row) for row in kept.bad],
                )
                for kept in found.kept_out
            ),
        ]
        self.matches.sort(key=lambda match: match.lines)
        return {match.match: match for match in self.matches}

    def so_far(self) -> str:
        """Return how many of the matches went in before something went wrong."""
        done, left = self._count("imported", "corrected"), self._count("not-sent")
        return (
            f"{done} of {done + left} matches went in before; the same command goes on from there."
        )

    def summary(self) -> str:
        """Return a line or two about the whole import."""
        new, corrected = self._count("imported"), self._count("corrected")
        there = [match for match in self.matches if match.outcome != "kept-out"]
        rounds = sum(match.rounds for match in there)
        played = f"{_many(rounds, 'round', 'rounds')} in {_many(len(there), 'match', 'matches')}"
        said = [f"{played}; {new} of the matches were new."]
        if corrected:
            said.append(f"{were(corrected, 'match', 'matches')} put right.")
        if self.bad:
            said.append(f"{were(len(self.bad), 'bad row', 'bad rows')} skipped.")
        if kept_out := self._count("kept-out"):
            said.append(f"{were(kept_out, 'match', 'matches')} kept out.")
        if self.registered:
            said.append(f"Registered: {', '.join(self.registered[:_SHOWN])}.")
        return " ".join(said)

    def _count(self, *outcomes: ReportedOutcome) -> int:
        return sum(match.outcome in outcomes for match in self.matches)


def were(number: int, one: str, many: str) -> str:
    """Return the beginning of a sentence, such as "2 matches were"."""
    return f"{_many(number, one, many)} {'was' if number == 1 else 'were'}"


def _many(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _of(
    match: PastMatch,
    outcome: ReportedOutcome,
    *,
    changes: Sequence[RowChangeView] = (),
    note: str | None = None,
) -> MatchReport:
    return MatchReport(
        match=match.match,
        outcome=outcome,
        lines=match.own_lines,
        rounds=match.rounds,
        changes=list(changes),
        note=note,
    )


def _line_view(row: BadRow) -> LineView:
    return LineView(row.line, row.match, row.why)


def show_bad(rows: Sequence[BadRow]) -> None:
    """Print each bad row with its line, and its match if that is known."""
    _show([f"{about(row.line, row.match)}: {row.why}" for row in rows], "bad rows")


def show_kept_out(kept: Sequence[KeptOut]) -> None:
    """Print each match that is kept out as a whole, with the lines that are to blame."""
    _show(
        [
            f"match {each.match} is kept out as a whole ({_lines(each.lines)}), because of "
            f"{_lines([row.line for row in each.bad])}"
            for each in kept
        ],
        "matches that are kept out",
    )


def show_notes(there: Sequence[AlreadyThere]) -> None:
    """Print the notes about matches that are left as they are."""
    notes = [
        f"match {each.match.match}: {each.note.wording('en')}"
        for each in there
        if each.note is not None
    ]
    _show(notes, "notes")


def show_differences(corrections: Sequence[Correction]) -> None:
    """Print each row that was imported otherwise, with its line and match."""
    _show(
        [
            f"{_place(each)}, match {correction.match.match}: {_in_words(each)}"
            for correction in corrections
            for each in correction.differences
        ],
        "differences",
    )


def about(line: int, match: str | None) -> str:
    """Return the line, and the match if it is known, that a sentence is about."""
    return f"line {line}" if match is None else f"line {line}, match {match}"


def _show(sentences: Sequence[str], what: str) -> None:
    for sentence in sentences[:_SHOWN]:
        click.echo(printable(sentence), err=True)
    if len(sentences) > _SHOWN:
        click.echo(f"… and {len(sentences) - _SHOWN} more {what}", err=True)


def _lines(lines: Sequence[int]) -> str:
    if len(lines) == 1:
        return f"line {lines[0]}"
    if len(lines) == lines[-1] - lines[0] + 1:
        return f"lines {lines[0]} to {lines[-1]}"
    shown = ", ".join(map(str, lines[:_SHOWN]))
    return f"lines {shown}{', …' if len(lines) > _SHOWN else ''}"


def _place(each: RowDifference) -> str:
    return f"behind line {each.line}" if each.change == "removed" else f"line {each.line}"


def _in_words(each: RowDifference) -> str:
    was = "" if each.was is None else event_in_short(each.was)
    now = "" if each.now is None else event_in_short(each.now)
    if each.change == "changed":
        return f"it was imported as [{was}], the file has [{now}]"
    return f"[{now}] is new" if each.change == "added" else f"[{was}] is no longer in the file"
