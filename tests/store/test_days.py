"""The days of time zones, told from a time as text and chosen by conditions in SQL."""

from collections import Counter
from datetime import UTC, date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sqlalchemy import insert, select

from scorekeeper.days import DayStart, day_of, minute_of, start_after, start_of
from scorekeeper.store import matches
from scorekeeper.store.days import within_days
from tests.databases import within
from tests.store.test_queries import opened

TAIPEI, CALIFORNIA, KIRITIMATI = "Asia/Taipei", "America/Los_Angeles", "Pacific/Kiritimati"
# The clocks of São Paulo went forward at midnight, those of St. John's back at one minute past it.
# Samoa had no 30 December 2011. Toronto's 31 March 1919 began with a jump, half an hour before it.
ZONES = (
    "UTC",
    TAIPEI,
    CALIFORNIA,
    KIRITIMATI,
    "Etc/GMT+12",
    "Europe/Berlin",
    "America/Sao_Paulo",
    "America/St_Johns",
    "America/Toronto",
    "America/Juneau",
    "Asia/Manila",
    "Pacific/Apia",
)
DAYS = (
    ("UTC", "2026-11-20 23:59:59.999999", "2026-11-20"),
    ("UTC", "2026-11-21 00:00:00.000001", "2026-11-21"),
    (TAIPEI, "2026-11-20 15:59:59.999999", "2026-11-20"),
    (TAIPEI, "2026-11-20 16:00:00.000000", "2026-11-21"),
    (CALIFORNIA, "2026-11-21 03:00:00.000000", "2026-11-20"),
    (CALIFORNIA, "2026-11-21 07:59:59.999999", "2026-11-20"),
    (CALIFORNIA, "2026-11-21 08:00:00.000000", "2026-11-21"),
    # Clocks go forward on 8 March 2026, and back on 1 November.
    (CALIFORNIA, "2026-03-08 07:59:59.999999", "2026-03-07"),
    (CALIFORNIA, "2026-03-08 08:00:00.000000", "2026-03-08"),
    (CALIFORNIA, "2026-03-09 06:59:59.999999", "2026-03-08"),
    (CALIFORNIA, "2026-03-09 07:00:00.000000", "2026-03-09"),
    (CALIFORNIA, "2026-11-01 06:59:59.999999", "2026-10-31"),
    (CALIFORNIA, "2026-11-01 07:00:00.000000", "2026-11-01"),
    (CALIFORNIA, "2026-11-02 07:59:59.999999", "2026-11-01"),
    (CALIFORNIA, "2026-11-02 08:00:00.000000", "2026-11-02"),
    (KIRITIMATI, "2026-12-31 09:59:59.999999", "2026-12-31"),
    (KIRITIMATI, "2026-12-31 10:00:00.000000", "2027-01-01"),
    ("Etc/GMT+12", "2027-01-01 11:59:59.999999", "2026-12-31"),
    ("America/Sao_Paulo", "2017-10-15 02:59:59.999999", "2017-10-14"),
    ("America/Sao_Paulo", "2017-10-15 03:00:00.000000", "2017-10-15"),
    ("Pacific/Apia", "2011-12-30 09:59:59.999999", "2011-12-29"),
    ("Pacific/Apia", "2011-12-30 10:00:00.000000", "2011-12-31"),
    # A day without a time of day.
    *((zone, "2026-11-20 00:00:00.000000", "2026-11-20") for zone in ZONES),
    # There are no days before the first and after the last one.
    (CALIFORNIA, "0001-01-01 03:00:00.000000", "0001-01-01"),
    (TAIPEI, "9999-12-31 23:00:00.000000", "9999-12-31"),
)

moments = st.datetimes(timezones=st.just(UTC)).map(
    lambda at: at.isoformat(timespec="microseconds").replace("+00:00", "Z")
)


@pytest.mark.parametrize(("zone", "at", "day"), DAYS)
def test_a_time_lies_on_the_day_that_its_zone_has_then(zone: str, at: str, day: str) -> None:
    assert day_of(_text(at), zone) == day


def _text(at: str) -> str:
    return f"{at.replace(' ', 'T')}Z"


@pytest.mark.parametrize(
    ("zone", "at", "written"),
    [
        ("UTC", "2026-11-21T03:00:59.999999Z", "2026-11-21 03:00 UTC"),
        ("Europe/London", "2026-11-21T03:00:00Z", "2026-11-21 03:00 UTC"),
        ("Europe/London", "2026-06-21T03:00:00Z", "2026-06-21 04:00 UTC+01:00"),
        (TAIPEI, "2026-11-20T16:00:00.000000Z", "2026-11-21 00:00 UTC+08:00"),
        (CALIFORNIA, "2026-11-21T03:00:00.000000Z", "2026-11-20 19:00 UTC-08:00"),
        ("Asia/Kolkata", "2026-11-20T16:00:00.000000Z", "2026-11-20 21:30 UTC+05:30"),
    ],
)
def test_a_time_of_day_tells_how_far_it_is_from_utc(zone: str, at: str, written: str) -> None:
    assert minute_of(at, zone) == written


@given(zone=st.sampled_from(ZONES), at=moments)
@example("America/St_Johns", "2006-10-29T02:31:00.000000Z")  # an hour that the clock has twice
@example("America/Toronto", "1919-03-31T04:45:00.000000Z")
@example("America/Juneau", "1867-10-19T00:00:00.000001Z")
@example("Pacific/Apia", "2011-12-30T00:00:00.000000Z")
@example(TAIPEI, "9999-12-31T23:59:59.999999Z")
@example(CALIFORNIA, "0001-01-01T00:00:00.000001Z")
def test_each_time_lies_on_exactly_one_day(zone: str, at: str) -> None:
    utc = date.fromisoformat(at[:10]).toordinal()
    around = range(max(1, utc - 2), min(date.max.toordinal(), utc + 2) + 1)
    days = [date.fromordinal(day).isoformat() for day in around]
    begun = [day for day in days if _begun(at, start_of(day, zone))]
    ended = [day for day in days if _begun(at, start_after(day, zone))]
    assert [day for day in begun if day not in ended] == [day_of(at, zone)]
    assert set(ended) <= set(begun)


def _begun(at: str, start: DayStart) -> bool:
    return at == start.whole or at >= start.begin


def test_databases_choose_and_number_by_the_same_days(database_url, run) -> None:
    """In each zone a match is found on its own day only, and is called by that day."""
    times = sorted({_text(at) for _, at, _ in DAYS})
    made = {f"match-{number:010x}": at for number, at in enumerate(times)}

    def written_and_found(connection):
        for number, (match, at) in enumerate(made.items()):
            table, row = opened(match, number, held_at=at)
            connection.execute(insert(table), row)
        return {zone: found_in(connection, zone) for zone in ZONES}

    def found_in(connection, zone):
        def chosen(since, until):
            on = within_days(matches.matches.c.held_at, since, until, zone)
            return sorted(connection.scalars(select(matches.matches.c.held_at).where(*on)))

        for day in {day_of(at, zone) for at in times}:
            assert chosen(day, day) == [at for at in times if day_of(at, zone) == day]
            assert chosen(day, None) == [at for at in times if day_of(at, zone) >= day]
            assert chosen(None, day) == [at for at in times if day_of(at, zone) <= day]
        return matches.generated_titles(connection, "home", made, zone)

    for zone, called in run(within(database_url, written_and_found)).items():
        assert called.keys() == made.keys()
        numbers: Counter[str] = Counter()
        for match, at in made.items():
            numbers[day_of(at, zone)] += 1
            day = day_of(at, zone)
            assert called[match] == matches.GeneratedTitle("basic", day, numbers[day])
