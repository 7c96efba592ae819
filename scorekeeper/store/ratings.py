"""Ratings: they follow behind the log, and are dropped from a match on when its result changes."""

from collections.abc import Collection, Sequence
from typing import Any

import msgspec
from sqlalchemy import (
    BigInteger,
    Connection,
    Select,
    Text,
    and_,
    bindparam,
    delete,
    func,
    insert,
    select,
    text,
    update,
)

from scorekeeper.store.tables import ViewRow, rating_progress, ratings, results

_NOTHING = 0

_of_match = "(SELECT MIN(finished) FROM results WHERE results.league = :league AND match = :match)"
# Every change of results writes the league's row, and so does every step of the ratings. So the two
# come one after the other.
_go_back = text(
    f"UPDATE rating_progress SET as_of = CASE WHEN as_of >= {_of_match}"  # noqa: S608 a constant
    f" THEN {_of_match} - 1 ELSE as_of END WHERE league = :league"
).bindparams(bindparam("league", type_=Text()), bindparam("match", type_=Text()))
_drop = text(
    f"DELETE FROM ratings WHERE league = :league AND finished >= {_of_match}"  # noqa: S608
).bindparams(bindparam("league", type_=Text()), bindparam("match", type_=Text()))
_begin = text(
    "INSERT INTO rating_progress (league, as_of) VALUES (:league, 0)"
    " ON CONFLICT (league) DO NOTHING"
).bindparams(bindparam("league", type_=Text()))
_advance = (
    update(rating_progress)
    .where(
        rating_progress.c.league == bindparam("of_league"),
        rating_progress.c.as_of == bindparam("seen", type_=BigInteger),
    )
    .values(as_of=bindparam("new", type_=BigInteger))
)
_lock = (
    select(rating_progress.c.as_of)
    .where(rating_progress.c.league == bindparam("of_league"))
    .with_for_update()
)
_restart = (
    update(rating_progress)
    .where(rating_progress.c.league == bindparam("of_league"))
    .values(as_of=_NOTHING)
)
_drop_all = delete(ratings).where(ratings.c.league == bindparam("of_league"))
_insert = insert(ratings)


class RankedPlayer(msgspec.Struct, frozen=True):
    """Somebody who was at the table when a match was won."""

    finished: int
    match: str
    player: str
    side: int
    rank: int


class RatedPlayer(msgspec.Struct, frozen=True):
    """A rating after a match, in millionths."""

    player: str
    finished: int
    match: str
    mu: int
    sigma: int


def stale(*, league: str, match: str) -> tuple[ViewRow, ...]:
    """Return the rows that drop the ratings from a match on.

    They must be written before results of the match change. If results are added at an earlier
    position, the rows must be written after them.
    """
    key = {"league": league, "match": match}
    return (_begin, {"league": league}), (_go_back, key), (_drop, key)


def forget(connection: Connection, league: str) -> tuple[bool, int]:
    """Drop all ratings of a league, so that they are computed again.

    Return whether any results were in the ratings, and how many ratings there were. If results
    change in the same transaction, call this before.
    """
    connection.execute(_begin, {"league": league})
    reached = connection.execute(_lock, {"of_league": league}).scalar_one()
    connection.execute(_restart, {"of_league": league})
    return reached != _NOTHING, connection.execute(_drop_all, {"of_league": league}).rowcount


def as_of(connection: Connection, league: str) -> int:
    """Return the position up to which results are in the ratings, 0 if none are."""
    found = select(rating_progress.c.as_of).where(rating_progress.c.league == league)
    return connection.execute(found).scalar() or _NOTHING


def held_as_of(connection: Connection, league: str) -> int:
    """Return what `as_of` returns, and keep it so until the transaction ends, by a lock."""
    return connection.execute(_lock, {"of_league": league}).scalar() or _NOTHING


def end_of_next(connection: Connection, league: str, *, after: int, matches: int) -> int | None:
    """Return the position with which the last of the next won matches was won.

    These are at most `matches` matches, won after the position `after`. None if there are none.
    """
    positions = (
        select(results.c.finished)
        .distinct()
        .where(results.c.league == league, results.c.finished > after)
        .order_by(results.c.finished)
        .limit(matches)
        .subquery()
    )
    return connection.execute(select(func.max(positions.c.finished))).scalar()


def played(
    connection: Connection, league: str, *, after: int, until: int
) -> Sequence[RankedPlayer]:
    """Return the players ranked in the matches won after `after`, up to and including `until`.

    They are in log order.
    """
    found = connection.execute(
        select(
            results.c.finished,
            results.c.match,
            results.c.player,
            results.c.side,
            results.c.rank,
        )
        .where(
            results.c.league == league,
            results.c.finished > after,
            results.c.finished <= until,
            results.c.rank.is_not(None),
        )
        .order_by(results.c.finished, results.c.side, results.c.seat, results.c.player)
    )
    return [RankedPlayer(*row) for row in found]


def latest(connection: Connection, league: str, players: Collection[str]) -> Sequence[RatedPlayer]:
    """Return the latest ratings of these people, by slug. People without a rating are left out."""
    newest = (
        select(ratings.c.player, func.max(ratings.c.finished).label("finished"))
        .where(ratings.c.league == league, ratings.c.player.in_(players))
        .group_by(ratings.c.player)
        .subquery()
    )
    found = connection.execute(
        _columns()
        .join(
            newest,
            and_(
                ratings.c.player == newest.c.player,
                ratings.c.finished == newest.c.finished,
            ),
        )
        .where(ratings.c.league == league)
        .order_by(ratings.c.player)
    )
    return [RatedPlayer(*row) for row in found]


def history(
    connection: Connection, league: str, player: str, *, after: int, limit: int
) -> Sequence[RatedPlayer]:
    """Return a person's ratings in log order, those after the position `after`."""
    found = connection.execute(
        _columns()
        .where(
            ratings.c.league == league,
            ratings.c.player == player,
            ratings.c.finished > after,
        )
        .order_by(ratings.c.finished)
        .limit(limit)
    )
    return [RatedPlayer(*row) for row in found]


def recent(connection: Connection, league: str, player: str, *, limit: int) -> list[RatedPlayer]:
    """Return a person's last ratings, at most `limit`, in log order."""
    found = connection.execute(
        _columns()
        .where(ratings.c.league == league, ratings.c.player == player)
        .order_by(ratings.c.finished.desc())
        .limit(limit)
    )
    return [RatedPlayer(*row) for row in found][::-1]


def advance(
    connection: Connection,
    league: str,
    new: Sequence[RatedPlayer],
    *,
    before: Sequence[RatedPlayer],
    on: Sequence[RankedPlayer],
    seen: int,
    to: int,
) -> None:
    """Write the ratings from behind the position `seen` up to `to`.

    They rest on the results `on`, and on the ratings `before`. Nothing is written if another
    process was first, or if either has changed since: an earlier match may have been corrected, and
    others have rated again up to `seen`.
    """
    connection.execute(_begin, {"league": league})
    taken = connection.execute(_advance, {"of_league": league, "seen": seen, "new": to})
    if taken.rowcount != 1:
        return
    if (
        played(connection, league, after=seen, until=to) != on
        or latest(connection, league, {each.player for each in on}) != before
    ):
        connection.execute(_advance, {"of_league": league, "seen": to, "new": seen})
    elif new:
        connection.execute(
            _insert, [{"league": league, **msgspec.structs.asdict(each)} for each in new]
        )


def _columns() -> Select[Any]:
    return select(*(ratings.c[name] for name in RatedPlayer.__struct_fields__))
