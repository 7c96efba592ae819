"""What replays say of any match, told in any way and amended, is what happened."""

from random import Random

import pytest
from hypothesis import given, settings

from scorekeeper.match.readings.effective_log import corrected_steps
from scorekeeper.match.readings.viewer_fold import viewer_steps, visibility_horizon
from scorekeeper.match.state import State
from scorekeeper.projections.replay import replay
from scorekeeper.simulation.tellings import Telling
from tests.projections.narrated import is_told_truly
from tests.simulation.hidden import unfinished
from tests.simulation.playing import any_match, begin, calm, recorded, seeds, told_events
from tests.simulation.test_amended_matches import amended


def all_is_told_truly(state: State, *, viewer: bool = False) -> None:
    steps = corrected_steps(state)
    if viewer:
        steps = viewer_steps(steps, state, visibility_horizon(state))
    for number in range(1, state.round + 1):
        found = replay(steps, number)
        for narrated in found.steps if found else ():
            is_told_truly(narrated)


def as_it_was_told(seed: int) -> None:
    played = any_match(seed, most_rounds=3)
    told = told_events(played, Random(seed).choice(list(Telling)))
    all_is_told_truly(recorded(begin(played), told).state)


def as_it_was_amended(seed: int) -> None:
    for _, _, state, _ in [*amended(seed, most=2)][-1:]:
        all_is_told_truly(state)


def as_viewers_see_it(seed: int) -> None:
    played = any_match(seed, most_rounds=1)
    told = unfinished(played)
    some = told[: Random(seed).randint(1, max(1, len(told)))]
    all_is_told_truly(recorded(begin(played), some).state, viewer=True)


each_way = pytest.mark.parametrize("way", [as_it_was_told, as_it_was_amended, as_viewers_see_it])


@each_way
@settings(calm, max_examples=8)
@given(seed=seeds)
def test_what_is_said_is_so(way, seed):
    way(seed)


@pytest.mark.slow
@each_way
@settings(calm, max_examples=150)
@given(seed=seeds)
def test_what_is_said_of_many_matches_is_so(way, seed):
    way(seed)
