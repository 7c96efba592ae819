"""Statistics of a person over matches."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from scorekeeper.days import DEFAULT_ZONE, day_of
from scorekeeper.projections.contribution import MatchSums, Meeting
from scorekeeper.projections.points import Points, figures
from scorekeeper.rules.scoring import PointsKind

SMALL_SAMPLE: Final = 5
"""Fewer matches than this say little, and are flagged."""


class PlayerMatch(Struct, frozen=True, kw_only=True):
    """One match of a person. `held_at` is text that sorts by time, `points` the kind of points."""

    held_at: str
    won: bool
    points: PointsKind | None
    own: Meeting


class Statistics(Struct, frozen=True, kw_only=True):
    """Sums over matches that were won by somebody; unfinished ones are left out.

    `won`: matches won, with or without a partner. `rounds_won`: rounds in which the player emptied
    the hand; a partner's rounds count for the partner alone. `streak`: matches won in a row up to
    the last one; `longest_streak`: the most ever won in a row. `last_played`: the day of the last
    match. `small_sample`: there are too few matches to say much.
    """

    played: int
    won: int
    rounds: int
    rounds_won: int
    points: Points
    streak: int
    longest_streak: int
    last_played: str | None
    small_sample: bool


def statistics(matches: Sequence[PlayerMatch], zone: str = DEFAULT_ZONE) -> Statistics:
    """Return the statistics of one person.

    `matches` must be in the order of time. `zone`: the time zone of the last day.
    """
    sums = MatchSums()
    streak = longest = 0
    for match in matches:
        sums.add(match.own, match.points, won=match.won)
        streak = streak + 1 if match.won else 0
        longest = max(longest, streak)
    return summed(
        sums.columns(),
        streak=streak,
        longest_streak=longest,
        last_played=day_of(matches[-1].held_at, zone) if matches else None,
    )


def summed(
    sums: Mapping[str, int], *, streak: int, longest_streak: int, last_played: str | None
) -> Statistics:
    """Return statistics from sums by their names."""
    return Statistics(
        played=sums["played"],
        won=sums["won"],
        rounds=sums["rounds"],
        rounds_won=sums["rounds_won"],
        points=figures(sums),
        streak=streak,
        longest_streak=longest_streak,
        last_played=last_played,
        small_sample=sums["played"] < SMALL_SAMPLE,
    )
