"""Conditions on the day on which a match was held."""

from collections.abc import Iterator

from sqlalchemy import ColumnElement, and_, not_

from scorekeeper.days import start_after, start_of


def within_days(
    held_at: ColumnElement[str], since: str | None, until: str | None, zone: str
) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions that a time lies on these days of a time zone, both included.

    `since`, `until`: the days as text; None is no condition.
    """
    if since is not None:
        yield has_begun(held_at, *start_of(since, zone))
    if until is not None:
        _, whole, begin = start_after(until, zone)
        yield has_not_begun(held_at, whole, begin)


def has_begun(
    held_at: ColumnElement[str],
    earliest: str | ColumnElement[str],
    whole: str | ColumnElement[str],
    begin: str | ColumnElement[str],
) -> ColumnElement[bool]:
    """Return the condition that a time lies on a day with this DayStart, or on a later one.

    Databases can look up `earliest` in an index.
    """
    return and_(held_at >= earliest, not_(and_(held_at > whole, held_at < begin)))


def has_not_begun(
    held_at: ColumnElement[str], whole: str | ColumnElement[str], begin: str | ColumnElement[str]
) -> ColumnElement[bool]:
    """Return the condition that a time lies on an earlier day."""
    return and_(held_at < begin, held_at != whole)
