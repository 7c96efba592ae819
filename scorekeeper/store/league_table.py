"""Writing the stored views of a league's table: results and standings.

A match is added to the sums. So its cost depends on the people in it, not on how many matches were
played. The statements are plain SQL that SQLite and PostgreSQL read alike.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from sqlalchemy import BigInteger, Executable, Table, Text, TextClause, bindparam, text

from scorekeeper.store import tables
from scorekeeper.store.tables import ViewRow

_NUMBERS: Final = frozenset(
    {
        "finished", "seats", "seat", "side", "rank", "won", "rounds", "rounds_won", "points_for",
        "points_against", "played", "newest", "leading", "inside", "trailing",
        "unbroken", *tables.POINTS,
    }
)  # fmt: skip
_DIGITS: Final = 19  # as many as a position can have


def _statement(sql: str, *names: str) -> TextClause:
    """Return a statement with the types of its parameters, which PostgreSQL needs."""
    return text(sql).bindparams(
        *(bindparam(name, type_=BigInteger() if name in _NUMBERS else Text()) for name in names)
    )


_add_result = _statement(
    """
    INSERT INTO results (league, match, player, finished, held_at, ordinal, edition, scoring_mode,
        seats, seat, side, rank, won, rounds, rounds_won, points_for, points_against, met)
    SELECT :league, :match, :player, COALESCE(there.finished, :finished), held.at,
        COALESCE(there.ordinal, held.at || '|' || :padded), :edition,
        :scoring_mode, :seats, :seat, :side, :rank, :won, :rounds, :rounds_won, :points_for,
        :points_against, :met
    FROM (SELECT COALESCE(:at, opened_at) AS at FROM matches
        WHERE matches.league = :league AND matches.match = :match) AS held,
        (SELECT MIN(finished) AS finished, MIN(ordinal) AS ordinal FROM results
        WHERE results.league = :league AND results.match = :match) AS there
    WHERE 1 = 1
    ON CONFLICT (league, match, player) DO UPDATE SET
        seat = excluded.seat, side = excluded.side, rank = excluded.rank, won = excluded.won,
        rounds = excluded.rounds, rounds_won = excluded.rounds_won,
        points_for = excluded.points_for, points_against = excluded.points_against,
        met = excluded.met
    """,
    "league", "match", "player", "finished", "padded", "at", "edition", "scoring_mode", "seats",
    "seat", "side", "rank", "won", "rounds", "rounds_won", "points_for", "points_against", "met",
)  # fmt: skip
_drop_result = _statement(
    "DELETE FROM results WHERE league = :league AND match = :match AND player = :player",
    "league", "match", "player",
)  # fmt: skip
_SUMS: Final = ("played", "won", "rounds", "rounds_won", *tables.POINTS)
_NAMED: Final = ", ".join(_SUMS)
_GIVEN: Final = ", ".join(f":{name}" for name in _SUMS)
_ADDED: Final = ", ".join(f"{name} = standings.{name} + excluded.{name}" for name in _SUMS)
_add_standing = _statement(
    f"""
    INSERT INTO standings (league, player, {_NAMED}, streak, longest_streak, last_ordinal)
    VALUES (:league, :player, {_GIVEN}, 0, 0, '')
    ON CONFLICT (league, player) DO UPDATE SET {_ADDED}
    """,  # noqa: S608 names of our own columns
    "league", "player", *_SUMS,
)  # fmt: skip

# If all new matches are later than the player's last one, the streaks go on from there. If an
# earlier match came in or changed, they are counted again over all of the player's matches.
_THE_PLAYERS = "FROM results WHERE results.league = :league AND results.player = :player"
_LAST = f"(SELECT MAX(ordinal) {_THE_PLAYERS})"
_CURRENT = f"""(SELECT COUNT(*) {_THE_PLAYERS} AND won = 1
    AND ordinal > COALESCE((SELECT MAX(ordinal) {_THE_PLAYERS} AND won = 0), ''))"""
_LONGEST = f"""(SELECT COALESCE(MAX(length), 0) FROM (SELECT COUNT(*) AS length FROM (
    SELECT won, ROW_NUMBER() OVER (ORDER BY ordinal)
        - ROW_NUMBER() OVER (PARTITION BY won ORDER BY ordinal) AS island {_THE_PLAYERS}
    ) AS played WHERE won = 1 GROUP BY island) AS streaks)"""  # noqa: S608
_GOES_ON = f":newest = 1 AND last_ordinal < COALESCE(:first, {_LAST})"
_set_streak = _statement(
    f"""
    UPDATE standings SET
        streak = CASE WHEN {_GOES_ON}
            THEN CASE WHEN :unbroken = 1 THEN streak + :trailing ELSE :trailing END
            ELSE {_CURRENT} END,
        longest_streak = CASE WHEN {_GOES_ON}
            THEN CASE WHEN streak + :leading >= :inside AND streak + :leading > longest_streak
                    THEN streak + :leading
                WHEN :inside > longest_streak THEN :inside
                ELSE longest_streak END
            ELSE {_LONGEST} END,
        last_ordinal = CASE WHEN {_GOES_ON}
            THEN COALESCE(:last, {_LAST}) ELSE COALESCE({_LAST}, '') END
    WHERE standings.league = :league AND standings.player = :player
    """,  # noqa: S608
    "league", "player", "newest", "first", "last", "leading", "inside", "trailing", "unbroken",
)  # fmt: skip
_drop_empty = _statement(
    "DELETE FROM standings WHERE league = :league AND player = :player AND played = 0",
    "league", "player",
)  # fmt: skip


def result(*, finished: int | None, at: str | None, **fields: Any) -> ViewRow:  # noqa: ANN401
    """Return the row that writes a person's result. `at` None: the match was held when opened.

    If the match has results already, their `finished` and `ordinal` are kept. If the person has a
    result in it, that one is corrected.
    """
    padded = None if finished is None else _padded(finished)
    return _add_result, {"finished": finished, "padded": padded, "at": at, **fields}


def ordinal(held_at: str, finished: int) -> str:
    """Return the text by which a person's matches are sorted."""
    return f"{held_at}|{_padded(finished)}"


def _padded(finished: int) -> str:
    return str(finished).rjust(_DIGITS, "0")


def new_result(*, finished: int, held_at: str, **fields: Any) -> ViewRow:  # noqa: ANN401
    """Return the row of a person's result in a match that has no results yet."""
    at = ordinal(held_at, finished)
    return tables.results, {"finished": finished, "held_at": held_at, "ordinal": at, **fields}


def without_result(*, league: str, match: str, player: str) -> ViewRow:
    return _drop_result, {"league": league, "match": match, "player": player}


class NewMatches(Struct, frozen=True, kw_only=True):
    """Matches of one person that are added together, in order of their ordinals.

    `first` and `last` are the ordinals of the first and the last match. Both are None for a single
    match whose ordinal only the database knows. `leading` and `trailing` count the matches won in
    a row at the beginning and at the end, `inside` the most won in a row. `unbroken`: all were won.
    """

    first: str | None = None
    last: str | None = None
    leading: int
    inside: int
    trailing: int
    unbroken: bool


def one_played(*, won: bool) -> NewMatches:
    """Return one match whose ordinal only the database knows."""
    wins = int(won)
    return NewMatches(leading=wins, inside=wins, trailing=wins, unbroken=won)


def some_played(matches: Iterable[tuple[str, bool]]) -> NewMatches:
    """Return matches that are given by ordinal and by whether they were won. Needs at least one."""
    in_order = sorted(matches)
    leading = inside = trailing = 0
    unbroken = True
    for _, won in in_order:
        trailing = trailing + 1 if won else 0
        inside = max(inside, trailing)
        unbroken = unbroken and won
        leading += unbroken
    return NewMatches(
        first=in_order[0][0],
        last=in_order[-1][0],
        leading=leading,
        inside=inside,
        trailing=trailing,
        unbroken=unbroken,
    )


def standing(came_in: NewMatches | None, **sums: Any) -> tuple[ViewRow, ...]:  # noqa: ANN401
    """Return the rows that add `sums` to a person's line in the table.

    The streaks go on with the matches that `came_in`. None: a match changed or was taken away, and
    the streaks are counted again.
    """
    key: Mapping[str, Any] = {name: sums[name] for name in ("league", "player")}
    played = came_in or one_played(won=False)
    streak = {
        **key,
        "newest": int(came_in is not None),
        "first": played.first,
        "last": played.last,
        "leading": played.leading,
        "inside": played.inside,
        "trailing": played.trailing,
        "unbroken": int(played.unbroken),
    }
    gone = sums["played"] < 0
    rows = ((_add_standing, sums), (_set_streak, streak))
    return (*rows, (_drop_empty, key)) if gone else rows


def together(rows: Iterable[ViewRow]) -> list[ViewRow]:
    """Return rows of this module sorted by statement, so that each statement is sent once.

    The rows of different people don't depend on each other. Each person's result comes before the
    line that counts it.
    """
    return sorted(rows, key=lambda row: _ORDER.index(row[0]))


_ORDER: Final[Sequence[Executable | Table]] = (
    tables.results,
    _add_result,
    _drop_result,
    _add_standing,
    _set_streak,
    _drop_empty,
)
