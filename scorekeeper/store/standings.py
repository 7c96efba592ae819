"""Reading the stored views of a league's table."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import (
    BigInteger,
    Connection,
    Select,
    Text,
    and_,
    bindparam,
    case,
    cast,
    func,
    or_,
    select,
)

from scorekeeper.store.tables import FIRST_MOMENT, LAST_MOMENT, results, standings

# Above every count.
_MOST = 2**62


class Line(msgspec.Struct, frozen=True):
    """A person's line in the table; `last_ordinal` begins with the day of the last match."""

    player: str
    played: int
    won: int
    rounds: int
    rounds_won: int
    collected_rounds: int
    collected_own: int
    collected_others: int
    penalty_rounds: int
    penalty_own: int
    penalty_others: int
    balance_rounds: int
    balance_own: int
    balance_others: int
    streak: int
    longest_streak: int
    last_ordinal: str


class Result(msgspec.Struct, frozen=True):
    """What a person brought home from a match, scored by its mode.

    `points_for`: the own side's scores; `points_against`: those of all others, each side once.
    `rounds_won`: rounds in which the own hand was emptied. `won` is 1 for the winners. `rank` is
    null for somebody in whose seat another sat at the end.
    """

    match: str
    player: str
    finished: int
    held_at: str
    edition: str
    scoring_mode: str
    seats: int
    seat: int
    side: int
    rank: int | None
    won: int
    rounds: int
    rounds_won: int
    points_for: int
    points_against: int


class PairSums(msgspec.Struct, frozen=True):
    """Matches of one mode in which two people played all rounds, from the side of one of them."""

    other: str
    partners: int
    scoring_mode: str
    played: int
    won: int
    rounds: int
    rounds_won: int
    points_for: int
    points_against: int


class KeptMeetings(msgspec.Struct, frozen=True):
    """Whom a person met in one match, where that doesn't follow from the results, as JSON."""

    scoring_mode: str
    won: int
    met: str


class PageStart(msgspec.Struct, frozen=True):
    """Where a page of the table begins: behind this line, the one numbered `place` from the top."""

    place: int
    rank: int
    won: int
    rounds_won: int
    player: str


class Chosen(msgspec.Struct, frozen=True):
    """Which matches count: those in which `other` sat too, of these days, seats and edition.

    `since` and `until` are days as text, both included; None asks for any.
    """

    other: str | None = None
    since: str | None = None
    until: str | None = None
    seats: int | None = None
    edition: str | None = None

    @property
    def all(self) -> bool:
        return self == Chosen()


_won = bindparam("won", type_=BigInteger)
_rounds_won = bindparam("rounds_won", type_=BigInteger)
PAGE = (
    select(*(standings.c[name] for name in Line.__struct_fields__))
    .where(
        standings.c.league == bindparam("league", type_=Text),
        or_(
            standings.c.won < _won,
            and_(standings.c.won == _won, standings.c.rounds_won < _rounds_won),
            and_(
                standings.c.won == _won,
                standings.c.rounds_won == _rounds_won,
                standings.c.player > bindparam("player", type_=Text),
            ),
        ),
    )
    .order_by(standings.c.won.desc(), standings.c.rounds_won.desc(), standings.c.player)
    .limit(bindparam("limit", type_=BigInteger))
)
"""For a RowQuery, the columns of a Line: most matches won, most rounds won, then by slug."""

_results = select(*(results.c[name] for name in Result.__struct_fields__)).where(
    results.c.league == bindparam("league")
)
_own = select(
    *(results.c[name] for name in ("match", "scoring_mode", "side", "won", "rounds")),
    *(results.c[name] for name in ("rounds_won", "points_for")),
).where(
    results.c.league == bindparam("league"),
    results.c.player == bindparam("player"),
    results.c.met.is_(None),
)
_kept = select(*(results.c[name] for name in KeptMeetings.__struct_fields__)).where(
    results.c.league == bindparam("league"),
    results.c.player == bindparam("player"),
    results.c.met.is_not(None),
)


def below(league: str, after: PageStart | None, limit: int) -> Mapping[str, object]:
    """The parameters of PAGE: lines below `after`, the first ones where that is None."""
    place = after or PageStart(0, 0, _MOST, _MOST, "")
    return {
        "league": league,
        "won": place.won,
        "rounds_won": place.rounds_won,
        "player": place.player,
        "limit": limit,
    }


def pairs_of(
    connection: Connection, league: str, player: str, chosen: Chosen
) -> Sequence[PairSums]:
    """With everybody else in the matches whose results tell who met whom, in no order."""
    # By itself: SQLite would rather go through the results of the whole league, to find them in the
    # order of the groups.
    own = _chosen(_own, chosen).cte("own").prefix_with("MATERIALIZED")
    other = results.alias("other")
    partners = case((other.c.side == own.c.side, 1), else_=0)
    sums = (own.c.won, own.c.rounds, own.c.rounds_won, own.c.points_for, other.c.points_for)
    pairs = (
        select(
            other.c.player,
            partners,
            own.c.scoring_mode,
            func.count(),
            *(cast(func.sum(column), BigInteger) for column in sums),
        )
        .join_from(own, other, other.c.match == own.c.match)
        .where(other.c.league == bindparam("league"), other.c.player != bindparam("player"))
        .group_by(other.c.player, partners, own.c.scoring_mode)
    )
    found = connection.execute(pairs, {"league": league, "player": player})
    return [PairSums(*row) for row in found]


def kept_meetings(
    connection: Connection, league: str, player: str, chosen: Chosen
) -> Sequence[KeptMeetings]:
    """Of all other matches, in no order."""
    found = connection.execute(_chosen(_kept, chosen), {"league": league, "player": player})
    return [KeptMeetings(*row) for row in found]


def results_of(
    connection: Connection, league: str, people: Collection[str] | None, chosen: Chosen
) -> Sequence[Result]:
    """By person and day, the earliest first; everybody's where `people` is None."""
    wanted = _chosen(_results, chosen)
    if people is not None:
        wanted = wanted.where(results.c.player.in_(sorted(people)))
    ordered = wanted.order_by(results.c.player, results.c.ordinal)
    return [Result(*row) for row in connection.execute(ordered, {"league": league})]


def won_by_others(
    connection: Connection, league: str, people: Collection[str]
) -> Mapping[str, tuple[int, int]]:
    """Matches and rounds won by each one in the table but these people."""
    wanted = select(standings.c.player, standings.c.won, standings.c.rounds_won).where(
        standings.c.league == bindparam("league"), standings.c.player.not_in(sorted(people))
    )
    found = connection.execute(wanted.order_by(standings.c.player), {"league": league})
    return {player: (won, rounds) for player, won, rounds in found}


def days(connection: Connection, league: str) -> tuple[str, str] | None:
    """Of the first match in the table and of the last, each beginning with the day; None: of none.

    One look at an index for each person, not at all results.
    """
    of_person = results.alias()
    first = (
        select(func.min(of_person.c.ordinal))
        .where(of_person.c.league == bindparam("league"), of_person.c.player == standings.c.player)
        .scalar_subquery()
    )
    wanted = select(func.min(first), func.max(standings.c.last_ordinal)).where(
        standings.c.league == bindparam("league")
    )
    earliest, latest = connection.execute(wanted, {"league": league}).one()
    return None if earliest is None else (earliest, latest)


def results_page(
    connection: Connection, league: str, chosen: Chosen, *, after: tuple[int, str], limit: int
) -> Sequence[Result]:
    """In log order, from behind `after`: the position with which a match was won, and a player."""
    finished, player = after
    wanted = _chosen(_results, chosen).where(
        or_(
            results.c.finished > finished,
            and_(results.c.finished == finished, results.c.player > player),
        )
    )
    ordered = wanted.order_by(results.c.finished, results.c.player).limit(limit)
    return [Result(*row) for row in connection.execute(ordered, {"league": league})]


def _chosen(wanted: Select[Any], chosen: Chosen) -> Select[Any]:
    if chosen.since is not None:
        wanted = wanted.where(results.c.held_at >= chosen.since + FIRST_MOMENT)
    if chosen.until is not None:
        wanted = wanted.where(results.c.held_at <= chosen.until + LAST_MOMENT)
    if chosen.seats is not None:
        wanted = wanted.where(results.c.seats == chosen.seats)
    if chosen.edition is not None:
        wanted = wanted.where(results.c.edition == chosen.edition)
    if chosen.other is not None:
        there = results.alias()
        wanted = wanted.where(
            results.c.match.in_(
                select(there.c.match).where(
                    there.c.league == bindparam("league"), there.c.player == chosen.other
                )
            )
        )
    return wanted
