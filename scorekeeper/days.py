"""The days of a time zone. Times are text as the views store it: `2026-11-20T19:00:00.000000Z`.

Exactly midnight in UTC is a day without a time of day, as imports record it. Such a day has the
same date in every zone. All other times lie on the day that the zone has then. Each time lies on
exactly one day.
"""

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

DEFAULT_ZONE: Final = "UTC"
_MIDNIGHT: Final = "T00:00:00.000000Z"
# It sorts behind every time.
_NEVER: Final = "99999"


class DayStart(NamedTuple):
    """What lies on a day or on a later one: `whole`, and all times from `begin` on.

    `whole` is the day without a time of day. It comes before `begin` west of Greenwich, and then
    the times between them lie on the day before. `earliest` is the earlier one of the two.
    """

    earliest: str
    whole: str
    begin: str


def zone_named(name: str) -> tzinfo:
    """Return the time zone with this IANA name.

    Raises ZoneInfoNotFoundError, which is a KeyError, ValueError or OSError if there is none.
    """
    # UTC needs no time zone database. Some systems have none.
    return UTC if name == DEFAULT_ZONE else ZoneInfo(name)


@lru_cache(maxsize=1024)
def start_of(day: str, zone: str) -> DayStart:
    """Return where a day starts. The first of all days starts with the first of all times."""
    whole = f"{day}{_MIDNIGHT}"
    begin = _midnight(date.fromisoformat(day), zone)
    return DayStart(min(whole, begin), whole, begin)


def start_after(day: str, zone: str) -> DayStart:
    """Return where the day after this one starts: never after the last of all days."""
    following = _shifted(day, 1)
    return start_of(following, zone) if following > day else DayStart(_NEVER, _NEVER, _NEVER)


def day_of(at: str, zone: str) -> str:
    """Return the day on which a time lies."""
    day = at[: len("2026-11-20")]
    if zone == DEFAULT_ZONE or at[len(day) :] == _MIDNIGHT:
        return day
    if start_after(day, zone).begin <= at:
        return _shifted(day, 1)
    return day if start_of(day, zone).begin <= at else _shifted(day, -1)


def minute_of(at: str, zone: str) -> str:
    """Return a time as people read it, such as `2026-11-20 19:00 UTC+08:00`."""
    here = datetime.fromisoformat(at).astimezone(zone_named(zone))
    offset = f"{here:%z}"
    from_utc = f"{offset[:3]}:{offset[3:5]}" if here.utcoffset() else ""
    return f"{here:%Y-%m-%d %H:%M} UTC{from_utc}"


def _midnight(day: date, zone: str) -> str:
    if day == date.min:
        return f"{day.isoformat()}{_MIDNIGHT}"
    # Where clocks are put back to midnight, this is the first of two midnights. Where they are put
    # forward at midnight, it is the moment when they are.
    begin = datetime.combine(day, time(), zone_named(zone)).astimezone(UTC)
    return begin.isoformat(timespec="microseconds").replace("+00:00", "Z")


def _shifted(day: str, days: int) -> str:
    """Return the day so many days later, or the same day if there is no such day."""
    try:
        return (date.fromisoformat(day) + timedelta(days)).isoformat()
    except OverflowError:
        return day
