"""Answers are kept for retries: for a day, or for as long as what they are about."""

import pytest
from sqlalchemy import func, select

from scorekeeper.ledger.tables import answers
from tests.databases import within
from tests.ledger.asking import keyed, opening

HOUR = 3_600 * 1_000_000
START = 1_790_000_000 * 1_000_000


class Clock:
    now = START

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def ledger(opened, database_url, clock, run):
    ledger = opened(database_url, clock=clock)
    run(ledger.append(opening()))
    return ledger


@pytest.fixture
def kept(database_url, run):
    count = select(func.count()).select_from(answers)
    return lambda: run(within(database_url, lambda c: c.execute(count).scalar_one()))


def test_an_answer_is_found_for_a_day_and_goes_after_it(ledger, clock, kept, run):
    first = run(ledger.append(keyed("match:m", "k"))).value
    clock.now += 24 * HOUR
    assert run(ledger.append(keyed("match:m", "k"))).value == first
    run(ledger.append(keyed("match:m", "another")))
    assert kept() == 2
    clock.now += 1
    run(ledger.append(keyed("match:m", "a third")))
    assert kept() == 2
    assert run(ledger.append(keyed("match:m", "k"))).value != first


def test_an_answer_that_lasts_stays(ledger, clock, kept, run):
    first = run(ledger.append(keyed("match:m", "k", lasting=True))).value
    clock.now += 10_000 * HOUR
    run(ledger.append(keyed("match:m", "another")))
    assert run(ledger.append(keyed("match:m", "k"))).value == first
    assert kept() == 2


def test_those_of_a_league_go_by_and_by_and_never_slower_than_they_come(
    ledger, clock, kept, run, monkeypatch
):
    monkeypatch.setattr("scorekeeper.ledger.writing.kept_answers._SWEPT_AT_ONCE", 3)
    for nth in range(10):
        run(ledger.append(keyed("match:m", f"old-{nth}")))
    clock.now += 25 * HOUR
    left = []
    for nth in range(5):
        run(ledger.append(keyed("match:m", f"new-{nth}")))
        left.append(kept() - nth - 1)
    assert left == sorted(left, reverse=True)
    assert left[0] > 0 == left[-1]


def test_nothing_is_taken_from_another_league(ledger, clock, kept, run):
    run(ledger.append(opening("away")))
    run(ledger.append(keyed("match:m", "k", league="away")))
    clock.now += 25 * HOUR
    run(ledger.append(keyed("match:m", "k")))
    assert kept() == 2
