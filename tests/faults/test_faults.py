"""The service, started as users start it, meets a fault while clients record and follow.

In each case nothing that was acknowledged is lost, nothing is recorded twice, followers get every
entry once, and clients are only told to come back. On SQLite a backup is made while each fault is
in
force. `make slow` tries all faults, and kills the service fifty times.
"""

import asyncio

import pytest
from click.testing import CliRunner

from scorekeeper.cli.main import scorekeeper
from scorekeeper.ledger.ledger import Ledger
from tests.api.live_client import Scorer
from tests.api.server_process import free_port
from tests.api.serving import ADMIN
from tests.databases import sqlite_file
from tests.faults.inflicted import EACH_TIME, FAULTS, KILLED, ground, outcome
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
    place.meanwhile = backups = Backups(place, tmp_path)
    withstood(name, place)
    assert backups.made == 1


@pytest.mark.parametrize("place", ["postgresql"], indirect=True)
@pytest.mark.parametrize("name", faults("postgresql"))
def test_on_postgresql_nothing_is_lost_nor_doubled(place, name):
    withstood(name, place)


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
def test_a_second_service_on_the_same_file_is_refused_and_the_first_one_goes_on(place, monkeypatch):
    monkeypatch.setenv("SCOREKEEPER_ADMIN_TOKEN", ADMIN)
    about = ["--data-dir", str(place.folder), "--port", str(free_port())]
    done = CliRunner().invoke(scorekeeper, ["serve", *about])
    assert done.exit_code == 1
    (line,) = done.stderr.splitlines()
    assert "SQLite takes one scorekeeper at a time" in line
    with Scorer(place.server.url) as scorer:
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


class Backups:
    """Backups made during a fault. Each can be restored, and has every acknowledged entry."""

    def __init__(self, place, folder):
        self._place = place
        self._folder = folder
        self.made = 0

    def __call__(self, load):
        sure = set(load.acknowledged)
        file = self._folder / f"{self.made}.sqlite3"
        restored = sqlite_file(self._folder / f"restored-{self.made}.sqlite3")
        command("backup", file, "--database-url", self._place.url)
        command("restore", file, "--database-url", restored, "--data-dir", self._folder)
        command("verify", "--database-url", restored)
        assert sure <= {entry.id for entry in asyncio.run(recorded(restored))}
        self.made += 1


async def recorded(url):
    ledger = await Ledger.open_to_read(url)
    try:
        return (await ledger.part("home", 0, 1_000_000)).entries
    finally:
        await ledger.close()


def command(*arguments):
    done = CliRunner().invoke(scorekeeper, [str(argument) for argument in arguments])
    assert done.exit_code == 0, done.output
