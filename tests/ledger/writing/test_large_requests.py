"""On PostgreSQL a large request holds up neither other leagues nor the event loop."""

import asyncio
import threading

import pytest
from msgspec.structs import replace

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.writing.append import Decision
from tests.ledger.asking import LEAGUE, MATCH, check_whole, noting, opening

# More entries than a shared turn takes, and more than are made on the event loop.
LARGE = 300
_PATIENCE = 60


class Finished:
    """A large request whose entries are made at once, but not written before `over` is set."""

    def __init__(self, request):
        self.made = threading.Event()
        self.over = threading.Event()
        self.threads = set()
        self._decide = request.decide
        self.request = replace(request, decide=self.decide, weight=LARGE)

    def decide(self, seen):
        decision = self._decide(seen)
        assert isinstance(decision, Decision)

        def complete(entries):
            self.threads.add(threading.current_thread())
            self.made.set()
            assert self.over.wait(_PATIENCE)
            return decision.complete(entries)

        return replace(decision, complete=complete)


@pytest.fixture
def ledger(opened, postgresql_url, run) -> Ledger:
    """A ledger on PostgreSQL. SQLite has a single writer, so there everybody waits."""
    ledger = opened(postgresql_url)
    run(ledger.append(opening()))
    return ledger


def leagues():
    return [f"league-{number}" for number in range(8)]


def test_no_other_league_waits_for_it(ledger, run):
    async def story():
        for league in leagues():
            await ledger.append(opening(league))
        large = Finished(noting(MATCH, LARGE))
        made = asyncio.create_task(ledger.append(large.request))
        assert await asyncio.to_thread(large.made.wait, _PATIENCE)
        for league in leagues():
            await ledger.append(noting(MATCH, league=league))
        large.over.set()
        assert (await made).value == [*range(1, LARGE + 1)]
        assert threading.main_thread() not in large.threads

    run(story())
    run(check_whole(ledger))


def test_a_small_one_of_its_own_league_comes_before_it(ledger, run):
    async def story():
        large = Finished(noting(MATCH, LARGE))
        made = asyncio.create_task(ledger.append(large.request))
        assert await asyncio.to_thread(large.made.wait, _PATIENCE)
        assert (await ledger.append(noting(MATCH, league=LEAGUE))).value == [1]
        large.over.set()
        assert (await made).value == [*range(2, LARGE + 2)]
        assert (await ledger.append(noting(MATCH))).value == [LARGE + 2]

    run(story())
    run(check_whole(ledger))


def test_one_that_fails_leaves_nothing_behind(ledger, run):
    async def story():
        def fail(entries):
            raise ValueError(len(entries))

        decide = noting(MATCH, LARGE).decide
        request = replace(
            noting(MATCH), weight=LARGE, decide=lambda seen: replace(decide(seen), complete=fail)
        )
        with pytest.raises(ValueError, match=str(LARGE)):
            await ledger.append(request)
        assert (await ledger.append(noting(MATCH))).value == [1]

    run(story())
    run(check_whole(ledger))
