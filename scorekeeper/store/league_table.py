"""Writing the stored views of a league's table: results, meetings and standings.

Sums are added to, so that a match costs what the people in it cost, however many were played. The
statements are plain SQL that SQLite and PostgreSQL read alike.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import BigInteger, Executable, Text, TextClause, bindparam, text

from scorekeeper.store.rows import Row

_NUMBERS: Final = frozenset(
    {
        "finished", "seats", "seat", "side", "rank", "won", "rounds", "rounds_won", "points_for",
        "points_against", "partners", "played", "newest",
    }
)  # fmt: skip
_DIGITS: Final = 19  # as many as a position can have


def _statement(sql: str, *names: str) -> TextClause:
    """With the types of its parameters, which PostgreSQL wants to know."""
    return text(sql).bindparams(
        *(bindparam(name, type_=BigInteger() if name in _NUMBERS else Text()) for name in names)
    )


_add_result = _statement(
    """
    INSERT INTO results (league, match, player, finished, held_at, ordinal, edition, seats, seat,
        side, rank, won, rounds, rounds_won, points_for, points_against)
    SELECT :league, :match, :player, COALESCE(there.finished, :finished), held.at,
        COALESCE(there.ordinal, held.at || '|' || :padded), :edition,
        :seats, :seat, :side, :rank, :won, :rounds, :rounds_won, :points_for, :points_against
    FROM (SELECT COALESCE(:at, opened_at) AS at FROM matches
        WHERE matches.league = :league AND matches.match = :match) AS held,
        (SELECT MIN(finished) AS finished, MIN(ordinal) AS ordinal FROM results
        WHERE results.league = :league AND results.match = :match) AS there
    WHERE 1 = 1
    ON CONFLICT (league, match, player) DO UPDATE SET
        side = excluded.side, rank = excluded.rank, won = excluded.won, rounds = excluded.rounds,
        rounds_won = excluded.rounds_won, points_for = excluded.points_for,
        points_against = excluded.points_against
    """,
    "league", "match", "player", "finished", "padded", "at", "edition", "seats", "seat", "side",
    "rank", "won", "rounds", "rounds_won", "points_for", "points_against",
)  # fmt: skip
_drop_result = _statement(
    "DELETE FROM results WHERE league = :league AND match = :match AND player = :player",
    "league", "match", "player",
)  # fmt: skip
_add_meeting = _statement(
    """
    INSERT INTO meetings (league, player, other, partners, played, won, rounds, rounds_won,
        points_for, points_against)
    VALUES (:league, :player, :other, :partners, :played, :won, :rounds, :rounds_won, :points_for,
        :points_against)
    ON CONFLICT (league, player, other, partners) DO UPDATE SET
        played = meetings.played + excluded.played, won = meetings.won + excluded.won,
        rounds = meetings.rounds + excluded.rounds,
        rounds_won = meetings.rounds_won + excluded.rounds_won,
        points_for = meetings.points_for + excluded.points_for,
        points_against = meetings.points_against + excluded.points_against
    """,
    "league", "player", "other", "partners", "played", "won", "rounds", "rounds_won",
    "points_for", "points_against",
)  # fmt: skip
_add_standing = _statement(
    """
    INSERT INTO standings (league, player, played, won, rounds, rounds_won, points_for,
        points_against, streak, longest_streak, last_ordinal)
    VALUES (:league, :player, :played, :won, :rounds, :rounds_won, :points_for, :points_against,
        0, 0, '')
    ON CONFLICT (league, player) DO UPDATE SET
        played = standings.played + excluded.played, won = standings.won + excluded.won,
        rounds = standings.rounds + excluded.rounds,
        rounds_won = standings.rounds_won + excluded.rounds_won,
        points_for = standings.points_for + excluded.points_for,
        points_against = standings.points_against + excluded.points_against
    """,
    "league", "player", "played", "won", "rounds", "rounds_won", "points_for", "points_against",
)  # fmt: skip

# Who plays on after the match that was the last so far goes on from there; where an earlier one
# came in or changed, all of the player's matches are looked at again.
_THE_PLAYERS = "FROM results WHERE results.league = :league AND results.player = :player"
_LAST = f"(SELECT MAX(ordinal) {_THE_PLAYERS})"
_CURRENT = f"""(SELECT COUNT(*) {_THE_PLAYERS} AND won = 1
    AND ordinal > COALESCE((SELECT MAX(ordinal) {_THE_PLAYERS} AND won = 0), ''))"""
_LONGEST = f"""(SELECT COALESCE(MAX(length), 0) FROM (SELECT COUNT(*) AS length FROM (
    SELECT won, ROW_NUMBER() OVER (ORDER BY ordinal)
        - ROW_NUMBER() OVER (PARTITION BY won ORDER BY ordinal) AS island {_THE_PLAYERS}
    ) AS played WHERE won = 1 GROUP BY island) AS streaks)"""  # noqa: S608
_set_streak = _statement(
    f"""
    UPDATE standings SET
        streak = CASE WHEN :newest = 1 AND last_ordinal < {_LAST}
            THEN CASE WHEN :won = 1 THEN streak + 1 ELSE 0 END ELSE {_CURRENT} END,
        longest_streak = CASE WHEN :newest = 1 AND last_ordinal < {_LAST}
            THEN CASE WHEN :won = 1 AND streak + 1 > longest_streak THEN streak + 1
                ELSE longest_streak END
            ELSE {_LONGEST} END,
        last_ordinal = COALESCE({_LAST}, '')
    WHERE standings.league = :league AND standings.player = :player
    """,  # noqa: S608
    "league", "player", "newest", "won",
)  # fmt: skip
_drop_empty = _statement(
    "DELETE FROM standings WHERE league = :league AND player = :player AND played = 0",
    "league", "player",
)  # fmt: skip
_drop_unmet = _statement(
    """DELETE FROM meetings
    WHERE league = :league AND player = :player AND other = :other AND partners = :partners
        AND rounds = 0 AND played = 0""",
    "league", "player", "other", "partners",
)  # fmt: skip


def result(*, finished: int | None, at: str | None, **fields: Any) -> Row:  # noqa: ANN401
    """A person's result; `at` None: the time at which the match was opened.

    Where the match has results already, `finished` is theirs; where the person has one, that is
    corrected.
    """
    padded = None if finished is None else _padded(finished)
    return _add_result, {"finished": finished, "padded": padded, "at": at, **fields}


def ordinal(held_at: str, finished: int) -> str:
    """By what a person's matches are in order."""
    return f"{held_at}|{_padded(finished)}"


def _padded(finished: int) -> str:
    return str(finished).rjust(_DIGITS, "0")


def without_result(*, league: str, match: str, player: str) -> Row:
    return _drop_result, {"league": league, "match": match, "player": player}


def meeting(**sums: Any) -> tuple[Row, ...]:  # noqa: ANN401 column by name
    """Add to what two people have of each other; what comes to nothing is dropped."""
    key = {name: sums[name] for name in ("league", "player", "other", "partners")}
    gone = sums["played"] < 0 or sums["rounds"] < 0
    return ((_add_meeting, sums), *(((_drop_unmet, key),) if gone else ()))


def standing(*, newest: bool, streak_won: bool, **sums: Any) -> tuple[Row, ...]:  # noqa: ANN401
    """Add to a person's line in the table.

    `newest`: a match came in that may be the person's last, and `streak_won` tells whether it was
    won; or else the streaks are counted anew.
    """
    key: Mapping[str, Any] = {name: sums[name] for name in ("league", "player")}
    streak = {**key, "newest": int(newest), "won": int(streak_won)}
    gone = sums["played"] < 0
    rows = ((_add_standing, sums), (_set_streak, streak))
    return (*rows, (_drop_empty, key)) if gone else rows


def together(rows: Iterable[Row]) -> list[Row]:
    """Rows of this module with those of one statement side by side, so that they travel together.

    People don't wait for each other; each one's result comes before the line that counts it.
    """
    return sorted(rows, key=lambda row: _ORDER.index(row[0]))


_ORDER: Final[Sequence[Executable]] = (
    _add_result,
    _drop_result,
    _add_meeting,
    _drop_unmet,
    _add_standing,
    _set_streak,
    _drop_empty,
)
