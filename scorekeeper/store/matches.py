"""The stored view for the list of matches; it can be made again from the log."""

import json
import string
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import (
    JSON,
    ColumnElement,
    Connection,
    FromClause,
    Row,
    Select,
    Text,
    and_,
    bindparam,
    cast,
    column,
    func,
    or_,
    select,
    update,
)

from scorekeeper.days import DEFAULT_ZONE, day_of, start_after, start_of
from scorekeeper.store.days import has_begun, has_not_begun, within_days
from scorekeeper.store.tables import ViewRow, matches, tournament_tables

_change = (
    update(matches)
    .where(matches.c.league == bindparam("of_league"), matches.c.match == bindparam("of_match"))
    .values(
        status=bindparam("new_status"),
        substitutes=bindparam("new_substitutes"),
        winners=bindparam("new_winners"),
        open_disputes=bindparam("new_open_disputes"),
        round=bindparam("new_round"),
        totals=bindparam("new_totals"),
    )
)

_opened_at = select(matches.c.opened_at).where(
    matches.c.league == bindparam("league"), matches.c.match == bindparam("match")
)


def _only(letters: str, first: int, count: int) -> ColumnElement[bool]:
    """Return the condition that a part of a match's slug has only these letters."""
    return func.ltrim(func.substr(matches.c.match, first, count), letters) == ""


_HEX = "0123456789abcdef"
# Slugs as the service and an import generate them: `service/reading/occasions` has the same forms.
_nameless = or_(
    and_(matches.c.match.like("match-__________"), _only(_HEX, 7, 10)),
    and_(
        matches.c.match.like("past-____-__-__-____________"),
        *(_only(string.digits, *part) for part in ((6, 4), (11, 2), (14, 2))),
        _only(_HEX, 17, 12),
    ),
)
_when_held = select(matches.c.edition, matches.c.held_at).where(
    matches.c.league == bindparam("league"),
    matches.c.match.in_(bindparam("matches", expanding=True)),
    _nameless,
)

# An edition, a day, and what lies on that day and on the next one, as DayStart has it.
_OF_DAY = ("edition", "day", "earliest", "whole", "begin", "next_whole", "next_begin")
_days_on_postgresql = (
    func.json_to_recordset(cast(bindparam("days", type_=Text), JSON))
    .table_valued(*(column(name, Text) for name in _OF_DAY))
    .render_derived(name="days", with_types=True)
)
_each_day = func.json_each(bindparam("days", type_=Text)).table_valued("value")
# Materialized, since SQLite would rather parse the JSON again for each match.
_days_on_sqlite = (
    select(*(func.json_extract(_each_day.c.value, f"$.{name}").label(name) for name in _OF_DAY))
    .cte("days")
    .prefix_with("MATERIALIZED")
)


def _numbered_among(days: FromClause) -> Select[Any]:
    """Number the matches of each edition and day."""
    starts = has_begun(matches.c.held_at, days.c.earliest, days.c.whole, days.c.begin)
    ends = has_not_begun(matches.c.held_at, days.c.next_whole, days.c.next_begin)
    numbered = (
        select(
            matches.c.match,
            matches.c.edition,
            days.c.day,
            func.row_number()
            .over(partition_by=(matches.c.edition, days.c.day), order_by=matches.c.opened)
            .label("number"),
        )
        .join_from(days, matches, and_(matches.c.edition == days.c.edition, starts, ends))
        .where(matches.c.league == bindparam("league"), _nameless)
        .subquery()
    )
    asked = numbered.c.match.in_(bindparam("matches", expanding=True))
    return select(numbered).where(asked)


_numbered = {
    "sqlite": _numbered_among(_days_on_sqlite),
    "postgresql": _numbered_among(_days_on_postgresql),
}


class Ending(msgspec.Struct, frozen=True):
    """The result of a match that is over: the number of rounds begun, and the totals by player."""

    round: int
    totals: Mapping[str, int]


class ListedMatch(msgspec.Struct, frozen=True):
    """A match as it is listed; `opened` is the position of its opening, the cursor of the list.

    `ending` is None while it is open.
    """

    match: str
    opened: int
    edition: str
    status: str
    players: list[str]
    winners: list[str]
    opened_at: str
    open_disputes: int
    ending: Ending | None


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a match, as far as the list of matches stores it.

    `substitutes` are the people who sit in for somebody, or ever did.
    """

    status: str
    substitutes: Sequence[str]
    winners: Sequence[str]
    open_disputes: int
    ending: Ending | None

    @property
    def columns(self) -> Mapping[str, Any]:
        ending = self.ending
        return {
            "status": self.status,
            "substitutes": json.dumps(list(self.substitutes)),
            "winners": json.dumps(list(self.winners)),
            "open_disputes": self.open_disputes,
            "round": None if ending is None else ending.round,
            "totals": None if ending is None else json.dumps(dict(ending.totals)),
        }


class GeneratedTitle(msgspec.Struct, frozen=True):
    """What a match with a generated slug is called by: its edition, its day and its number.

    `number` counts such matches of the same edition and day, from 1, in the order in which they
    were opened. So a match that is opened later changes no number.
    """

    edition: str
    day: str
    number: int


class MatchFilter(msgspec.Struct, frozen=True, kw_only=True):
    """Which matches are listed: those that meet all conditions given. None is no condition.

    `player` sits in the match, or ever sat in for somebody. `since` and `until` are the first and
    the last day in UTC on which the match may have been held, as text. `outside_tournaments`: only
    matches that are no table of a tournament. `disputed`: only matches with an open dispute.
    `played`: only matches that are over and in which a round was begun.
    """

    status: str | None = None
    player: str | None = None
    edition: str | None = None
    since: str | None = None
    until: str | None = None
    outside_tournaments: bool = False
    disputed: bool = False
    played: bool = False


def added(
    *,
    league: str,
    match: str,
    opened: int,
    edition: str,
    players: Sequence[str],
    opened_at: str,
    held_at: str,
    summary: Summary,
) -> ViewRow:
    return matches, {
        "league": league,
        "match": match,
        "opened": opened,
        "edition": edition,
        "players": json.dumps(list(players)),
        "opened_at": opened_at,
        "held_at": held_at,
        **summary.columns,
    }


def changed(league: str, match: str, summary: Summary) -> ViewRow:
    values = {f"new_{name}": value for name, value in summary.columns.items()}
    return _change, {"of_league": league, "of_match": match, **values}


def opened_at(connection: Connection, league: str, match: str) -> str:
    """Return when a match was opened. The match must exist."""
    about = {"league": league, "match": match}
    found: str = connection.execute(_opened_at, about).scalar_one()
    return found


def generated_titles(
    connection: Connection, league: str, asked: Collection[str], zone: str
) -> Mapping[str, GeneratedTitle]:
    """Return the edition, day and number of each of these matches that has a generated slug.

    `zone`: the time zone of the days.
    """
    about: dict[str, object] = {"league": league, "matches": list(asked)}
    times = connection.execute(_when_held, about)
    days = sorted({(edition, day_of(held_at, zone)) for edition, held_at in times})
    starts = [
        (edition, day, *start_of(day, zone), *start_after(day, zone)[1:]) for edition, day in days
    ]
    about["days"] = json.dumps([dict(zip(_OF_DAY, each, strict=True)) for each in starts])
    found = connection.execute(_numbered[connection.dialect.name], about)
    return {row.match: GeneratedTitle(row.edition, row.day, row.number) for row in found}


def page(
    connection: Connection,
    league: str,
    chosen: MatchFilter,
    *,
    before: int | None = None,
    limit: int,
) -> Sequence[ListedMatch]:
    """Return matches, the latest opened first, those opened before the position `before`."""
    wanted = select(matches).where(matches.c.league == league, *_conditions(league, chosen))
    if before is not None:
        wanted = wanted.where(matches.c.opened < before)
    found = connection.execute(wanted.order_by(matches.c.opened.desc()).limit(limit))
    return [_listed(row) for row in found]


def latest_held(
    connection: Connection, league: str, chosen: MatchFilter, *, limit: int
) -> Sequence[ListedMatch]:
    """Return matches, the latest held first.

    So a match of the past that was imported later has its place among the old ones.
    """
    found = connection.execute(
        select(matches)
        .where(matches.c.league == league, *_conditions(league, chosen))
        .order_by(matches.c.held_at.desc(), matches.c.opened.desc())
        .limit(limit)
    )
    return [_listed(row) for row in found]


def _conditions(league: str, chosen: MatchFilter) -> Iterator[ColumnElement[bool]]:
    if chosen.status is not None:
        yield matches.c.status == chosen.status
    if chosen.edition is not None:
        yield matches.c.edition == chosen.edition
    yield from within_days(matches.c.held_at, chosen.since, chosen.until, DEFAULT_ZONE)
    if chosen.player is not None:
        # Slugs need no escaping in JSON, so that a quoted one is found as it is written.
        named = json.dumps(chosen.player)
        sat_there = (matches.c.players, matches.c.substitutes)
        yield or_(*(each.contains(named, autoescape=True) for each in sat_there))
    if chosen.outside_tournaments:
        tables = select(tournament_tables.c.match).where(tournament_tables.c.league == league)
        yield matches.c.match.not_in(tables)
    if chosen.disputed:
        yield matches.c.open_disputes > 0
    if chosen.played:
        # `round` is null while a match is open.
        yield matches.c.round > 0


def _listed(row: Row[Any]) -> ListedMatch:
    return ListedMatch(
        match=row.match,
        opened=row.opened,
        edition=row.edition,
        status=row.status,
        players=json.loads(row.players),
        winners=json.loads(row.winners),
        opened_at=row.opened_at,
        open_disputes=row.open_disputes,
        ending=None if row.totals is None else Ending(row.round, json.loads(row.totals)),
    )
