"""A bounded pool of processes that answer what computes too long for the event loop.

A question is answered the same way in the service's own process and in one of the pool. A process
of the pool ends with the one that started it.
"""

import asyncio
import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from multiprocessing.connection import wait
from typing import Protocol

import msgspec
from cachetools import TTLCache

from scorekeeper.ledger.database_errors import CLOSING, LedgerUnavailable
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.writing.long_decisions import LeagueQueue, unless_closed
from scorekeeper.service.command import Outcome
from scorekeeper.service.integrity.auditing import Auditing
from scorekeeper.service.integrity.evidence import Evidence, EvidenceFiles
from scorekeeper.service.interpreter import tune_interpreter
from scorekeeper.service.matches.amendments import WhatIfQuery
from scorekeeper.service.questions import (
    MatchCheck,
    PlayerFigures,
    Question,
    QuestionAnswer,
    ResultsPage,
    RoundReplay,
    SeasonFigures,
    TablePage,
    TournamentFigures,
    Trial,
)
from scorekeeper.service.reading.display_names import DisplayNames
from scorekeeper.service.reading.matches import Reading, match_stream
from scorekeeper.service.reading.replays import replayed
from scorekeeper.service.reading.tournaments import TournamentReading, tournament_overview
from scorekeeper.service.standings.league_table import LeagueTable
from scorekeeper.service.standings.season import Seasons

_encode = msgspec.json.Encoder().encode

SHORT_MATCH = 250
"""Entries of a match that are read, judged and put into words within some milliseconds."""
SMALL_LEAGUE = 2_000
"""Entries of a ledger whose matches are summed up as quickly."""
SHORT_TOURNAMENT = 400
"""Rounds of a tournament, played or not, from which its standings follow as quickly."""
_PROCESSES = max(1, min(2, os.cpu_count() or 1))
# Then a process is made anew, so that none keeps for good what a long match once took.
_QUESTIONS_EACH = 200
_IDLE_SECONDS = 60.0
_REMEMBERED = 32
# A rebuild puts stored rows right, and the ledger does not grow by that.
_REMEMBERED_SECONDS = 60.0
MOST_REMEMBERED_BYTES = 1_000_000
"""Of one answer."""


class Readers:
    """All that reads from one ledger what may take long."""

    def __init__(self, ledger: Ledger, evidence: Evidence) -> None:
        self.reading = Reading(ledger)
        self.by_name = DisplayNames(self.reading)
        self.tournaments = TournamentReading(ledger, self.reading)
        self._trying = WhatIfQuery(ledger, self.reading, self.tournaments)
        self._auditing = Auditing(ledger, self.reading, evidence)
        self._table = LeagueTable(ledger)
        self._seasons = Seasons(ledger, self.reading, self._table)

    async def answer(self, asked: Question) -> QuestionAnswer:
        """Raises Refused, and LedgerUnavailable."""
        match asked:
            case RoundReplay():
                return await self._replay(asked)
            case MatchCheck():
                tag, checked = await self._auditing.match(
                    asked.audience,
                    asked.league,
                    asked.match,
                    asked.at,
                    asked.language,
                    asked.naming,
                )
                return QuestionAnswer(_encode(checked), tag)
            case Trial():
                return await self._trial(asked)
            case TablePage():
                lines = await self._table.page(
                    asked.league, asked.chosen, after=asked.after, limit=asked.limit
                )
                return QuestionAnswer(_encode(lines))
            case PlayerFigures():
                found = await self._table.breakdown(asked.league, asked.player, asked.chosen)
                return QuestionAnswer(_encode(found))
            case ResultsPage():
                results = await self._table.results(
                    asked.league, asked.chosen, after=asked.after, limit=asked.limit
                )
                return QuestionAnswer(_encode(results))
            case SeasonFigures():
                return QuestionAnswer(_encode(await self._seasons.read(asked.league, asked.chosen)))
            case TournamentFigures():
                tournament = await self.tournaments.find(asked.league, asked.tournament)
                return QuestionAnswer(_encode(tournament_overview(tournament)))

    async def _replay(self, asked: RoundReplay) -> QuestionAnswer:
        tag, shown = await replayed(
            self.reading,
            asked.audience,
            asked.league,
            asked.match,
            asked.round,
            view=asked.view,
            at=asked.at,
            language=asked.language,
            naming=asked.naming,
        )
        return QuestionAnswer(_encode(shown), tag)

    async def _trial(self, asked: Trial) -> QuestionAnswer:
        league, match, language = asked.league, asked.match, asked.language
        async with self.by_name.refusing(league, asked.naming, language):
            would_be = await self._trying.what_if(league, match, asked.asked, language=language)
        outcome = Outcome(body=_encode(would_be), created=False)
        named = await self.by_name.answer(league, match, outcome, asked.naming, language)
        return QuestionAnswer(named.body)


def end_with_parent() -> None:
    """Have this worker stop in an orderly way if the process that started it is killed.

    Otherwise it would go on alone and keep the port, and on SQLite the database. Then the next
    start would fail.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent.sentinel,), daemon=True).start()


def _end_after(sentinel: int) -> None:
    wait([sentinel])
    os.kill(os.getpid(), signal.SIGTERM)


def begin_worker() -> None:
    """Prepare a process of a pool. It ignores Ctrl-C, since its parent ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tune_interpreter()
    end_with_parent()


def answer_in_worker(url: str, files: EvidenceFiles, asked: Question) -> QuestionAnswer:
    """Read from the database at `url` what is asked. Raises Refused, and LedgerUnavailable.

    Connections and folded states are kept for the next question.
    """
    return _runner().run(_answer_in_worker(url, files, asked))


async def _answer_in_worker(url: str, files: EvidenceFiles, asked: Question) -> QuestionAnswer:
    if url not in _opened:
        ledger = await Ledger.open_to_read(url, standby=False)
        _opened[url] = Readers(ledger, Evidence(ledger, files))
    return await _opened[url].answer(asked)


@cache
def _runner() -> asyncio.Runner:
    return asyncio.Runner()


_opened: dict[str, Readers] = {}


class Answering(Protocol):
    """Who answers questions."""

    async def answer(self, asked: Question) -> QuestionAnswer: ...


class Pool:
    """Answers what is short by itself, and has processes answer the rest.

    A league has one question answered at a time: whoever asks for much waits for themselves, and
    leaves the other process to the other leagues. The processes are started when they are first
    needed, and end when nobody has asked for a minute.
    """

    def __init__(self, url: str, files: EvidenceFiles, ledger: Ledger, readers: Readers) -> None:
        self._url = url
        self._files = files
        self._ledger = ledger
        self._readers = readers
        self._turns = LeagueQueue()
        self._executor: ProcessPoolExecutor | None = None
        self._rest: asyncio.TimerHandle | None = None
        self._closed = False
        self._remembered: TTLCache[Question, tuple[int, QuestionAnswer]] = TTLCache(
            _REMEMBERED, _REMEMBERED_SECONDS
        )

    async def answer(self, asked: Question) -> QuestionAnswer:
        """Raises Refused, and LedgerUnavailable, also where too many of the league wait."""
        match asked:
            case SeasonFigures() | TournamentFigures():
                return await self._remembering(asked)
            case _:
                return await self._answer(asked)

    async def _remembering(self, asked: Question) -> QuestionAnswer:
        """What many look at, and what changes as the ledger grows."""
        head = await self._ledger.head(asked.league)
        size = 0 if head is None else head.size
        known = self._remembered.get(asked)
        if known and known[0] == size:
            return known[1]
        answer = await self._answer(asked)
        if len(answer.body) <= MOST_REMEMBERED_BYTES:
            self._remembered[asked] = size, answer
        return answer

    async def _answer(self, asked: Question) -> QuestionAnswer:
        if await self._is_short(asked):
            return await self._readers.answer(asked)
        async with self._turns.of(asked.league):
            try:
                return await self._elsewhere(asked)
            except BrokenProcessPool:
                # It was killed, for want of memory as a rule, and maybe for another's question.
                return await self._elsewhere_again(asked)

    async def close(self) -> None:
        """End the processes; what they are still asked is not answered any more."""
        self._closed = True
        self._cancel_rest()
        if self._executor is not None:
            await asyncio.to_thread(self._executor.shutdown, cancel_futures=True)

    async def _is_short(self, asked: Question) -> bool:
        match asked:
            case RoundReplay() | MatchCheck() | Trial():
                stream = match_stream(asked.match)
                return await self._ledger.version(asked.league, stream) <= SHORT_MATCH
            case TablePage() if asked.chosen.all:
                return True  # a page of a stored view
            case TablePage() | PlayerFigures() | ResultsPage():
                head = await self._ledger.head(asked.league)
                return head is None or head.size <= SMALL_LEAGUE
            case SeasonFigures():
                head = await self._ledger.head(asked.league)
                return head is None or head.size <= SHORT_MATCH  # its matches are folded
            case TournamentFigures():
                rounds = await self._readers.tournaments.rounds(asked.league, asked.tournament)
                return rounds <= SHORT_TOURNAMENT

    async def _elsewhere(self, asked: Question) -> QuestionAnswer:
        """Raises BrokenProcessPool, and LedgerUnavailable where the pool was closed."""
        if self._closed:
            raise LedgerUnavailable(CLOSING)
        loop = asyncio.get_running_loop()
        self._cancel_rest()
        executor = self._executor = self._executor or _processes()
        try:
            return await unless_closed(
                loop.run_in_executor(executor, answer_in_worker, self._url, self._files, asked)
            )
        except BrokenProcessPool:
            if self._executor is executor:
                self._executor = None
            raise
        finally:
            self._cancel_rest()
            if not self._closed:
                self._rest = loop.call_later(_IDLE_SECONDS, self._end_processes)

    async def _elsewhere_again(self, asked: Question) -> QuestionAnswer:
        try:
            return await self._elsewhere(asked)
        except BrokenProcessPool as error:
            raise LedgerUnavailable("the process that read the log was killed twice") from error

    def _cancel_rest(self) -> None:
        """Until the next answer the processes do not end by themselves."""
        if self._rest is not None:
            self._rest.cancel()
            self._rest = None

    def _end_processes(self) -> None:
        if self._executor is not None and not self._turns:
            self._executor.shutdown(wait=False)
            self._executor = None


def _processes() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(
        _PROCESSES,
        # A fork would take along threads and connections that are none of its own.
        mp_context=multiprocessing.get_context("spawn"),
        initializer=begin_worker,
        max_tasks_per_child=_QUESTIONS_EACH,
    )
