"""A person's statistics, worked out by hand."""

import pytest

from scorekeeper.projections.contribution import Meeting
from scorekeeper.projections.points import PointFigures
from scorekeeper.projections.statistics import PlayerMatch, statistics


def held(day, own=0, others=0, *, won=False, points=None, rounds=3, rounds_won=1):
    meeting = Meeting(rounds=rounds, rounds_won=rounds_won, points_for=own, points_against=others)
    return PlayerMatch(held_at=f"2026-01-{day:02}T19:00:00Z", won=won, points=points, own=meeting)


def test_points_are_summed_by_what_they_are():
    found = statistics(
        [
            held(1, 100, 20, points="collected", won=True),
            held(2, 9, 30, points="penalty", rounds=4),
            held(3, 7, 0, points="penalty", rounds=2, rounds_won=0),
            held(4, rounds=5, rounds_won=2),
        ]
    )
    assert (found.played, found.won, found.rounds, found.rounds_won) == (4, 1, 14, 4)
    assert found.points.collected == PointFigures(
        rounds=3, own=100, others=20, own_per_round=33.33, others_per_round=6.67
    )
    assert found.points.penalty == PointFigures(
        rounds=6, own=16, others=30, own_per_round=2.67, others_per_round=5.0
    )
    assert found.points.balance is None
    assert found.last_played == "2026-01-04"


@pytest.mark.parametrize(
    ("matches", "streak", "longest"),
    [("", 0, 0), ("w", 1, 1), ("wl", 0, 1), ("wwlw", 1, 2), ("lwww", 3, 3), ("wwwlwwl", 0, 3)],
)
def test_a_streak_is_the_matches_won_in_a_row(matches, streak, longest):
    found = statistics([held(day, won=won == "w") for day, won in enumerate(matches, start=1)])
    assert (found.streak, found.longest_streak) == (streak, longest)


@pytest.mark.parametrize(("matches", "small"), [(0, True), (4, True), (5, False)])
def test_fewer_than_five_matches_say_little(matches, small):
    assert statistics([held(day + 1) for day in range(matches)]).small_sample is small


def test_whoever_never_played_has_no_last_day():
    assert statistics([]).last_played is None
