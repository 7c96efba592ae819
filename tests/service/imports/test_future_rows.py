"""Rows in the future: slips, unless somebody wants them. A time without a zone is the place's."""

import io
from datetime import datetime

import pytest

from scorekeeper.service.imports.checked_rows import without_future
from scorekeeper.service.imports.result_rows import BadRow, read_rows

TAIPEI = "2026-11-28T22:00+08:00"
LOS_ANGELES = "2026-11-28T22:00-08:00"
TOMORROW = "2026-11-29T00:00+08:00"


def is_early(date: str, now: str) -> bool:
    rows = io.StringIO(f"date,edition,players,points\n{date},basic,ann bo,- 20\n")
    (row,) = without_future(list(read_rows(rows)), datetime.fromisoformat(now))
    return isinstance(row, BadRow)


@pytest.mark.parametrize("now", [TAIPEI, LOS_ANGELES])
@pytest.mark.parametrize(
    "date", ["2026-11-28", "2026-11-28 19:30", "2026-11-28 22:00", "2026-11-27 23:59"]
)
def test_what_was_played_this_evening_is_past(date, now):
    assert not is_early(date, now)


@pytest.mark.parametrize("now", [TAIPEI, LOS_ANGELES])
def test_a_time_that_names_its_zone_is_past_once_it_was_there(now):
    assert not is_early(now, now)


@pytest.mark.parametrize("now", [TAIPEI, LOS_ANGELES])
@pytest.mark.parametrize("date", ["2026-11-29 22:30", "2026-11-30", "2027-11-28 19:30"])
def test_what_is_a_day_ahead_is_early(date, now):
    assert is_early(date, now)


@pytest.mark.parametrize(
    ("now", "early"),
    [("2026-11-28T13:00-08:00", True), ("2026-11-28T23:59+08:00", True), (TOMORROW, False)],
)
def test_a_day_is_early_until_it_has_begun_at_the_place(now, early):
    assert is_early("2026-11-29", now) is early
