"""Processes that answer long questions: in turn, replaced in time, ended with the service."""

import asyncio
import multiprocessing
import os
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.service import worker_processes
from scorekeeper.service.integrity.evidence import EvidenceFiles
from scorekeeper.service.question_pool import Pool
from scorekeeper.service.questions import PlayerFigures, QuestionAnswer
from scorekeeper.service.worker_processes import WorkerProcesses
from scorekeeper.store.standings import ResultFilter
from tests.forked_programs import instead_of_new_ones


class EverythingTakesLong:
    """Readers that take no computation for short."""

    async def is_short(self, asked):
        return False

    async def prepare(self, asked):
        pass


class Slow:
    """Worker processes that answer nothing until the test allows it."""

    def __init__(self):
        self.begun = []
        self.two_began = asyncio.Event()
        self.over = asyncio.Event()

    async def answer(self, asked):
        self.begun.append(asked)
        if len(self.begun) == 2:
            self.two_began.set()
        await self.over.wait()


def asked(league, player):
    return PlayerFigures(league=league, player=player, chosen=ResultFilter())


def test_a_league_has_one_question_answered_at_a_time():
    async def story():
        slow = Slow()
        pool = Pool(EverythingTakesLong(), slow)
        asking = [
            asyncio.create_task(pool.answer(asked(league, player)))
            for league, player in (("a", "ann"), ("a", "bo"), ("b", "ann"))
        ]
        async with asyncio.timeout(60):
            await slow.two_began.wait()
        assert slow.begun == [asked("a", "ann"), asked("b", "ann")]
        slow.over.set()
        await asyncio.gather(*asking)
        assert slow.begun[-1] == asked("a", "bo")

    asyncio.run(story())


class OnThreads(WorkerProcesses):
    """Worker processes replaced by threads, which answer when the test allows it."""

    def __init__(self, monkeypatch, threads):
        super().__init__("", None)
        self.asked = threading.Semaphore(0)
        self.over = threading.Event()
        self._timers = []
        self.started = []
        monkeypatch.setattr(worker_processes, "_processes", partial(self._start, threads))
        monkeypatch.setattr(worker_processes, "answer_in_worker", self._answer_on_thread)
        loop = asyncio.get_running_loop()
        call_later = loop.call_later

        def noted(*work):
            self._timers.append(call_later(*work))
            return self._timers[-1]

        monkeypatch.setattr(loop, "call_later", noted)

    def _start(self, threads, pool):
        self.started.append(ThreadPoolExecutor(threads))
        return self.started[-1]

    def timers(self):
        """Return the number of timers that are set and not cancelled."""
        return sum(not timer.cancelled() for timer in self._timers)

    async def until_asked(self):
        assert await asyncio.to_thread(self.asked.acquire, timeout=60)

    def _answer_on_thread(self, url, files, asked):
        self.asked.release()
        assert self.over.wait(60)
        return QuestionAnswer(asked.player.encode())


def test_processes_end_a_minute_after_the_last_answer_however_questions_overlap(monkeypatch):
    async def story():
        processes = OnThreads(monkeypatch, 2)
        pool = Pool(EverythingTakesLong(), processes)
        asking = [asyncio.create_task(pool.answer(asked(league, "ann"))) for league in "ab"]
        for _ in asking:
            await processes.until_asked()
        processes.over.set()
        await asyncio.gather(*asking)
        assert processes.timers() == 1
        await processes.close()
        assert processes.timers() == 0

    asyncio.run(story())


def test_what_is_asked_at_the_closing_is_refused(monkeypatch):
    """Two that wait and a new one. A thread, unlike a process, ends what it is at."""

    async def story():
        processes = OnThreads(monkeypatch, 1)
        pool = Pool(EverythingTakesLong(), processes)
        asking = [asyncio.create_task(pool.answer(asked(league, "ann"))) for league in "aab"]
        await processes.until_asked()
        closing = asyncio.create_task(processes.close())
        with pytest.raises(LedgerUnavailable, match="closed"):
            await asking[2]
        with pytest.raises(LedgerUnavailable, match="closed"):
            await pool.answer(asked("c", "ann"))
        processes.over.set()
        assert (await asking[0]).body == b"ann"
        with pytest.raises(LedgerUnavailable, match="closed"):
            await asking[1]
        await closing
        assert processes.timers() == 0

    asyncio.run(story())


def test_a_question_in_the_middle_of_its_answer_delays_no_stop():
    """Who asked it has left. The service would be killed, since it did not stop in time."""

    def hear_and_stay_silent(database):
        connected, _ = database.accept()
        with connected:
            assert connected.recv(1)
            begun.set()
            while connected.recv(1_000):
                pass

    async def story(address):
        processes = WorkerProcesses(address, EvidenceFiles(signing_key=Path(), checkpoints=Path()))
        asking = asyncio.create_task(processes.answer(asked("a", "ann")))
        assert await asyncio.to_thread(begun.wait, 60)
        await processes.close()
        with pytest.raises(LedgerUnavailable, match="closed"):
            await asking

    begun = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as database, ThreadPoolExecutor(1) as others:
        silent = others.submit(hear_and_stay_silent, database)
        asyncio.run(story(f"postgresql+asyncpg://ann@127.0.0.1:{database.getsockname()[1]}/league"))
        silent.result(60)


def test_a_pool_that_was_never_asked_starts_nothing_once_it_is_closed(monkeypatch):
    async def story():
        processes = OnThreads(monkeypatch, 1)
        pool = Pool(EverythingTakesLong(), processes)
        processes.over.set()
        await processes.close()
        with pytest.raises(LedgerUnavailable, match="closed"):
            await pool.answer(asked("a", "ann"))
        assert not processes.started

    asyncio.run(story())


def answer_at_once(url, files, asked):
    return QuestionAnswer(str(os.getpid()).encode())


def test_processes_are_replaced_after_many_questions_while_more_questions_wait(monkeypatch):
    """A pool that replaces its processes one by one loses all of them, and answers no more."""
    monkeypatch.setattr(multiprocessing, "get_context", instead_of_new_ones)
    monkeypatch.setattr(worker_processes, "answer_in_worker", answer_at_once)
    monkeypatch.setattr(worker_processes, "_QUESTIONS_EACH", 2)
    monkeypatch.setattr(worker_processes, "_PROCESSES", 2)

    async def story():
        processes = WorkerProcesses("", None)
        async with asyncio.timeout(60):
            answers = await asyncio.gather(
                *(processes.answer(asked("a", str(each))) for each in range(12))
            )
        await processes.close()
        return {answer.body for answer in answers}

    assert len(asyncio.run(story())) >= 3
