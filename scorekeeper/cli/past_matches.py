"""Rows of past rounds as matches, checked by the rules before any of them is sent."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Final
from uuid import UUID, uuid5

from msgspec import UNSET, Struct
from msgspec.structs import replace

from scorekeeper.cli.result_rows import BadRow, ResultRow
from scorekeeper.editions.registry import latest
from scorekeeper.match.events import MatchClosed, TableEvent
from scorekeeper.match.fold import initial
from scorekeeper.match.opening import Opening, Scoring, open_match
from scorekeeper.match.record import record
from scorekeeper.match.refusal import Refusal
from scorekeeper.match.state import State
from scorekeeper.texts.message import message

_IDS: Final = UUID("5c0aebee-9ef5-4c1f-8d3e-0a2b5f4c9d10")
"""The name space of the ids that imported events get: the same row, the same id."""
_DIGITS: Final = 12


class PastMatch(Struct, frozen=True, kw_only=True):
    """A match of the past, which comes from as many rows as it has `rounds`."""

    match: str
    opening: Opening
    events: tuple[TableEvent, ...]
    rounds: int

    def with_ids(self, league: str) -> "PastMatch":
        """Each event with an id that follows from the league and the match."""
        named = f"{league}/{self.match}"
        events = (
            replace(event, id=str(uuid5(_IDS, f"{named}/{number}")))
            for number, event in enumerate(self.events)
        )
        return replace(self, events=tuple(events))


def past_matches(
    rows: Iterable[ResultRow], *, leave_open: bool
) -> tuple[list[PastMatch], list[BadRow]]:
    """The matches in the order of their first rows, and the rows that the rules refuse.

    A match that the rows do not bring to its end is closed, unless it is left open. Where a table
    without a name plays on after a match is won, the next one begins.
    """
    tables: dict[str, list[ResultRow]] = {}
    for row in rows:
        tables.setdefault(row.match or _slug(row), []).append(row)
    found: list[PastMatch] = []
    bad: list[BadRow] = []
    for match, own in tables.items():
        left, number = own, 1
        while left:
            slug = match if number == 1 else f"{match}-{number}"
            played = _Played(slug, left[0])
            left = played.take(left, bad)
            if played.events:
                found.append(played.past(leave_open=leave_open))
            number += 1
    return found, bad


def _slug(row: ResultRow) -> str:
    """A name for the table of that day."""
    day = row.at.date().isoformat()
    named = "\0".join((day, row.edition, *sorted(row.players)))
    return f"past-{day}-{sha256(named.encode()).hexdigest()[:_DIGITS]}"


class _Played:
    """A match as its rows tell it, one after the other."""

    def __init__(self, slug: str, first: ResultRow) -> None:
        self.events: list[TableEvent] = []
        self._slug = slug
        self._first = first
        self._last = first
        self._opening = _opening(first)
        self._state = _opened(self._opening)

    def take(self, rows: list[ResultRow], bad: list[BadRow]) -> list[ResultRow]:
        """Play the rows; those are left over that come after the end of a match without a name."""
        for at, row in enumerate(rows):
            state = self._state
            if isinstance(state, State) and state.status == "won" and row.match is None:
                return rows[at:]
            why = self._refused(row)
            if why is not None:
                bad.append(BadRow(row.line, why))
        return []

    def past(self, *, leave_open: bool) -> PastMatch:
        """The match as it is to be sent."""
        assert isinstance(self._state, State)
        closed = self._state.status == "open" and not leave_open
        return PastMatch(
            match=self._slug,
            opening=self._opening,
            events=(*self.events, *([MatchClosed(at=self._last.at)] if closed else ())),
            rounds=len(self.events),
        )

    def _refused(self, row: ResultRow) -> str | None:
        """Take a row in, or say why not."""
        if isinstance(self._state, Refusal):
            return _in_words(self._state)
        if (why := _other_table(self._first, row)) is not None:
            return why
        recorded = record(self._state, [row.tally])
        if isinstance(recorded, Refusal):
            return _in_words(recorded)
        self.events.append(row.tally)
        self._state = recorded.state
        self._last = row
        return None


def _opening(row: ResultRow) -> Opening:
    told = row.mode is not None or row.target is not None or row.rounds is not None
    scoring = Scoring(
        mode=row.mode,
        target=UNSET if row.target is None else row.target,
        rounds=UNSET if row.rounds is None else row.rounds,
    )
    return Opening(
        edition=row.edition,
        players=row.players,
        scoring=scoring if told else None,
        at=row.at,
    )


def _opened(opening: Opening) -> State | Refusal:
    edition = latest(opening.edition)
    assert edition is not None
    opened = open_match(edition, opening)
    return opened if isinstance(opened, Refusal) else initial(edition, opened)


def _other_table(first: ResultRow, row: ResultRow) -> str | None:
    if (row.edition, sorted(row.players)) != (first.edition, sorted(first.players)):
        return f"another edition or other players than in line {first.line} of the same match"
    if (row.mode, row.target, row.rounds) != (first.mode, first.target, first.rounds):
        return f"another scoring than in line {first.line} of the same match"
    return None


def _in_words(refusal: Refusal) -> str:
    if refusal.violations:
        first = refusal.violations[0]
        facts = {"clause": first.clause, **first.facts}
        return message("rule-violation", first.reason, facts, "en")
    return message(refusal.code, refusal.reason, refusal.facts, "en")
