"""Seats and dealers of a whole tournament."""

from collections import Counter

import pytest

from scorekeeper.tournament.schedule import DESIGNS, schedule

NAMES = [f"p{number}" for number in range(41)]


def laid_out(players, rounds_per_partner=4, cycles=1):
    return schedule("cup", NAMES[:players], rounds_per_partner=rounds_per_partner, cycles=cycles)


def rounds_of(schedule):
    return [
        round_
        for segment in schedule.segments
        for table in segment.tables
        for round_ in table.rounds
    ]


@pytest.mark.clause("B-ROTATE-4")
def test_four_players_play_twelve_rounds_in_three_segments():
    segments = laid_out(4).segments
    assert len(segments) == 3
    assert [len(segment.tables) for segment in segments] == [1, 1, 1]
    assert len(rounds_of(laid_out(4))) == 12
    partners = {frozenset(team) for s in segments for t in s.tables for team in t.teams}
    assert len(partners) == 6


@pytest.mark.clause("B-ROTATE-8")
def test_eight_players_play_28_rounds_each_at_two_tables():
    played = Counter(player for each in rounds_of(laid_out(8)) for player in each.players)
    assert dict(played) == dict.fromkeys(NAMES[:8], 28)
    assert [len(segment.tables) for segment in laid_out(8).segments] == [2] * 7


@pytest.mark.clause("X-ROTATE")
def test_with_eight_players_everybody_deals_seven_times():
    assert set(Counter(each.dealer for each in rounds_of(laid_out(8))).values()) == {7}


@pytest.mark.clause("X-ROTATE")
def test_with_eight_players_every_ordered_pair_of_neighbours_meets_four_times():
    neighbours = Counter(
        (seats[at], seats[(at + 1) % 4])
        for each in rounds_of(laid_out(8))
        for seats in [each.players]
        for at in range(4)
    )
    assert len(neighbours) == 8 * 7
    assert set(neighbours.values()) == {4}


@pytest.mark.clause("X-ROTATE")
@pytest.mark.parametrize("players", sorted(DESIGNS))
def test_everybody_deals_once_in_four_rounds_and_partners_face_each_other(players):
    for segment in laid_out(players, rounds_per_partner=8).segments:
        for table in segment.tables:
            (a, b), (c, d) = table.teams
            assert [each.round for each in table.rounds] == list(range(1, 9))
            for first in (0, 4):
                four = table.rounds[first : first + 4]
                assert [each.dealer for each in four] == [a, b, c, d]
                assert [each.players for each in four] == [(a, c, b, d)] * 2 + [(a, d, b, c)] * 2


@pytest.mark.parametrize("players", sorted(DESIGNS))
def test_whoever_is_at_no_table_has_a_bye(players):
    for segment in laid_out(players).segments:
        seated = {player for table in segment.tables for team in table.teams for player in team}
        assert seated | set(segment.byes) == set(NAMES[:players])
        assert not seated & set(segment.byes)
        assert list(segment.byes) == [name for name in NAMES if name in segment.byes]


def test_several_cycles_repeat_the_first_under_new_numbers():
    one, two = laid_out(5).segments, laid_out(5, cycles=2).segments
    assert [s.segment for s in two] == list(range(1, 11))
    assert [[t.teams for t in s.tables] for s in two[5:]] == [
        [t.teams for t in s.tables] for s in one
    ]


def test_each_table_has_a_match_of_its_own():
    matches = [t.match for s in laid_out(8, cycles=2).segments for t in s.tables]
    assert matches[:3] == ["cup-s1-t1", "cup-s1-t2", "cup-s2-t1"]
    assert matches[-1] == "cup-s14-t2"
    assert len(set(matches)) == len(matches)
