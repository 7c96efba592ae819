"""One application for the whole run on each kind of database; each test has a league of its own.

Tests run on SQLite unless they are marked with `serving_kinds.on_both`.
"""

from collections.abc import Iterator

import pytest

from tests.api.serving import League, Served, serving
from tests.databases import migrated


@pytest.fixture(scope="session", params=["sqlite"])
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="session")
def served_on_sqlite(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    with migrated("sqlite", request, folder) as url, serving(url) as running:
        yield running


@pytest.fixture(scope="session")
def served_on_postgresql(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    with migrated("postgresql", request, folder) as url, serving(url) as running:
        yield running


@pytest.fixture(scope="session")
def served(kind: str, request: pytest.FixtureRequest) -> Served:
    """Return the application of the kind. Both run to the end, as test files use them in turn."""
    return request.getfixturevalue(f"served_on_{kind}")


@pytest.fixture
def league(served: Served) -> League:
    return served.league()
