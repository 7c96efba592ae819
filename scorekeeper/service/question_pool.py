"""Choosing who answers a question: this process, another one, or the memory of recent answers."""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

from cachetools import TTLCache

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.writing.long_decisions import LeagueQueue
from scorekeeper.service.questions import (
    Question,
    QuestionAnswer,
    SeasonFigures,
    TournamentFigures,
)
from scorekeeper.service.readers import Readers

_REMEMBERED: Final = 32
# There is a limit, since a rebuild corrects stored rows, and the ledger does not grow by that.
_REMEMBERED_SECONDS: Final = 60.0
MOST_REMEMBERED_BYTES: Final = 1_000_000
"""The most bytes of an answer that is remembered."""


class Answering(Protocol):
    """Who answers questions."""

    async def answer(self, asked: Question) -> QuestionAnswer:
        """Answer a question. Raises Refused, and LedgerUnavailable."""
        ...


class Pool:
    """Has short questions answered in this process, and all others by worker processes.

    The workers answer one question of a league at a time. So a league that asks for much only waits
    for itself, and leaves the other workers to other leagues.
    """

    def __init__(self, readers: Readers, processes: Answering) -> None:
        self._readers = readers
        self._processes = processes
        self._turns = LeagueQueue()

    async def answer(self, asked: Question) -> QuestionAnswer:
        """Answer a question.

        Raises Refused, and LedgerUnavailable, also if too many questions of the league wait.
        """
        if await self._readers.is_short(asked):
            return await self._readers.answer(asked)
        async with self._turns.of(asked.league):
            await self._readers.prepare(asked)
            return await self._processes.answer(asked)


class RememberedAnswers:
    """Remembers the answers that many people look at, until the ledger grows or a minute is over.

    Many of them ask at the same moment, as when a result was just told. They share one answer.
    `others` answers all other questions, and these if they are not remembered. `clock` returns
    seconds.
    """

    def __init__(
        self, ledger: Ledger, others: Answering, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._ledger = ledger
        self._others = others
        self._known: TTLCache[Question, tuple[int, QuestionAnswer]] = TTLCache(
            _REMEMBERED, _REMEMBERED_SECONDS, timer=clock
        )
        self._under_way: dict[tuple[Question, int], asyncio.Task[QuestionAnswer]] = {}

    async def answer(self, asked: Question) -> QuestionAnswer:
        """Answer a question. Raises Refused, and LedgerUnavailable."""
        if not isinstance(asked, SeasonFigures | TournamentFigures):
            return await self._others.answer(asked)
        head = await self._ledger.head(asked.league)
        size = 0 if head is None else head.size
        known = self._known.get(asked)
        if known and known[0] == size:
            return known[1]
        task = self._under_way.get((asked, size))
        if task is None:
            task = asyncio.create_task(self._worked_out(asked, size))
            self._under_way[asked, size] = task
            task.add_done_callback(partial(self._ended, asked, size))
        # If a request is cancelled, the others still wait for the answer.
        return await asyncio.shield(task)

    async def _worked_out(self, asked: Question, size: int) -> QuestionAnswer:
        answer = await self._others.answer(asked)
        if len(answer.body) <= MOST_REMEMBERED_BYTES:
            self._known[asked] = size, answer
        return answer

    def _ended(self, asked: Question, size: int, task: asyncio.Task[QuestionAnswer]) -> None:
        del self._under_way[asked, size]
        if not task.cancelled():
            # Retrieve the error, or asyncio logs it if all requests that waited were cancelled.
            task.exception()
