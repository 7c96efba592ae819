"""The measurements of `python -m tests.abuse.neighbours` work, tried on a small scale."""

import pytest

from tests.abuse.beside import Beside, Sizes
from tests.abuse.neighbours import WORK


@pytest.fixture(scope="module")
def beside(server):
    with Beside(server.url) as beside:
        beside.fill(Sizes(entries=600, amendments=3, matches=20, players=50))
        yield beside


@pytest.mark.slow
@pytest.mark.parametrize("name", WORK)
def test_the_work_of_a_neighbour_is_done(beside, name):
    WORK[name](beside)
