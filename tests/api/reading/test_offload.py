"""Worker processes answer long computations as the serving process itself would."""

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
from scorekeeper.ledger.integrity.tree import stored_nodes
from scorekeeper.ledger.merkle_tree import TILE_WIDTH
from scorekeeper.service import worker_processes
from scorekeeper.service.integrity.evidence import EvidenceFiles
from scorekeeper.service.question_pool import Pool, RememberedAnswers
from scorekeeper.service.questions import (
    PlayerFigures,
    QuestionAnswer,
    SeasonFigures,
    TournamentFigures,
)
from scorekeeper.service.worker_processes import WorkerProcesses
from scorekeeper.store.standings import ResultFilter
from scorekeeper.web.page import page as write_page
from tests.api.serving import PLAYERS, League, Match, note, serving, tally
from tests.databases import KINDS, migrated
from tests.forked_programs import instead_of_new_ones

AMENDMENT = {"from": 4, "remove": 1, "insert": [tally("bo", ann=9, cy=8, di=7)]}


@pytest.fixture(scope="module", params=KINDS)
def served(request, tmp_path_factory):
    """A service that treats every computation as long."""
    folder = tmp_path_factory.mktemp("offloaded")
    with pytest.MonkeyPatch.context() as patch, migrated(request.param, request, folder) as url:
        patch.setattr("scorekeeper.service.readers.SHORT_MATCH", 0)
        patch.setattr("scorekeeper.service.readers.SMALL_LEAGUE", 0)
        patch.setattr("scorekeeper.service.readers.SHORT_TOURNAMENT", 0)
        if request.param == "sqlite":
            patch.setattr(multiprocessing, "get_context", instead_of_new_ones)
        with serving(url, offload=True) as served:
            yield served


@pytest.fixture(scope="module")
def league(served) -> League:
    return served.league()


@pytest.fixture(scope="module")
def match(league) -> Match:
    events = [
        *(tally("ann", bo=round_, cy=8, di=13) for round_ in range(1, 5)),
        {"type": "round_started", "dealer": "ann", "hands": {"bo": ["red-1", "blue-skip"]}},
        {"type": "first_card_turned", "card": "red-9"},
        {"type": "card_played", "player": "bo", "card": "green-2", "as_played": True},
        note(),
    ]
    played = league.match(events=events)
    league.match(events=[tally("di", ann=60, bo=500, cy=1)])
    cup = {"tournament": "cup", "name": "Cup", "edition": "basic", "players": PLAYERS[:4]}
    assert league.scorekeeper.post("/tournaments", cup).status_code == 201
    told = {"events": [tally("ann", bo=10, cy=20, di=30)] * 4}
    league.scorekeeper.post("/matches/cup-s1-t1/events", told)
    return played


def questions(match):
    root = f"/matches/{match.slug}"
    yield from (
        ("GET", f"{root}/rounds/{round_}/replay?view={view}&lang={lang}{names}", {})
        for round_ in (1, 5, 9)
        for view in ("recorded", "corrected")
        for lang, names in (("en", ""), ("zh-TW", "&names=display"))
    )
    yield "GET", f"{root}/audit?lang=zh-TW", {}
    yield "GET", f"{root}/audit?at=3&names=display", {}
    yield "GET", f"{root}/audit?at=99", {}
    yield "POST", f"{root}/what-if", {"json": AMENDMENT}
    yield "POST", f"{root}/what-if?names=display", {"json": AMENDMENT | {"insert": []}}
    yield "POST", f"{root}/what-if?names=display", {"json": AMENDMENT | {"from": 1}}
    yield "POST", f"{root}/what-if", {"json": AMENDMENT | {"insert": [note()] * 3, "from": 77}}
    yield "GET", "/standings?edition=basic&limit=2", {}
    yield "GET", "/standings?with=nobody", {}
    yield "GET", "/standings?edition=basic", {"headers": {"accept": "text/csv"}}
    yield "GET", "/results?limit=3", {}
    yield "GET", "/results", {"headers": {"accept": "text/csv"}}
    yield "GET", "/players/bo/statistics", {}
    yield "GET", "/players/nobody/statistics", {}
    yield "GET", "/tournaments/cup/standings?limit=3", {}
    yield "GET", "/tournaments/cup/standings", {"headers": {"accept": "text/csv"}}
    yield "GET", "/tournaments/cup/progress", {}
    yield "GET", "/tournaments/nobodys/progress", {}


@pytest.mark.parametrize("role", ["viewer", "scorekeeper"])
def test_a_process_answers_as_this_one_does(served, league, match, role):
    """This includes refusals, entity tags, names, and what is hidden from viewers."""
    services = served.services
    processes, here = services.answering, services.readers
    caller = league.callers[role]
    try:
        for method, path, sent in questions(match):
            services.answering = processes
            there = caller.ask(method, path, **sent)
            services.answering = here
            answer = caller.ask(method, path, **sent)
            same = [
                (
                    each.status_code,
                    each.headers.get("etag"),
                    each.content.replace(each.headers["x-request-id"].encode(), b""),
                )
                for each in (there, answer)
            ]
            assert same[0] == same[1], path
    finally:
        services.answering = processes


def test_a_process_need_not_compute_the_tree(served):
    """It can't store nodes, and would read all headers of the ledger for each audit."""
    league = served.league()
    assert league.match(events=[note()] * TILE_WIDTH).get("/audit").json()["ok"]
    read = served.services.ledger.read(lambda connection: [*stored_nodes(connection, league.slug)])
    (nodes,) = served.together(read)
    assert [(level, number) for level, number, _ in nodes] == [(1, 0)]


class Noted:
    """Passes questions on to `others`, and notes them in `asked`."""

    def __init__(self, others):
        self.others = others
        self.asked = []

    async def answer(self, asked):
        self.asked.append(asked)
        return await self.others.answer(asked)


@pytest.mark.parametrize("page", ["", "?matrix=opponents", "/hall", "/print"])
def test_a_page_of_a_tournament_is_worked_out_beside_the_event_loop(
    served, league, match, page, monkeypatch
):
    """The figures come from a worker process, and a long page is rendered on a thread."""
    aside = []
    to_thread = asyncio.to_thread

    async def noted(work, *arguments, **named):
        aside.append(work)
        return await to_thread(work, *arguments, **named)

    monkeypatch.setattr(asyncio, "to_thread", noted)
    services = served.services
    processes = Noted(services.answering)
    texts = []
    for answering in (processes, services.readers):
        monkeypatch.setattr(services, "answering", answering)
        address = f"/l/{league.slug}/t/cup{page}"
        texts.append(served.ask("GET", address, token=league.viewer.token).text)
    assert processes.asked == [TournamentFigures(league=league.slug, tournament="cup")]
    assert texts[0] == texts[1]
    assert "Cup" in texts[0]
    assert (write_page in aside) == (page != "/hall")


def test_a_season_is_worked_out_by_a_process(served, league, match, monkeypatch):
    """Its matches have to be folded to find the best rounds."""
    services = served.services
    processes = Noted(services.answering)
    year = league.viewer.get("/results").json()["items"][0]["held_at"][:4]
    address = f"/l/{league.slug}/table?from={year}-01-01&to={year}-12-31"
    texts = []
    for answering in (processes, services.readers):
        monkeypatch.setattr(services, "answering", answering)
        texts.append(served.ask("GET", address, token=league.viewer.token).text)
    asked = SeasonFigures(league=league.slug, chosen=processes.asked[0].chosen)
    assert asked in processes.asked
    assert texts[0] == texts[1]
    assert "Best rounds" in texts[0]


@pytest.mark.parametrize("page", ["t/cup", "table?from={0}-01-01&to={0}-12-31"])
def test_what_many_look_at_is_worked_out_once_until_the_ledger_grows_or_a_minute_is_over(
    served, league, match, page, monkeypatch
):
    """A rebuild adds no entry, so the rows that it corrects are shown a minute later."""
    year = league.viewer.get("/results").json()["items"][0]["held_at"][:4]
    address = f"/l/{league.slug}/{page.format(year)}"
    now = [0.0]
    others = Noted(served.services.readers)
    remembered = RememberedAnswers(served.services.ledger, others, clock=lambda: now[0])
    monkeypatch.setattr(served.services, "answering", remembered)

    def worked_out():
        return sum(isinstance(each, SeasonFigures | TournamentFigures) for each in others.asked)

    for grown in (1, 2):
        match.tell(note())
        texts = {served.ask("GET", address, token=league.viewer.token).text for _ in range(3)}
        assert len(texts) == 1
        assert worked_out() == grown
    now[0] += 60
    assert {served.ask("GET", address, token=league.viewer.token).text} == texts
    assert worked_out() == 3


def test_what_was_told_a_moment_ago_is_in_the_answer(served, match):
    for told in range(1, 4):
        version = match.tell(note(f"note {told}"))["version"]
        assert match.get("/audit").json()["version"] == version
        shown = match.get("/rounds/5/replay").json()["items"]
        assert shown[-1]["event"]["text"] == f"note {told}"


def test_a_process_that_is_killed_is_made_anew(served, match):
    assert match.get("/audit").status_code == 200
    for process in multiprocessing.active_children():
        # A process of an earlier test may still be ending.
        process.kill()
        process.join()
    assert match.get("/audit").status_code == 200


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
