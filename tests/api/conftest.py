"""One application for the whole run on each kind of database; each test has a league of its own.

Tests run on SQLite unless they are marked with `serving_kinds.on_both`.
"""

import shutil
from collections.abc import Iterator

import pytest
from serving import League, Served, serving

from scorekeeper.api import connection


@pytest.fixture(scope="session", params=["sqlite"])
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="session")
def served(
    kind: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    if kind == "sqlite":
        path = tmp_path_factory.mktemp("served") / "served.sqlite3"
        shutil.copy(request.getfixturevalue("sqlite_template"), path)
        with serving(f"sqlite+aiosqlite:///{path}") as running:
            yield running
        return
    server = request.getfixturevalue("postgresql")
    url = server.create(migrated=True)
    with serving(url) as running:
        yield running
    server.drop(url)


@pytest.fixture
def league(served: Served) -> League:
    return served.league()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connections wait for a moment only."""
    monkeypatch.setattr(connection, "HEAD_SECONDS", 0.05)
    monkeypatch.setattr(connection, "BODY_SECONDS", 0.05)
