"""Reading the stored views of a league's table."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import BigInteger, Connection, Select, Text, and_, bindparam, or_, select

from scorekeeper.store.tables import meetings, results, standings

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


class MeetingSums(msgspec.Struct, frozen=True):
    """What two people have of each other, from the side of the one who was asked about."""

    other: str
    partners: int
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


class Pair(msgspec.Struct, frozen=True):
    """A person's result of a match, and what matters in it of another's in the same one.

    `met`: the person's meetings in the match, where they don't follow from its results.
    """

    match: str
    scoring_mode: str
    side: int
    won: int
    rounds: int
    rounds_won: int
    points_for: int
    met: str | None
    other: str
    other_side: int
    other_points: int


class Place(msgspec.Struct, frozen=True):
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
_others = results.alias("others")
_own = ("match", "scoring_mode", "side", "won", "rounds", "rounds_won", "points_for", "met")
_theirs = ("player", "side", "points_for")
_pairs = (
    select(*(results.c[name] for name in _own), *(_others.c[name] for name in _theirs))
    .join_from(
        results,
        _others,
        and_(
            _others.c.league == results.c.league,
            _others.c.match == results.c.match,
            _others.c.player != results.c.player,
        ),
    )
    .where(results.c.league == bindparam("league"), results.c.player == bindparam("player"))
    .order_by(results.c.match)
)
_met = (
    select(*(meetings.c[name] for name in MeetingSums.__struct_fields__))
    .where(meetings.c.league == bindparam("league"), meetings.c.player == bindparam("player"))
    .order_by(meetings.c.partners, meetings.c.other)
)


def below(league: str, after: Place | None, limit: int) -> Mapping[str, object]:
    """The parameters of PAGE: lines below `after`, the first ones where that is None."""
    place = after or Place(0, 0, _MOST, _MOST, "")
    return {
        "league": league,
        "won": place.won,
        "rounds_won": place.rounds_won,
        "player": place.player,
        "limit": limit,
    }


def met(connection: Connection, league: str, player: str) -> Sequence[MeetingSums]:
    """Opponents first, then partners, each by slug."""
    found = connection.execute(_met, {"league": league, "player": player})
    return [MeetingSums(*row) for row in found]


def pairs_of(connection: Connection, league: str, player: str, chosen: Chosen) -> Sequence[Pair]:
    """With everybody else who has a result in the matches, those of one match side by side."""
    found = connection.execute(_chosen(_pairs, chosen), {"league": league, "player": player})
    return [Pair(*row) for row in found]


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
        wanted = wanted.where(results.c.held_at >= f"{chosen.since}T00:00:00.000000Z")
    if chosen.until is not None:
        wanted = wanted.where(results.c.held_at <= f"{chosen.until}T23:59:59.999999Z")
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
