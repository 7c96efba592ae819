"""Players who keep the rules are never refused, whatever they play and however it is told."""

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.rules.edition import Edition
from scorekeeper.rules.scoring import MODES, ModeName
from scorekeeper.simulation.dealt_round import LAWFUL
from scorekeeper.simulation.tellings import Telling
from tests.simulation.playing import any_match, begin, calm, match_of, recorded, seeds, told_events

editions = pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda one: one.id)
modes = pytest.mark.parametrize("mode", sorted(MODES))

# Habits of players who do nothing that is flagged.
FLAWLESS = replace(LAWFUL, keeps_back=0, plays_drawn=1000, bluffs=0, forgets_uno=0)


@editions
@modes
def test_at_any_table(edition: Edition, mode: ModeName) -> None:
    for seats in range(2, 11):
        played = match_of(seats, edition, seats, mode)
        for telling in Telling:
            outcome = recorded(begin(played), told_events(played, telling))
            assert outcome.state.round >= 1


@editions
@pytest.mark.parametrize("mode", [mode for mode in sorted(MODES) if MODES[mode].teams])
def test_in_teams(edition: Edition, mode: ModeName) -> None:
    for seats in (4, 6, 8, 10):
        played = match_of(seats, edition, seats, mode, teams=True)
        assert played.opened.teams is not None
        for telling in Telling:
            recorded(begin(played), told_events(played, telling))


def flawless_players_break_nothing(seed: int) -> None:
    played = any_match(seed, habits=FLAWLESS)
    for telling in Telling:
        outcome = recorded(begin(played), told_events(played, telling))
        assert (outcome.violations, outcome.state.violations) == ((), 0)


@settings(calm, max_examples=30)
@given(seed=seeds)
def test_flawless_players_break_nothing(seed: int) -> None:
    flawless_players_break_nothing(seed)


@pytest.mark.slow
@pytest.mark.long
@settings(calm, max_examples=600)
@given(seed=seeds)
def test_flawless_players_break_nothing_in_many_matches(seed: int) -> None:
    flawless_players_break_nothing(seed)
