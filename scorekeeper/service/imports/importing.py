"""Importing past rounds from a spreadsheet: first a plan of what would be done, then doing it.

As many matches are written at a time as fit into one append.
"""

import asyncio
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from functools import partial
from io import StringIO
from typing import Final

import msgspec
from msgspec import Struct

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.writing.long_decisions import LeagueQueue
from scorekeeper.match.events.events import ToldEvent
from scorekeeper.service.command import IdempotencyKey, Outcome
from scorekeeper.service.identity.access import Caller
from scorekeeper.service.imports.cells import People
from scorekeeper.service.imports.checked_rows import without_future
from scorekeeper.service.imports.corrections import (
    Correction,
    ImportedLog,
    RecordedEvent,
    imported_log,
)
from scorekeeper.service.imports.findings import Finding
from scorekeeper.service.imports.import_plan import ImportPlan, beyond, known_matches, plan
from scorekeeper.service.imports.import_views import (
    MOST_ROWS_IN_REQUEST,
    BadRowView,
    ImportFlag,
    ImportRequest,
    ImportView,
    import_view,
)
from scorekeeper.service.imports.planned_matches import (
    PastMatch,
    PastRequest,
    Planned,
    newcomers,
    numbered_pieces,
    past_matches,
    requests,
)
from scorekeeper.service.imports.result_rows import read_rows
from scorekeeper.service.kept_import import keep_import, kept_import
from scorekeeper.service.leagues import Players
from scorekeeper.service.matches.past_matches import PastMatches
from scorekeeper.service.matches.recording import Recording, ToRecord, Versions
from scorekeeper.service.reading.match_request import PastMatchesRequest
from scorekeeper.service.reading.matches import match_stream
from scorekeeper.service.refused import Refused
from scorekeeper.service.streams import event_of
from scorekeeper.service.views import PlayerRegistration, PlayerView
from scorekeeper.texts.language import Language
from scorekeeper.texts.message import message

RefusedAt = Callable[[Refused], tuple[int, str]]
"""The line and the match that a refusal is about."""

_AT_ONCE: Final = 1_000
# Made at the import of this module. It is used on threads, and two threads must not be the first to
# decode a type at the same time.
_decode_matches = msgspec.json.Decoder(PastMatchesRequest).decode
_encode = msgspec.json.Encoder().encode
_EARLIEST_DAY: Final = timezone(timedelta(hours=14))
"""Where a day begins first (UTC+14), so that today's rounds are nowhere refused as future ones."""


class _Stopped(Exception):
    """Why the rest is not imported."""

    def __init__(self, why: BadRowView) -> None:
        super().__init__(why.why)
        self.why = why


class ImportRun:
    """Carries out a plan, and notes in the view what was imported."""

    def __init__(
        self,
        caller: Caller,
        league: str,
        players: Players,
        past: PastMatches,
        recording: Recording,
        language: Language,
        view: ImportView,
    ) -> None:
        self._caller = caller
        self._league = league
        self._players = players
        self._past = past
        self._recording = recording
        self._language: Language = language
        self._view = view
        self._views = {match.match: match for match in view.matches}

    async def carry_out(self, found: ImportPlan, people: People) -> None:
        """Register the people, then record the corrections, then the new matches.

        A match that an interrupted import had begun is a correction, so the log keeps the order.
        """
        matches = [*(each.match for each in found.corrections), *found.new]
        try:
            await self._register(people, matches)
            for each in found.corrections:
                await self._correct(each)
                self._views[each.match.match].outcome = "corrected"
            coming = requests(self._league, found.new)
            while (request := await asyncio.to_thread(next, coming, None)) is not None:
                await self._open(request)
                for match in request.matches:
                    self._views[match.match].outcome = "imported"
        except _Stopped as stopped:
            self._view.error = stopped.why
        else:
            self._view.complete = True

    async def _register(self, people: People, matches: Sequence[PastMatch]) -> None:
        for match, player, name in newcomers(people, matches):
            with self._blaming(_always(match.lines[0], match.match)):
                if await self._registered(PlayerRegistration(name=name, player=player)):
                    self._view.registered.append(player)

    async def _registered(self, registration: PlayerRegistration) -> bool:
        """Register a player. Return False if somebody else did so meanwhile."""
        try:
            await self._players.register(self._caller, self._league, registration, None)
        except Refused as error:
            if error.code != "player-exists":
                raise
            return False
        return True

    async def _open(self, request: PastRequest) -> None:
        asked = await asyncio.to_thread(_decode_matches, request.body)
        with self._blaming(partial(_in_matches, request.matches)):
            await self._past.bring_in(self._caller, self._league, asked, None, self._language)
        last = request.matches[-1]
        for number, rest in request.rests:
            await self._append(last, rest, partial(_in_match, last, number), None)

    async def _correct(self, correction: Correction) -> None:
        """Append amendments and what follows them, if nothing else was recorded meanwhile."""
        version = correction.version
        for number, piece in numbered_pieces(correction.events(self._league)):
            place = partial(_in_correction, correction, number)
            version = await self._append(correction.match, piece, place, version)

    async def _append(
        self, match: PastMatch, events: Sequence[ToldEvent], place: RefusedAt, version: int | None
    ) -> int:
        """Append events, and return the match's version after them.

        `version`: the one that the match must have; None: any.
        """
        asked = ToRecord(
            self._caller,
            self._league,
            match.match,
            events,
            None if version is None else Versions({version}),
            language=self._language,
        )
        with self._blaming(place):
            outcome = await self._recording.record(asked)
        assert outcome.version is not None
        return outcome.version

    @contextmanager
    def _blaming(self, place: RefusedAt) -> Generator[None]:
        try:
            yield
        except Refused as error:
            line, match = place(error)
            facts = error.facts or {}
            why = message(error.code, error.reason, facts, self._language, error.words)
            reason = error.reason or error.code
            view = BadRowView(line=line, column=None, match=match, reason=reason, why=why)
            raise _Stopped(view) from error


def _always(line: int, match: str) -> RefusedAt:
    """Return a place that is the same whatever is refused."""
    return lambda _: (line, match)


def _in_matches(matches: Sequence[PastMatch], error: Refused) -> tuple[int, str]:
    return _in_match(matches[_index(error, "match_index")], 0, error)


def _in_match(match: PastMatch, first: int, error: Refused) -> tuple[int, str]:
    """`first`: the number, in the match, of the first event of the refused request."""
    return match.line_of(first + _index(error, "event_index")), match.match


def _in_correction(correction: Correction, first: int, error: Refused) -> tuple[int, str]:
    """`first`: the number, in the correction, of the first event of the refused request."""
    line = correction.line_of(first + _index(error, "event_index"))
    return line, correction.match.match


def _index(error: Refused, member: str) -> int:
    """Return the index in this member; 0 if the refusal is about the request as a whole."""
    index = error.members.get(member)
    return index if isinstance(index, int) else 0


class _Prepared(Struct, frozen=True):
    """The plan that follows from the rows, and the people whom they name."""

    plan: ImportPlan
    people: People


class SpreadsheetImporting:
    """Imports spreadsheets, one at a time into each league. `clock` returns microseconds of UTC."""

    def __init__(
        self,
        ledger: Ledger,
        players: Players,
        past: PastMatches,
        recording: Recording,
        clock: Callable[[], int],
    ) -> None:
        self._ledger = ledger
        self._players = players
        self._past = past
        self._recording = recording
        self._clock = clock
        self._turns = LeagueQueue()

    async def bring_in(
        self,
        caller: Caller,
        league: str,
        asked: ImportRequest,
        key: IdempotencyKey | None,
        language: Language,
    ) -> Outcome:
        """Import rows, or with `preview` only return what would be done. Nothing is imported twice.

        The answer of an import that is complete is kept under the key. Raises Refused
        (`rows-refused`), with nothing written, if rows are bad or were imported otherwise, and the
        request does not say what to do with them; and as `kept_import` does.
        """
        async with self._turns.of(league):
            earlier = await kept_import(self._ledger, league, key)
            if earlier is not None:
                return earlier
            view = await self._brought_in(caller, league, asked, language)
            outcome = Outcome(body=_encode(view), created=False)
            if not view.complete:
                return outcome
            return await keep_import(self._ledger, league, caller.token_id, key, outcome)

    async def _brought_in(
        self, caller: Caller, league: str, asked: ImportRequest, language: Language
    ) -> ImportView:
        prepared = await self._prepared(league, asked)
        found = prepared.plan
        undecided = _undecided(asked, found)
        if undecided and not asked.preview:
            raise _refused(undecided[0], found)
        if asked.skip_bad and not asked.correct:
            found.leave_otherwise(Finding("imported-otherwise"))
        new = _new(found, prepared.people)
        view = await asyncio.to_thread(import_view, asked, found, new, undecided, language)
        if not asked.preview:
            run = ImportRun(
                caller, league, self._players, self._past, self._recording, language, view
            )
            await run.carry_out(found, prepared.people)
        return view

    async def _prepared(self, league: str, asked: ImportRequest) -> _Prepared:
        """Read and check all rows, and compare them with what the league has."""
        people = await self._people(league)
        planned = await asyncio.to_thread(self._planned, asked, people)
        streams = await self._there(league, planned)
        logs = {match: await self._log(league, match) for match in known_matches(planned, streams)}
        found = await asyncio.to_thread(
            plan, league, planned, logs, leave_open=asked.leave_open, file=asked.file
        )
        return _Prepared(found, people)

    def _planned(self, asked: ImportRequest, people: People) -> Planned:
        # As the command opens a file: without a byte order mark, and with line ends as they are.
        text = StringIO(asked.text.removeprefix("\ufeff"), newline="")
        rows = list(read_rows(text, people, most=MOST_ROWS_IN_REQUEST))
        if not asked.allow_future:
            now = datetime.fromtimestamp(self._clock() / 1_000_000, _EARLIEST_DAY)
            rows = without_future(rows, now)
        return past_matches(rows, leave_open=asked.leave_open)

    async def _people(self, league: str) -> People:
        there = await self._players.everybody(league)
        return People((each.player, each.name) for each in there)

    async def _there(self, league: str, planned: Planned) -> set[str]:
        """Return the matches that the league has of the plan, and further ones of its tables."""
        known = await self._existing(league, [match.match for match in planned.matches])
        further: list[Iterator[str]] = [beyond(table) for table in planned.tables]
        while further:
            asked = {next(slugs): slugs for slugs in further}
            found = await self._existing(league, list(asked))
            known |= found
            further = [asked[slug] for slug in found]
        return known

    async def _existing(self, league: str, matches: list[str]) -> set[str]:
        found: set[str] = set()
        for start in range(0, len(matches), _AT_ONCE):
            part = {match_stream(match): match for match in matches[start : start + _AT_ONCE]}
            times = await self._ledger.last_recorded(league, list(part))
            found |= {match for stream, match in part.items() if times[stream] is not None}
        return found

    async def _log(self, league: str, match: str) -> ImportedLog:
        entries = await self._ledger.stream(league, match_stream(match))

        def read() -> ImportedLog:
            recorded = [
                RecordedEvent(
                    version=entry.version,
                    id=entry.id,
                    inferred=entry.inferred,
                    event=event_of(entry),
                )
                for entry in entries
            ]
            return imported_log(league, match, recorded)

        return await asyncio.to_thread(read)


def _new(found: ImportPlan, people: People) -> list[PlayerView]:
    """Return the players of the matches to be imported who are not in the league yet.

    New matches come first, then corrected ones.
    """
    going_in = [*found.new, *(each.match for each in found.corrections)]
    return [PlayerView(each.player, each.name) for each in newcomers(people, going_in)]


def _undecided(asked: ImportRequest, found: ImportPlan) -> list[ImportFlag]:
    if asked.skip_bad:
        return []
    undecided: list[ImportFlag] = ["skip_bad"] if found.bad else []
    return [*undecided, "correct"] if found.otherwise and not asked.correct else undecided


def _refused(undecided: ImportFlag, found: ImportPlan) -> Refused:
    if undecided == "skip_bad":
        reason, lines = "bad-rows", [row.line for row in found.bad]
    else:
        reason = "imported-otherwise"
        lines = [each.differences[0].line for each in found.otherwise]
    return Refused("rows-refused", reason=reason, facts={"lines": lines})
