from collections.abc import Callable, Iterator

import pytest

from scorekeeper.ledger.ledger import Ledger
from tests.ledger.asking import opening


@pytest.fixture
def opened(run) -> Iterator[Callable[..., Ledger]]:
    """Opens ledgers on a database, and closes them after the test."""
    ledgers = []

    def open_one(url: str, **settings) -> Ledger:
        ledgers.append(run(Ledger.open(url, **settings)))
        return ledgers[-1]

    yield open_one
    for ledger in ledgers:
        run(ledger.close())


@pytest.fixture
def ledger(opened, database_url, run) -> Ledger:
    """A ledger in which one league is open."""
    ledger = opened(database_url)
    run(ledger.append(opening()))
    return ledger
