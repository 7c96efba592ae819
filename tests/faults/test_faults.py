"""The service, started as users start it, meets a fault while clients record and follow.

In each case nothing that was acknowledged is lost, nothing is recorded twice, followers get every
entry once, and clients are only told to come back. A backup is made while a fault is in force, if
the database can be read at all meanwhile: on SQLite it always can. `make slow` tries all faults,
and kills the service fifty times.
"""

import asyncio

import pytest

from tests.api.live_client import Scorer
from tests.api.server_process import free_port
from tests.api.serving import ADMIN
from tests.commands import invoked
from tests.faults.backups import PostgreSQLBackups, SQLiteBackups, command, recorded
from tests.faults.inflicted import EACH_TIME, FAULTS, KILLED, ON_BOTH, ground, outcome
from tests.faults.recorders import Recorders

# A restart of the service takes seconds, so the quick tests have the faults that show most.
QUICK = {
    "sqlite": {
        "the started process killed (kill -9)",
        "no room on the disk",
        "the file locked for a moment",
    },
    "postgresql": {
        "the worker killed (kill -9)",
        "PostgreSQL killed, then in recovery",
        "PostgreSQL frozen for a moment",
        "all connections taken",
    },
}
# Faults of the service or of its connections, during which PostgreSQL itself answers.
POSTGRESQL_ANSWERS = {*ON_BOTH, "all connections cut"}
# For each database and each kind of process: together these make fifty kills.
OF_FIFTY = -(-50 // (len(FAULTS) * len(KILLED)))


@pytest.fixture(scope="module", params=FAULTS)
def place(request, tmp_path_factory):
    """One service for all faults of a kind of database; at the end its whole log is verified."""
    with ground(request.param, tmp_path_factory.mktemp("data")) as made:
        yield made
        command("verify", "--database-url", made.url)


def faults(kind):
    return [
        pytest.param(name, marks=[] if name in QUICK[kind] else pytest.mark.slow)
        for name in FAULTS[kind]
    ]


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
@pytest.mark.parametrize("name", faults("sqlite"))
def test_on_sqlite_nothing_is_lost_nor_doubled_and_a_backup_can_be_made(place, name, tmp_path):
    place.meanwhile = backups = SQLiteBackups(place, tmp_path)
    withstood(name, place)
    assert backups.made == 1


@pytest.mark.parametrize("place", ["postgresql"], indirect=True)
@pytest.mark.parametrize("name", faults("postgresql"))
def test_on_postgresql_nothing_is_lost_nor_doubled(place, name, tmp_path):
    place.meanwhile = backups = PostgreSQLBackups(place, tmp_path)
    withstood(name, place)
    assert backups.made == (1 if name in POSTGRESQL_ANSWERS else 0)


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
def test_a_second_service_on_the_same_file_is_refused_and_the_first_one_goes_on(place, monkeypatch):
    monkeypatch.setenv("SCOREKEEPER_ADMIN_TOKEN", ADMIN)
    about = ["--data-dir", str(place.folder), "--port", str(free_port())]
    with Scorer(place.server.url) as scorer:
        # If the first one did not serve, the second one would, without an end.
        assert scorer.note() == scorer.positions()[-1]
        done = invoked("serve", *about)
        assert done.exit_code == 1
        (line,) = done.stderr.splitlines()
        assert "SQLite takes one scorekeeper at a time" in line
        assert scorer.note() == scorer.positions()[-1]


def test_asked_to_end_while_clients_record_and_follow_it_keeps_what_it_acknowledged(place):
    """The service is not started again; the acknowledgements are compared with the database."""
    load = Recorders(place.server.url)
    load.acknowledges(EACH_TIME)
    place.end()
    load.leave()
    places = {entry.id: entry.position for entry in asyncio.run(recorded(place.url))}
    assert load.acknowledged.items() <= places.items()
    assert set(load.refusals) <= {503}
    assert not any("Traceback" in line for line in place.server.printed)


@pytest.mark.slow
@pytest.mark.parametrize("name", KILLED)
def test_killed_fifty_times(place, name):
    place.meanwhile = lambda load: None
    withstood(name, place, times=OF_FIFTY)


def withstood(name, place, *, times=1):
    seen, _ = outcome(FAULTS[place.kind][name], place, times=times)
    assert seen.acknowledged >= EACH_TIME * (times + 1)
    assert (seen.lost, seen.twice, seen.missed) == (0, 0, 0)
    assert set(seen.refusals) <= {503}
