"""The request and the answer of an import, with short descriptions of the rows' events."""

from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from scorekeeper.match.events.events import (
    MatchAbandoned,
    MatchClosed,
    PlayerSubstituted,
    RoundTallied,
    TableEvent,
    TalliedHand,
    event_type,
)
from scorekeeper.service.imports.corrections import ChangeKind, Correction
from scorekeeper.service.imports.findings import Finding
from scorekeeper.service.imports.import_plan import ImportPlan
from scorekeeper.service.imports.planned_matches import KeptOut, PastMatch
from scorekeeper.service.imports.result_rows import BadRow
from scorekeeper.service.views import PlayerView
from scorekeeper.texts.language import CONVENTIONS, Language
from scorekeeper.texts.message import import_message

MOST_ROWS_IN_REQUEST: Final = 5_000
"""The command imports files with more."""
ImportOutcome: TypeAlias = Literal[
    "new", "different", "imported", "corrected", "already-there", "kept-out"
]
ImportFlag: TypeAlias = Literal["skip_bad", "correct"]


def event_in_short(event: TableEvent, language: Language = "en") -> str:
    """Describe an event in short, with its day if it has one."""
    described = _described(event, language)
    if event.at is None:
        return described
    day = event.at.isoformat().removesuffix("T00:00:00+00:00")
    return _say("told-day", language, day=day, told=described)


def _described(event: TableEvent, language: Language) -> str:
    match event:
        case RoundTallied():
            hands = [f"{player} {_hand(hand)}" for player, hand in (event.hands or {}).items()]
            listed = CONVENTIONS[language].semicolon.join(hands) or None
            return _say("told-round", language, names=event.winners, hands=listed)
        case PlayerSubstituted(player=player, substitute=substitute) if player == substitute:
            return _say("told-back", language, name=player)
        case PlayerSubstituted(player=player, substitute=substitute):
            return _say("told-substitute", language, name=substitute, absent=player)
        case MatchClosed():
            return _say("told-closed", language)
        case MatchAbandoned():
            return _say("told-abandoned", language)
        case _:
            return event_type(event)


def _hand(hand: TalliedHand) -> str:
    return str(hand.points) if hand.cards is None else " ".join(hand.cards)


def _say(reason: str, language: Language, **facts: object) -> str:
    return import_message(reason, facts, language, whole=True)


class ImportRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rows of past rounds, as docs/importing.md describes them, and what to do with them.

    `file`: the file's name, for amendments and answers. `text`: the rows, the heading first; cells
    are separated by commas, semicolons or tabs. `preview`: only say what would be imported.
    `skip_bad`: import the matches that have no bad row. `leave_open`: do not close matches that
    nobody has won. `correct`: amend what was imported with other rows before. `allow_future`:
    accept dates in the future.
    """

    file: Annotated[str, msgspec.Meta(min_length=1, max_length=120)] = "results.csv"
    text: str
    preview: bool = False
    skip_bad: bool = False
    leave_open: bool = False
    correct: bool = False
    allow_future: bool = False


class BadRowView(msgspec.Struct, frozen=True, kw_only=True):
    """Why a row is not imported: `reason` for programs, `why` for people.

    `line` counts from 1, the heading included. `column` is null if the reason is about no single
    column. `match` is null if nobody can tell which match the row belongs to.
    """

    line: int
    column: str | None
    match: str | None
    reason: str
    why: str


class RowChangeView(msgspec.Struct, frozen=True):
    """A difference between the rows and what was imported before.

    `was` is null if there was no such event before, and `now` if there is none any more.
    """

    line: int
    change: ChangeKind
    was: str | None
    now: str | None


class ImportedMatchView(msgspec.Struct, kw_only=True):
    """A match of the file, and the lines of its rows.

    A match that is `new` or `different` is not in the league as the file has it. A match that is
    `imported` or `corrected` has become so by this request.
    """

    match: str
    outcome: ImportOutcome
    lines: list[int]
    rounds: int
    changes: list[RowChangeView]
    note: str | None


class ImportView(msgspec.Struct, kw_only=True):
    """The result of an import, or what it would be.

    `people`: players that are to be registered; `registered`: those that were. `undecided`: the
    flags that the request has to set before anything is imported. `complete`: all that was to be
    imported is in the league now. If it is not, `error` says what stopped the import, and the same
    request sent again goes on from there. A preview is never complete.
    """

    file: str
    preview: bool
    complete: bool
    error: BadRowView | None
    rounds: int
    people: list[PlayerView]
    registered: list[str]
    matches: list[ImportedMatchView]
    bad: list[BadRowView]
    undecided: list[ImportFlag]


def import_view(
    asked: ImportRequest,
    found: ImportPlan,
    new: list[PlayerView],
    undecided: list[ImportFlag],
    language: Language,
) -> ImportView:
    """Return the view of an import before anything is recorded. `new`: players to be registered."""
    matches = [
        *(_match_view(match, "new") for match in found.new),
        *(_match_view(each.match, "already-there", each.note, language) for each in found.there),
        *(_correction_view(each, language) for each in found.corrections),
        *(
            ImportedMatchView(
                match=kept.match,
                outcome="kept-out",
                lines=list(kept.lines),
                rounds=len(kept.lines),
                changes=[],
                note=_why_left_out(kept, language),
            )
            for kept in found.kept_out
        ),
    ]
    return ImportView(
        file=asked.file,
        preview=asked.preview,
        complete=False,
        error=None,
        registered=[],
        rounds=sum(match.rounds for match in matches if match.outcome != "kept-out"),
        people=new,
        matches=sorted(matches, key=lambda match: match.lines),
        bad=[_bad_row_view(row, language) for row in found.bad],
        undecided=undecided,
    )


def _why_left_out(kept: KeptOut, language: Language) -> str | None:
    """Return why a match is left out; None if its bad rows say so."""
    finding = kept.bad[0].finding
    return finding.wording(language) if finding.reason == "imported-otherwise" else None


def _bad_row_view(row: BadRow, language: Language) -> BadRowView:
    finding = row.finding
    return BadRowView(
        line=row.line,
        column=finding.column,
        match=row.match,
        reason=finding.reason or finding.code or "",
        why=finding.wording(language),
    )


def _match_view(
    match: PastMatch,
    outcome: ImportOutcome,
    note: Finding | None = None,
    language: Language = "en",
) -> ImportedMatchView:
    return ImportedMatchView(
        match=match.match,
        outcome=outcome,
        lines=match.own_lines,
        rounds=match.rounds,
        changes=[],
        note=None if note is None else note.wording(language),
    )


def _correction_view(correction: Correction, language: Language) -> ImportedMatchView:
    view = _match_view(correction.match, "different")
    view.changes = row_changes(correction, language)
    return view


def row_changes(correction: Correction, language: Language = "en") -> list[RowChangeView]:
    """Return the differences in the order of the file."""
    return [
        RowChangeView(
            each.line,
            each.change,
            None if each.was is None else event_in_short(each.was, language),
            None if each.now is None else event_in_short(each.now, language),
        )
        for each in correction.differences
    ]
