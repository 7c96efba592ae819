"""The stored view for the list of matches; it can be made again from the log."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, bindparam, or_, select, update

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


class Ending(msgspec.Struct, frozen=True):
    """What a match that is over came to: rounds begun, and the totals by player."""

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


def added(
    *,
    league: str,
    match: str,
    opened: int,
    edition: str,
    status: str,
    players: Sequence[str],
    substitutes: Sequence[str],
    winners: Sequence[str],
    opened_at: str,
    held_at: str,
    open_disputes: int,
    ending: Ending | None,
) -> ViewRow:
    return matches, {
        "league": league,
        "match": match,
        "opened": opened,
        "edition": edition,
        "status": status,
        "players": json.dumps(list(players)),
        "substitutes": json.dumps(list(substitutes)),
        "winners": json.dumps(list(winners)),
        "opened_at": opened_at,
        "open_disputes": open_disputes,
        "held_at": held_at,
        "round": None if ending is None else ending.round,
        "totals": None if ending is None else json.dumps(dict(ending.totals)),
    }


def changed(
    *,
    league: str,
    match: str,
    status: str,
    substitutes: Sequence[str],
    winners: Sequence[str],
    open_disputes: int,
    ending: Ending | None,
) -> ViewRow:
    return _change, {
        "of_league": league,
        "of_match": match,
        "new_status": status,
        "new_substitutes": json.dumps(list(substitutes)),
        "new_winners": json.dumps(list(winners)),
        "new_open_disputes": open_disputes,
        "new_round": None if ending is None else ending.round,
        "new_totals": None if ending is None else json.dumps(dict(ending.totals)),
    }


def opened_at(connection: Connection, league: str, match: str) -> str:
    """When a match that there is was opened."""
    about = {"league": league, "match": match}
    found: str = connection.execute(_opened_at, about).scalar_one()
    return found


def page(
    connection: Connection,
    league: str,
    *,
    status: str | None,
    player: str | None,
    edition: str | None,
    since: str | None,
    until: str | None,
    outside_tournaments: bool,
    disputed: bool = False,
    ended: bool = False,
    before: int | None,
    limit: int,
) -> Sequence[ListedMatch]:
    """Matches that meet all that is given, the latest opened first, from below `before`.

    `player`: who sits there, or ever sat in. `since` and `until` are the first and the last day on
    which they may have been held; `outside_tournaments`: only those that are no table of a
    tournament; `disputed`: only those with an open dispute; `ended`: only those that are not open.
    """
    wanted = select(matches).where(matches.c.league == league)
    if before is not None:
        wanted = wanted.where(matches.c.opened < before)
    if status is not None:
        wanted = wanted.where(matches.c.status == status)
    if edition is not None:
        wanted = wanted.where(matches.c.edition == edition)
    if since is not None:
        wanted = wanted.where(matches.c.held_at >= f"{since}T00:00:00.000000Z")
    if until is not None:
        wanted = wanted.where(matches.c.held_at <= f"{until}T23:59:59.999999Z")
    if player is not None:
        # Slugs need no escaping in JSON, so that a quoted one is found as it is written.
        named = json.dumps(player)
        sat_there = (matches.c.players, matches.c.substitutes)
        wanted = wanted.where(or_(*(each.contains(named, autoescape=True) for each in sat_there)))
    if outside_tournaments:
        tables = select(tournament_tables.c.match).where(tournament_tables.c.league == league)
        wanted = wanted.where(matches.c.match.not_in(tables))
    if disputed:
        wanted = wanted.where(matches.c.open_disputes > 0)
    if ended:
        wanted = wanted.where(matches.c.status != "open")
    found = connection.execute(wanted.order_by(matches.c.opened.desc()).limit(limit))
    return [_listed(row) for row in found]


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
