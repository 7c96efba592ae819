"""Checks rows of past rounds before any of them is imported: by the clock, and by the rules."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from msgspec import UNSET, Struct

from scorekeeper.editions.registry import latest
from scorekeeper.match.events.events import PlayerSubstituted
from scorekeeper.match.events.opening import Opening, Scoring, open_match
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.readings.effective_log import initial
from scorekeeper.match.record import record
from scorekeeper.match.state import State
from scorekeeper.service.imports.findings import Finding, of_refusal
from scorekeeper.service.imports.result_rows import BadRow, ResultRow, RowPlace


def without_future(
    rows: Sequence[ResultRow | BadRow], now: datetime, *, flag: str | None = None
) -> list[ResultRow | BadRow]:
    """Return the rows, with those in the future as bad rows.

    `now` is in the time zone of the place. A time is past once it was in UTC or at the place, since
    people write without a zone what their clock showed. `flag`: the command's option that accepts
    such rows, for the message.
    """
    return [_bad_if_early(row, now, flag) for row in rows]


def _bad_if_early(row: ResultRow | BadRow, now: datetime, flag: str | None) -> ResultRow | BadRow:
    if isinstance(row, BadRow) or row.at <= now or row.at.replace(tzinfo=now.tzinfo) <= now:
        return row
    day = row.at.date()
    place = RowPlace(day, row.edition, frozenset(row.players), row.match or "")
    finding = Finding("in-future", {"day": day.isoformat(), "flag": flag}, "date")
    return BadRow(row.line, finding, row.match, place)


class CheckedMatch(Struct, frozen=True, kw_only=True):
    """What the rules say of the rows of one match: how many there are, and which of them are bad.

    `open`: the match is not over after them.
    """

    rows: int
    bad: tuple[BadRow, ...]
    open: bool


def check_rows(tables: Sequence[Sequence[ResultRow]]) -> list[list[CheckedMatch]]:
    """Return, for each table, the matches that its rows make, one after the other.

    If a table without a match name plays on after a match was won, the next match begins.
    """
    return [_matches(rows) for rows in tables]


def opening_of(row: ResultRow) -> Opening:
    """Return the opening of the match that begins with the row."""
    has_scoring = row.mode is not None or row.target is not None or row.rounds is not None
    scoring = Scoring(
        mode=row.mode,
        target=UNSET if row.target is None else row.target,
        rounds=UNSET if row.rounds is None else row.rounds,
    )
    return Opening(
        edition=row.edition,
        players=row.players,
        scoring=scoring if has_scoring else None,
        at=row.at,
    )


def seated(sitting: Mapping[str, str], row: ResultRow) -> Iterator[PlayerSubstituted]:
    """Yield the substitutions before the row's round. `sitting`: who sat in before, by column."""
    if sitting == row.substitutes:
        return
    changing = [
        column for column in row.players if sitting.get(column) != row.substitutes.get(column)
    ]
    # All who leave come first, since some of them may sit down elsewhere.
    for column in changing:
        if column in sitting:
            yield PlayerSubstituted(player=column, substitute=column, at=row.at)
    for column in changing:
        if column in row.substitutes:
            substitute = row.substitutes[column]
            yield PlayerSubstituted(player=column, substitute=substitute, at=row.at)


def _matches(rows: Sequence[ResultRow]) -> list[CheckedMatch]:
    found: list[CheckedMatch] = []
    while rows:
        found.append(_match(rows))
        rows = rows[found[-1].rows :]
    return found


def _match(rows: Sequence[ResultRow]) -> CheckedMatch:
    """Return the first of the matches that the rows make."""
    first = rows[0]
    state = _opened(opening_of(first))
    bad: list[BadRow] = []
    taken = 0
    for row in rows:
        if isinstance(state, State) and state.status == "won" and row.match is None:
            break
        taken += 1
        after = _after(state, first, row)
        if isinstance(after, State):
            state = after
        else:
            bad.append(BadRow(row.line, after))
    is_open = isinstance(state, State) and state.status == "open"
    return CheckedMatch(rows=taken, bad=tuple(bad), open=is_open)


def _opened(opening: Opening) -> State | Refusal:
    edition = latest(opening.edition)
    assert edition is not None
    opened = open_match(edition, opening)
    return opened if isinstance(opened, Refusal) else initial(edition, opened)


def _after(state: State | Refusal, first: ResultRow, row: ResultRow) -> State | Finding:
    """Return the match after the row's round, or why the row is bad."""
    if isinstance(state, Refusal):
        return of_refusal(state, "players")
    if (why := _other_table(first, row)) is not None:
        return why
    recorded = record(state, [*seated(state.substitutes, row), row.tally])
    if isinstance(recorded, Refusal):
        return of_refusal(recorded, "cards" if _lists_cards(row) else "points")
    return recorded.state


def _lists_cards(row: ResultRow) -> bool:
    return any(hand.cards is not None for hand in (row.tally.hands or {}).values())


def _other_table(first: ResultRow, row: ResultRow) -> Finding | None:
    if (row.edition, sorted(row.players)) != (first.edition, sorted(first.players)):
        return Finding("other-table", {"line": first.line}, "players")
    if (row.mode, row.target, row.rounds) != (first.mode, first.target, first.rounds):
        return Finding("other-scoring", {"line": first.line}, "mode")
    return None
