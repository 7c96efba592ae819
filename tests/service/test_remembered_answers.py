"""Answers that many people look at are worked out once for all of them."""

import asyncio
from types import SimpleNamespace

import pytest

from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.service.question_pool import RememberedAnswers
from scorekeeper.service.questions import QuestionAnswer, TournamentFigures

CUP = TournamentFigures(league="friday", tournament="cup")


class Growing:
    """A ledger that has `size` entries."""

    size = 7

    async def head(self, league):
        return SimpleNamespace(size=self.size)


class Slow:
    """Works nothing out until the test allows it. `begun`: how often it was asked."""

    def __init__(self):
        self.begun = 0
        self.over = asyncio.Event()
        self.failure = None

    async def answer(self, asked):
        self.begun += 1
        answer = QuestionAnswer(b"%d" % self.begun)
        await self.over.wait()
        if self.failure is not None:
            raise self.failure
        return answer


async def asking(remembered, times):
    """Ask so often at once. Return the tasks, which all wait for an answer."""
    tasks = [asyncio.create_task(remembered.answer(CUP)) for _ in range(times)]
    for _ in range(3):  # each goes on until it waits
        await asyncio.sleep(0)
    return tasks


def told(story):
    async def with_all():
        slow, ledger = Slow(), Growing()
        await story(ledger, slow, RememberedAnswers(ledger, slow))

    asyncio.run(with_all())


def test_who_asks_at_once_gets_one_answer():
    async def story(ledger, slow, remembered):
        tasks = await asking(remembered, 3)
        slow.over.set()
        assert {each.body for each in await asyncio.gather(*tasks)} == {b"1"}
        assert slow.begun == 1

    told(story)


def test_who_leaves_does_not_take_it_from_the_others():
    async def story(ledger, slow, remembered):
        first, second = await asking(remembered, 2)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        slow.over.set()
        assert (await second).body == b"1"
        assert slow.begun == 1

    told(story)


def test_who_asks_after_the_ledger_grew_gets_an_answer_of_their_own():
    async def story(ledger, slow, remembered):
        (before,) = await asking(remembered, 1)
        ledger.size += 1
        (after,) = await asking(remembered, 1)
        slow.over.set()
        assert [(await each).body for each in (before, after)] == [b"1", b"2"]

    told(story)


def test_a_failure_is_told_to_all_and_not_remembered():
    async def story(ledger, slow, remembered):
        tasks = await asking(remembered, 2)
        slow.failure = LedgerUnavailable("away")
        slow.over.set()
        for each in tasks:
            with pytest.raises(LedgerUnavailable):
                await each
        slow.failure = None
        assert (await remembered.answer(CUP)).body == b"2"

    told(story)
