"""Rows of rounds that have not been played yet."""

from collections.abc import Sequence
from datetime import datetime, time

from scorekeeper.service.imports.finding import Finding
from scorekeeper.service.imports.result_rows import BadRow, ResultRow, RowPlace


def without_future(
    rows: Sequence[ResultRow | BadRow], now: datetime, *, flag: str | None = None
) -> list[ResultRow | BadRow]:
    """The rows, those that lie in the future as bad ones; `flag`: by which they are taken.

    `now` has the zone of the place: a day has begun when it has there.
    """
    return [_early(row, flag) if _is_early(row, now) else row for row in rows]


def _is_early(row: ResultRow | BadRow, now: datetime) -> bool:
    if isinstance(row, BadRow) or row.at <= now:
        return False
    return row.at.time() != time() or row.at.date() > now.date()


def _early(row: ResultRow | BadRow, flag: str | None) -> BadRow:
    assert isinstance(row, ResultRow)
    day = row.at.date()
    place = RowPlace(day, row.edition, frozenset(row.players), row.match or "")
    finding = Finding("in-future", {"day": day.isoformat(), "flag": flag}, "date")
    return BadRow(row.line, finding, row.match, place)
