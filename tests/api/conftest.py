"""One application for the whole run on each kind of database; each test has a league of its own.

Tests run on SQLite unless they are marked with `serving_kinds.on_both`.
"""

from collections.abc import Iterator

import pytest
from databases import migrated
from serving import League, Served, serving


@pytest.fixture(scope="session", params=["sqlite"])
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="session")
def served(
    kind: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    with migrated(kind, request, folder) as url, serving(url) as running:
        yield running


@pytest.fixture
def league(served: Served) -> League:
    return served.league()
