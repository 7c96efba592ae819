"""On a database that it can't or must not write, the service says so and is not ready."""

import tempfile
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.api.serving import note, serving
from tests.databases import PostgresServer, within


def refuses(served, method, address, **request):
    answer = served.unchecked(method, address, **request)
    assert answer.status_code == 503, answer.text
    assert answer.json()["code"] == "unavailable"
    assert int(answer.headers["retry-after"]) > 0


def test_where_the_database_takes_no_writes_it_is_read_and_not_ready(postgresql, postgresql_url):
    """So it is if a role or a database is made read-only. What is read there is not stale."""
    with serving(postgresql_url) as served:
        league = served.league()
        match = league.match()
        root, address = match.root, f"{match.root}/events"
        tap = {"json": {"events": [note()]}}
        postgresql.make_read_only(served.url, on=True)
        refuses(served, "POST", address, **tap)
        refuses(served, "POST", "/v1/leagues", json={"league": "x", "name": "X"})
        refuses(served, "GET", "/health/ready")
        assert served.unchecked("GET", "/health/live").status_code == 200
        assert served.unchecked("GET", root).json()["version"] == 1
        postgresql.make_read_only(served.url, on=False)
        assert served.unchecked("POST", address, **tap).status_code == 201
        assert served.unchecked("GET", "/health/ready").status_code == 200


def test_nothing_is_answered_from_a_standby_and_all_of_it_once_that_was_promoted():
    """Entries that the former primary acknowledged may not have reached the standby yet."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        server = PostgresServer(Path(folder))
        try:
            url = server.create(migrated=True)
            with serving(url) as served:
                league = served.league()
                match = league.match()
                tap = {"json": {"events": [note()]}}
                server.become_standby()
                refuses(served, "POST", f"{match.root}/events", **tap)
                refuses(served, "GET", match.root)
                refuses(served, "GET", "/health/ready")
                server.promote()
                answer = served.unchecked("POST", f"{match.root}/events", **tap)
                assert answer.json()["version"] == 2
                assert served.unchecked("GET", match.root).json()["version"] == 2
                assert served.unchecked("GET", "/health/ready").status_code == 200
        finally:
            server.stop()


def test_a_file_system_that_was_mounted_read_only_is_not_ready(sqlite_url, monkeypatch):
    """Linux mounts it read-only after a disk error; open files can still be read."""
    with serving(sqlite_url) as served:
        league = served.league()
        assert served.unchecked("GET", "/health/ready").status_code == 200
        monkeypatch.setattr(
            "scorekeeper.ledger.database_errors._mounted_read_only", lambda file: True
        )
        refuses(served, "GET", "/health/ready")
        assert served.unchecked("GET", league.root).status_code == 200


@pytest.mark.parametrize(
    "newer",
    [
        "UPDATE alembic_version SET version_num = '9999'",
        "UPDATE stored_views SET derivation = 9999",
    ],
)
def test_whoever_still_runs_when_a_newer_version_has_migrated_is_not_ready(database_url, newer):
    with serving(database_url) as served:
        served.league()
        assert served.unchecked("GET", "/health/ready").status_code == 200
        served._run(within(database_url, lambda connection: connection.execute(text(newer))))
        refuses(served, "GET", "/health/ready")
