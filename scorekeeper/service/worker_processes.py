"""Worker processes, which answer questions that compute too long for the event loop.

A question is answered there the same way as in the service's own process. A process ends with the
one that started it.
"""

import asyncio
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext
from weakref import WeakSet

from scorekeeper.ledger.database_errors import CLOSING, LedgerUnavailable
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.writing.long_decisions import unless_closed
from scorekeeper.service.integrity.evidence import Evidence, EvidenceFiles
from scorekeeper.service.questions import Question, QuestionAnswer
from scorekeeper.service.readers import Readers
from scorekeeper.service.worker_start import begin_worker

_PROCESSES = max(1, min(2, os.cpu_count() or 1))
# After so many questions for each of them all processes are replaced, so that none keeps the memory
# that a long match once took. `max_tasks_per_child` would replace each for itself, but loses
# processes, and in the end all of them, while more questions wait than there are processes
# (https://github.com/python/cpython/issues/115634).
_QUESTIONS_EACH = 200
_IDLE_SECONDS = 60.0


def answer_in_worker(url: str, files: EvidenceFiles, asked: Question) -> QuestionAnswer:
    """Answer a question from the database at `url`. Raises Refused, and LedgerUnavailable.

    Connections and folded states are kept for the next question.
    """
    return runner().run(_answer_in_worker(url, files, asked))


async def _answer_in_worker(url: str, files: EvidenceFiles, asked: Question) -> QuestionAnswer:
    if url not in _opened:
        ledger = await Ledger.open_to_read(url, standby=False)
        _opened[url] = Readers(ledger, Evidence(ledger, files))
    return await _opened[url].answer(asked)


@cache
def runner() -> asyncio.Runner:
    """Return what runs coroutines in a worker process, always on the same event loop."""
    return asyncio.Runner()


_opened: dict[str, Readers] = {}


class WorkerProcesses:
    """The worker processes of a service.

    They are started when they are first needed, and end after a minute without a question.
    """

    def __init__(self, url: str, files: EvidenceFiles) -> None:
        self._url = url
        self._files = files
        self._executor: ProcessPoolExecutor | None = None
        self._watched, self._held = _spawning().Pipe(duplex=False)
        # Also those that are replaced and still answer.
        self._executors: WeakSet[ProcessPoolExecutor] = WeakSet()
        self._asked = 0
        self._unanswered = 0
        self._rest: asyncio.TimerHandle | None = None
        self._closed = False

    async def answer(self, asked: Question) -> QuestionAnswer:
        """Have a worker process answer a question. Raises Refused, and LedgerUnavailable."""
        try:
            return await self._answer(asked)
        except BrokenProcessPool:
            # The process was killed, mostly for lack of memory, and maybe for another question.
            pass
        try:
            return await self._answer(asked)
        except BrokenProcessPool as error:
            raise LedgerUnavailable("the process that read the log was killed twice") from error

    async def close(self) -> None:
        """End the processes, whatever they are at. Nothing is answered any more.

        The server closes its services when all answers were sent. So who asked has left, and a long
        answer would only delay the stop until the whole service is killed.
        """
        self._closed = True
        self._cancel_rest()
        self._held.close()
        await asyncio.gather(
            *(asyncio.to_thread(each.shutdown, cancel_futures=True) for each in self._executors)
        )
        self._watched.close()

    async def _answer(self, asked: Question) -> QuestionAnswer:
        """Answer once. Raises BrokenProcessPool, and LedgerUnavailable if this was closed."""
        if self._closed:
            raise LedgerUnavailable(CLOSING)
        loop = asyncio.get_running_loop()
        self._cancel_rest()
        executor = self._begun()
        self._unanswered += 1
        try:
            answered = loop.run_in_executor(
                executor, answer_in_worker, self._url, self._files, asked
            )
            self._asked += 1
            if self._asked == _QUESTIONS_EACH * _PROCESSES:
                self._end_processes()
            return await unless_closed(answered)
        except BrokenProcessPool:
            if self._executor is executor:
                self._executor = None
            raise
        finally:
            self._unanswered -= 1
            if not (self._unanswered or self._closed):
                self._rest = loop.call_later(_IDLE_SECONDS, self._end_processes)

    def _begun(self) -> ProcessPoolExecutor:
        if self._executor is None:
            self._executor, self._asked = _processes(self._watched), 0
            self._executors.add(self._executor)
        return self._executor

    def _cancel_rest(self) -> None:
        if self._rest is not None:
            self._rest.cancel()
            self._rest = None

    def _end_processes(self) -> None:
        """Have the processes end once they have answered what they were asked."""
        if self._executor is not None:
            self._executor.shutdown(wait=False)
            self._executor = None


def _spawning() -> SpawnContext:
    # A forked process would inherit threads and connections that it must not use.
    return multiprocessing.get_context("spawn")


def _processes(pool: Connection) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(
        _PROCESSES,
        mp_context=_spawning(),
        initializer=begin_worker,
        initargs=(pool,),
    )
