from collections.abc import Callable

import pytest
from hypothesis import given, settings

from tests.simulation.playing import calm, seeds
from tests.simulation.properties import PROPERTIES

every_property = pytest.mark.parametrize(
    "holds", PROPERTIES, ids=[holds.__name__ for holds in PROPERTIES]
)


@every_property
@settings(calm, max_examples=8)
@given(seed=seeds)
def test_holds_for_any_match(holds: Callable[[int], None], seed: int) -> None:
    holds(seed)


# Each match is played once for all properties, which saves time.
@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
@settings(calm, max_examples=60)
@given(seed=seeds)
def test_all_of_it_holds_for_many_matches(part: int, seed: int) -> None:
    for holds in PROPERTIES:
        holds(seed)
