"""Nobody else waits while a request takes long to decide, and its outcome is up to date."""

import asyncio
import threading

import pytest
from msgspec.structs import replace

from scorekeeper.ledger.database_errors import LedgerOverloaded, LedgerUnavailable
from scorekeeper.ledger.writing.append import NothingToWrite
from scorekeeper.ledger.writing.long_decisions import LeagueQueue
from tests.ledger.asking import LEAGUE, MATCH, check_whole, counted, keyed, noting, opening, telling
from tests.ledger.integrity.test_erasure import erasing

OTHER = "saturday"
_PATIENCE = 60


def long(request, decide=None):
    """Return the request marked as one that takes long to decide."""
    return replace(request, takes_long=lambda seen: True, decide=decide or request.decide)


class Thinking:
    """A decision that waits until `over` is set.

    `seen` has, for each attempt, the versions of the streams on which it was decided.
    """

    def __init__(self, request):
        self.began = threading.Event()
        self.over = threading.Event()
        self.seen = []
        self._decide = request.decide
        self.request = long(request, self.decide)

    def decide(self, seen):
        self.seen.append({stream: tail.version for stream, tail in seen.tails.items()})
        self.began.set()
        assert self.over.wait(_PATIENCE)
        return self._decide(seen)


async def until_begun(thinking):
    assert await asyncio.to_thread(thinking.began.wait, _PATIENCE)


def test_other_appends_do_not_wait_for_it(ledger, run):
    """Neither appends of other leagues nor those of its own league wait."""

    async def story():
        await ledger.append(opening(OTHER))
        thinking = Thinking(noting(MATCH, 2))
        made = asyncio.create_task(ledger.append(thinking.request))
        await until_begun(thinking)
        for _ in range(3):
            await ledger.append(noting(MATCH, league=OTHER))
        await ledger.append(noting("match:two"))
        thinking.over.set()
        assert (await made).value == [1, 2]
        assert thinking.seen == [{MATCH: 0}]

    run(story())
    run(check_whole(ledger))


def test_it_is_made_again_where_something_came_between(ledger, run):
    async def story():
        await ledger.append(noting(MATCH))
        thinking = Thinking(noting(MATCH, 2))
        made = asyncio.create_task(ledger.append(thinking.request))
        await until_begun(thinking)
        await ledger.append(noting(MATCH))
        thinking.over.set()
        assert (await made).value == [3, 4]
        assert thinking.seen == [{MATCH: 1}, {MATCH: 2}]

    run(story())
    run(check_whole(ledger))


def test_it_is_made_again_where_an_entry_that_it_read_was_erased(ledger, run):
    """The stream has as many entries as before, and no carried value that the erasure dropped."""

    async def story():
        await ledger.append(noting(MATCH, carry=False))
        thinking = Thinking(noting(MATCH, carry=False))
        made = asyncio.create_task(ledger.append(thinking.request))
        await until_begun(thinking)
        await ledger.append(erasing(MATCH, 1, position=2))
        thinking.over.set()
        assert (await made).value == [2]
        assert thinking.seen == [{MATCH: 1}, {MATCH: 1}]

    run(story())


def test_a_refusal_counts_only_where_nothing_came_between(ledger, run):
    async def story():
        thinking = Thinking(noting(MATCH, expected=1))
        refused = asyncio.create_task(ledger.append(thinking.request))
        await until_begun(thinking)
        await ledger.append(noting(MATCH))
        thinking.over.set()
        assert (await refused).value == [2]

        def refuse(seen):
            raise ValueError(counted(seen.tails[MATCH]))

        with pytest.raises(ValueError, match="2"):
            await ledger.append(long(noting(MATCH), refuse))

    run(story())


def test_where_something_comes_between_each_time_the_queue_decides_at_last(ledger, run):
    async def story():
        decide = noting(MATCH).decide
        loop = asyncio.get_running_loop()
        made_on = []

        def overtaken(seen):
            made_on.append(seen.tails[MATCH].version)
            if threading.current_thread().name.startswith("decision"):
                asyncio.run_coroutine_threadsafe(ledger.append(noting(MATCH)), loop).result()
            return decide(seen)

        done = await ledger.append(long(noting(MATCH), overtaken))
        assert made_on == [0, 1, 2, 3, 4, 5]
        assert done.value == [6]

    run(story())
    run(check_whole(ledger))


def test_what_is_told_again_is_known_again(ledger, run):
    """Ids and keys that were written since it was decided are seen."""

    async def story():
        told = telling(MATCH, ["a" * 8 + "-0000-4000-8000-000000000001"])
        first, second = await asyncio.gather(ledger.append(long(told)), ledger.append(long(told)))
        assert sorted(map(str, first.value)) == sorted(map(str, second.value))
        asked = long(keyed(MATCH, "key"))
        first, second = await asyncio.gather(ledger.append(asked), ledger.append(asked))
        assert first.value == second.value
        assert await ledger.version(LEAGUE, MATCH) == 2

    run(story())
    run(check_whole(ledger))


def test_it_sees_a_whole_stream_as_it_was_then(ledger, run):
    async def story():
        await ledger.append(noting(MATCH, 3))

        def look(seen):
            return NothingToWrite([entry.version for entry in seen.whole(MATCH)])

        assert (await ledger.append(long(noting(MATCH), look))).value == [1, 2, 3]

    run(story())


def test_a_league_has_one_turn_at_a_time_and_so_many_may_wait(run, monkeypatch):
    monkeypatch.setattr("scorekeeper.ledger.writing.long_decisions.MOST_WAITING", 2)

    async def story():
        of, over, two, began = LeagueQueue(), asyncio.Event(), asyncio.Event(), []

        async def take(league):
            async with of.of(league):
                began.append(league)
                if len(began) == 2:
                    two.set()
                await over.wait()

        async with asyncio.timeout(_PATIENCE), asyncio.TaskGroup() as group:
            for league in ("a", "a", "b"):
                group.create_task(take(league))
            await two.wait()
            assert began == ["a", "b"]
            with pytest.raises(LedgerOverloaded):
                await take("a")
            over.set()
        assert began == ["a", "b", "a"]
        assert not of

    run(story())


@pytest.fixture
def handed_over(ledger, monkeypatch):
    """A semaphore that is released each time that the thread is handed a decision."""
    thread, times = ledger._long._thread, asyncio.Semaphore(0)
    submit = thread.submit

    def noted(*work):
        times.release()
        return submit(*work)

    monkeypatch.setattr(thread, "submit", noted)
    return times


async def one_behind_another(ledger, handed_over):
    """Start a decision that blocks the thread, and one of another league that waits for it.

    Return each with its task.
    """
    await ledger.append(opening(OTHER))
    thinking, waiting = Thinking(noting(MATCH)), Thinking(noting(MATCH, league=OTHER))
    first = asyncio.create_task(ledger.append(thinking.request))
    await until_begun(thinking)
    second = asyncio.create_task(ledger.append(waiting.request))
    async with asyncio.timeout(_PATIENCE):
        await handed_over.acquire()
        await handed_over.acquire()
    return thinking, first, waiting, second


def test_a_decision_that_waits_for_the_thread_at_the_closing_is_refused(ledger, handed_over, run):
    async def story():
        thinking, first, waiting, second = await one_behind_another(ledger, handed_over)
        closing = asyncio.create_task(ledger.close())
        with pytest.raises(LedgerUnavailable, match="closed"):
            await second
        thinking.over.set()
        await asyncio.gather(first, closing, return_exceptions=True)
        assert waiting.seen == []

    run(story())


def test_a_decision_that_turns_out_to_be_long_at_the_closing_is_refused(ledger, run):
    async def story():
        asked = asyncio.create_task(ledger.append(long(noting(MATCH))))
        await asyncio.sleep(0)  # it waits in the commit queue, which is written to its end
        await ledger.close()
        with pytest.raises(LedgerUnavailable, match="closed"):
            await asked

    run(story())


def test_who_leaves_is_not_decided_for(ledger, handed_over, run):
    async def story():
        thinking, first, waiting, second = await one_behind_another(ledger, handed_over)
        second.cancel()
        with pytest.raises(asyncio.CancelledError):
            await second
        thinking.over.set()
        assert (await first).value == [1]
        assert (await ledger.append(long(noting(MATCH)))).value == [2]
        assert waiting.seen == []

    run(story())
