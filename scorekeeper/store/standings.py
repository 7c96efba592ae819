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
    exists,
    func,
    or_,
    select,
)

from scorekeeper.days import DEFAULT_ZONE, start_after, start_of
from scorekeeper.store.days import within_days
from scorekeeper.store.tables import results, standings

# Above every count.
_MOST = 2**62


class Line(msgspec.Struct, frozen=True):
    """A person's line in the table; `last_ordinal` is that of the last match."""

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

    @property
    def last_held_at(self) -> str:
        """When the last match was held."""
        return _held_at(self.last_ordinal)


class Result(msgspec.Struct, frozen=True):
    """A person's result in a match, scored by the match's scoring mode.

    `points_for` sums the scores of the person's side, `points_against` those of all other sides,
    each side once. `rounds_won` counts the rounds in which the person emptied the hand. `won` is 1
    for the winners. `rank` is None for a person in whose seat somebody else sat at the end.
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
    """Whom a person met in one match, if this doesn't follow from the results. `met` is JSON."""

    scoring_mode: str
    won: int
    met: str


class PageStart(msgspec.Struct, frozen=True):
    """The line after which a page of the table begins. `place` is its number from the top."""

    place: int
    rank: int
    won: int
    rounds_won: int
    player: str


class ResultFilter(msgspec.Struct, frozen=True):
    """Which matches count: those that meet all conditions given. None is no condition.

    `other` is a person who sat in the match, too. `since` and `until` are the first and the last
    day, as text. `seats` is the number of seats. `zone` is no condition: it is the time zone of
    all days, also of those that the figures tell.
    """

    other: str | None = None
    since: str | None = None
    until: str | None = None
    seats: int | None = None
    edition: str | None = None
    zone: str = DEFAULT_ZONE

    @property
    def takes_all(self) -> bool:
        return self == ResultFilter(zone=self.zone)


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
"""A page of the table, for a RowQuery. It selects the columns of a Line.

Most matches won come first, then most rounds won, then the slugs in order.
"""

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


def page_parameters(league: str, after: PageStart | None, limit: int) -> Mapping[str, object]:
    """Return the parameters of PAGE for the lines below `after`, for the first ones if None."""
    place = after or PageStart(0, 0, _MOST, _MOST, "")
    return {
        "league": league,
        "won": place.won,
        "rounds_won": place.rounds_won,
        "player": place.player,
        "limit": limit,
    }


def pairs_of(
    connection: Connection, league: str, player: str, chosen: ResultFilter
) -> Sequence[PairSums]:
    """Return the sums of a person with each other person, in no order.

    They are over the matches whose results tell who met whom. `kept_meetings` has the others.
    """
    # Materialized, since SQLite would rather go through the results of the whole league, to find
    # them in the order of the groups.
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
    connection: Connection, league: str, player: str, chosen: ResultFilter
) -> Sequence[KeptMeetings]:
    """Return the meetings of a person in the matches that `pairs_of` leaves out, in no order."""
    found = connection.execute(_chosen(_kept, chosen), {"league": league, "player": player})
    return [KeptMeetings(*row) for row in found]


def results_of(
    connection: Connection, league: str, people: Collection[str] | None, chosen: ResultFilter
) -> Sequence[Result]:
    """Return results by person, then by day, the earliest first. `people` None: of everybody."""
    wanted = _chosen(_results, chosen)
    if people is not None:
        wanted = wanted.where(results.c.player.in_(sorted(people)))
    ordered = wanted.order_by(results.c.player, results.c.ordinal)
    return [Result(*row) for row in connection.execute(ordered, {"league": league})]


def won_by_others(
    connection: Connection, league: str, people: Collection[str]
) -> Mapping[str, tuple[int, int]]:
    """Return the matches and rounds won by each person in the table, except these people."""
    wanted = select(standings.c.player, standings.c.won, standings.c.rounds_won).where(
        standings.c.league == bindparam("league"), standings.c.player.not_in(sorted(people))
    )
    found = connection.execute(wanted.order_by(standings.c.player), {"league": league})
    return {player: (won, rounds) for player, won, rounds in found}


def first_and_last(connection: Connection, league: str) -> tuple[str, str] | None:
    """Return when the first and the last match in the table were held, None if there is none.

    The query looks into an index once for each person, and not at all results.
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
    return None if earliest is None else (_held_at(earliest), _held_at(latest))


def held_on(connection: Connection, league: str, day: str, zone: str) -> bool:
    """Return whether a match in the table was held on this day of a time zone.

    The query looks into an index once for each person, too.
    """
    on_that_day = exists().where(
        results.c.league == bindparam("league"),
        results.c.player == standings.c.player,
        results.c.ordinal >= start_of(day, zone).earliest,
        results.c.ordinal < start_after(day, zone).begin,
        *within_days(results.c.held_at, day, day, zone),
    )
    wanted = select(standings.c.player).where(
        standings.c.league == bindparam("league"), on_that_day
    )
    return connection.execute(wanted.limit(1), {"league": league}).first() is not None


def results_page(
    connection: Connection, league: str, chosen: ResultFilter, *, after: tuple[int, str], limit: int
) -> Sequence[Result]:
    """Return results in log order, those after `after`.

    `after` is the position of the entry with which a match was won, and a player of that match.
    """
    finished, player = after
    wanted = _chosen(_results, chosen).where(
        or_(
            results.c.finished > finished,
            and_(results.c.finished == finished, results.c.player > player),
        )
    )
    ordered = wanted.order_by(results.c.finished, results.c.player).limit(limit)
    return [Result(*row) for row in connection.execute(ordered, {"league": league})]


def _held_at(ordinal: str) -> str:
    return ordinal.partition("|")[0]


def _chosen(wanted: Select[Any], chosen: ResultFilter) -> Select[Any]:
    wanted = wanted.where(*within_days(results.c.held_at, chosen.since, chosen.until, chosen.zone))
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
