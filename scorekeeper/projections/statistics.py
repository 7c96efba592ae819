"""Statistics of a person over matches, and the order of a league's table."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

SMALL_SAMPLE: Final = 5
"""Fewer matches than this say little, and are flagged."""


class Played(Struct, frozen=True, kw_only=True):
    """One match of a person; `held_at` as text in the order of time."""

    held_at: str
    won: bool
    rounds: int
    rounds_won: int
    points_for: int
    points_against: int


class Statistics(Struct, frozen=True, kw_only=True):
    """Sums over matches that were won by somebody; unfinished ones are left out.

    `points_for`: the own scores, a team's for both partners; `points_against`: the opponents'.
    What is per round is rounded to two places, and None where no round was played. `streak`:
    matches won in a row up to the last; `longest_streak`: ever. `last_played`: the day.
    `small_sample`: too few matches to say much.
    """

    played: int
    won: int
    rounds: int
    rounds_won: int
    points_for: int
    points_against: int
    points_for_per_round: float | None
    points_against_per_round: float | None
    streak: int
    longest_streak: int
    last_played: str | None
    small_sample: bool


def statistics(matches: Sequence[Played]) -> Statistics:
    """Of one person; `matches` in the order of time."""
    streak = longest = 0
    for match in matches:
        streak = streak + 1 if match.won else 0
        longest = max(longest, streak)
    return summed(
        played=len(matches),
        won=_sum(match.won for match in matches),
        rounds=_sum(match.rounds for match in matches),
        rounds_won=_sum(match.rounds_won for match in matches),
        points_for=_sum(match.points_for for match in matches),
        points_against=_sum(match.points_against for match in matches),
        streak=streak,
        longest_streak=longest,
        last=matches[-1].held_at if matches else "",
    )


def summed(
    *,
    played: int,
    won: int,
    rounds: int,
    rounds_won: int,
    points_for: int,
    points_against: int,
    streak: int,
    longest_streak: int,
    last: str,
) -> Statistics:
    """The same from sums that are kept already; `last` begins with the day, or is empty."""
    return Statistics(
        played=played,
        won=won,
        rounds=rounds,
        rounds_won=rounds_won,
        points_for=points_for,
        points_against=points_against,
        points_for_per_round=per_round(points_for, rounds),
        points_against_per_round=per_round(points_against, rounds),
        streak=streak,
        longest_streak=longest_streak,
        last_played=day_of(last),
        small_sample=played < SMALL_SAMPLE,
    )


def _sum(numbers: Iterable[int]) -> int:
    return sum(numbers)


def per_round(points: int, rounds: int) -> float | None:
    return round(points / rounds, 2) if rounds else None


def day_of(last: str) -> str | None:
    return last[: len("2026-01-01")] or None
