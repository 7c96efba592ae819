"""The pages, asked without a network; each test has a league of its own."""

from collections.abc import Iterator

import pytest

from tests.api.serving import League, Served, serving
from tests.databases import migrated


@pytest.fixture(scope="session")
def served(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    with (
        migrated("sqlite", request, tmp_path_factory.mktemp("pages")) as url,
        serving(url) as running,
    ):
        yield running


@pytest.fixture
def league(served: Served) -> League:
    return served.league()
