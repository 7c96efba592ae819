import pytest

from scorekeeper.ledger.ledger import Ledger
from tests.service.following import Process


@pytest.fixture
def processes(run):
    """Makes processes on a database, and ends them after the test."""
    made = []

    def make(url, **settings):
        made.append(Process(run(Ledger.open(url)), **settings))
        return made[-1]

    yield make
    for process in made:
        run(process.ledger.close())


@pytest.fixture
def process(processes, database_url, run):
    """A process with one match in its league, whose opening is the last of its entries."""
    process = processes(database_url)
    run(process.open())
    return process
