"""Processes on one PostgreSQL wake each other after commits."""

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from scorekeeper.ledger.writing.wakeups import Wakeups
from tests.ledger.asking import LEAGUE, noting, opening
from tests.ledger.outside import CUT, connected


class Ear:
    """Records the wake-ups that it hears, and can wait for them."""

    def __init__(self):
        self.heard = []
        self._something = asyncio.Event()

    def __call__(self, league, size):
        self.heard.append((league, size))
        self._something.set()

    async def hears(self, *expected):
        while self.heard[-len(expected) :] != list(expected):
            self._something.clear()
            await self._something.wait()


async def listening(url, stack, ear):
    """Start wake-ups, and return them once they have heard a notification."""
    wakeups = Wakeups(url, ear, wait=0.01)
    await stack.enter_async_context(wakeups.running())
    await told_until_heard(url, ear)
    return wakeups


@asynccontextmanager
async def announcing(url):
    """Give the wake-ups of a process, and what another one hears."""
    async with AsyncExitStack() as stack:
        theirs = Ear()
        mine = await listening(url, stack, Ear())
        await listening(url, stack, theirs)
        yield mine, theirs


async def told_until_heard(url, ear):
    """Notify from outside until it is heard, since nobody can know when a connection is made."""
    outside = await connected(url)
    asked = len(ear.heard)
    while len(ear.heard) == asked:
        await outside.execute("SELECT pg_notify('scorekeeper', 'outside 1')")
        await asyncio.sleep(0.01)
    await outside.close()


def test_what_one_commits_wakes_the_other_and_not_itself(opened, postgresql_url, run):
    async def story():
        async with AsyncExitStack() as stack:
            mine, theirs = Ear(), Ear()
            wakeups = await listening(postgresql_url, stack, mine)
            await listening(postgresql_url, stack, theirs)
            before = len(mine.heard)
            ledger.on_commit(wakeups.announce)
            await ledger.append(opening())
            await theirs.hears((LEAGUE, 1))
            await ledger.append(noting("match:one", 3))
            await theirs.hears((LEAGUE, 4))
            # A notification to itself would have arrived by now.
            await told_until_heard(postgresql_url, mine)
            assert LEAGUE not in {league for league, _ in mine.heard[before:]}

    ledger = opened(postgresql_url)
    run(story())


def test_commits_that_come_fast_are_told_together(postgresql_url, run):
    async def story():
        async with announcing(postgresql_url) as (mine, theirs):
            before = len(theirs.heard)
            for size in range(1, 1_001):
                mine.announce("a", size)
                mine.announce("b", size)
            await theirs.hears(("a", 1_000), ("b", 1_000))
            assert [heard for heard in theirs.heard[before:] if heard[0] in "ab"] == [
                ("a", 1_000),
                ("b", 1_000),
            ]

    run(story())


def test_of_two_commits_the_larger_size_is_told_in_whatever_order_they_are_announced(
    postgresql_url, run
):
    """Two commit queues of a process write one league, and may announce it in either order."""

    async def story():
        async with announcing(postgresql_url) as (mine, theirs):
            before = len(theirs.heard)
            mine.announce("a", 1_100)
            mine.announce("a", 100)
            mine.announce("b", 1)
            while not any(league == "b" for league, _ in theirs.heard):
                await told_until_heard(postgresql_url, theirs)
            assert ("a", 1_100) in theirs.heard[before:]

    run(story())


def test_a_connection_that_is_cut_is_made_anew(postgresql_url, run):
    async def story():
        async with AsyncExitStack() as stack:
            ear = Ear()
            wakeups = await listening(postgresql_url, stack, ear)
            outside = await connected(postgresql_url)
            # PostgreSQL may still list the connection that notified from outside, too.
            assert await outside.fetchval(CUT)
            await outside.close()
            await told_until_heard(postgresql_url, ear)
            # The new connection also sends what could not be sent meanwhile.
            other = Ear()
            await listening(postgresql_url, stack, other)
            wakeups.announce("again", 5)
            await other.hears(("again", 5))

    run(story())


@pytest.mark.parametrize("payload", ["", "home", "home x", "home -1", "a b c"])
def test_what_is_no_wake_up_is_passed_over(postgresql_url, run, payload):
    async def story():
        async with AsyncExitStack() as stack:
            ear = Ear()
            await listening(postgresql_url, stack, ear)
            outside = await connected(postgresql_url)
            await outside.execute("SELECT pg_notify('scorekeeper', $1)", payload)
            await outside.close()
            await told_until_heard(postgresql_url, ear)
            assert {league for league, _ in ear.heard} == {"outside"}

    run(story())


def test_a_server_that_can_t_be_reached_stops_nobody(run):
    async def story():
        ear = Ear()
        wakeups = Wakeups("postgresql+asyncpg://nobody@127.0.0.1:1/nothing", ear, wait=0.01)
        async with wakeups.running():
            wakeups.announce(LEAGUE, 1)
            await asyncio.sleep(0)
        assert ear.heard == []

    run(story())
