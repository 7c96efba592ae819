"""Partner designs have the properties that X-ROTATE asks for, counted for each size."""

from collections import Counter
from itertools import combinations

import pytest

from scorekeeper.tournament.schedule import DESIGNS, cycle, nearest

pytestmark = pytest.mark.clause("X-ROTATE")

EVERY = pytest.mark.parametrize("players", sorted(DESIGNS))
WHIST = pytest.mark.parametrize("players", [n for n in DESIGNS if n % 4 in (0, 1)])


def met(players):
    """How often each two players are partners in a cycle, and how often opponents."""
    partners, opponents = Counter(), Counter()
    for segment in cycle(players):
        for ours, theirs in segment:
            partners.update([frozenset(ours), frozenset(theirs)])
            opponents.update(frozenset((one, other)) for one in ours for other in theirs)
    return partners, opponents


def test_there_is_a_design_for_4n_and_4n_plus_1_players_and_for_four_more_numbers():
    regular = {n for n in range(4, 42) if n % 4 in (0, 1)}
    assert set(DESIGNS) == regular | {6, 7, 10, 11}


@EVERY
def test_nobody_plays_at_two_tables_at_once(players):
    for segment in cycle(players):
        seated = [player for pairing in segment for team in pairing for player in team]
        assert len(seated) == len(set(seated))
        assert set(seated) <= set(range(players))


@EVERY
def test_all_pairs_are_partners_equally_often_and_opponents_twice_as_often(players):
    partners, opponents = met(players)
    pairs = {frozenset(pair) for pair in combinations(range(players), 2)}
    often = 2 if players in (6, 7, 10, 11) else 1
    assert dict(partners) == dict.fromkeys(pairs, often)
    assert dict(opponents) == dict.fromkeys(pairs, 2 * often)


@WHIST
def test_in_a_whist_design_pairs_are_partners_once_so_no_prefix_repeats_one(players):
    assert len(cycle(players)) == (players - 1 if players % 4 == 0 else players)


@WHIST
def test_in_a_whist_design_at_most_one_player_rests(players):
    rests = Counter()
    for segment in cycle(players):
        seated = {player for pairing in segment for team in pairing for player in team}
        rests.update(set(range(players)) - seated)
    assert set(rests.values()) == (set() if players % 4 == 0 else {1})


@pytest.mark.parametrize(
    ("players", "segments", "doubled"), [(6, 15, 0), (7, 21, 0), (10, 23, 22), (11, 28, 27)]
)
def test_other_numbers_fill_segments_with_two_tables_while_pairings_last(
    players, segments, doubled
):
    tables = [len(segment) for segment in cycle(players)]
    assert len(tables) == segments
    assert tables.count(2) == doubled
    assert tables == sorted(tables, reverse=True)


@pytest.mark.parametrize(
    ("players", "work"),
    [
        (0, (4,)),
        (3, (4,)),
        (14, (13, 16)),
        (15, (13, 16)),
        (18, (17, 20)),
        (39, (37, 40)),
        (60, (41,)),
    ],
)
def test_other_numbers_are_answered_with_the_nearest_that_work(players, work):
    assert players not in DESIGNS
    assert nearest(players) == work
