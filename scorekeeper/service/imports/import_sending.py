"""Writing what a spreadsheet comes to, as many matches at a time as one append takes."""

import asyncio
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import partial

import msgspec

from scorekeeper.match.events.events import ToldEvent
from scorekeeper.service.identity.access import Caller
from scorekeeper.service.imports.corrections import Correction
from scorekeeper.service.imports.import_plan import Plan
from scorekeeper.service.imports.import_views import BadRowView, ImportView
from scorekeeper.service.imports.past_matches import PastMatch
from scorekeeper.service.imports.past_requests import PastRequest, pieces, requests
from scorekeeper.service.imports.people import People
from scorekeeper.service.leagues.players import Players
from scorekeeper.service.matches.past_matches import PastMatches
from scorekeeper.service.matches.recording import Recording, ToRecord, Versions
from scorekeeper.service.reading.match_request import PastMatchesRequest
from scorekeeper.service.refused import Refused
from scorekeeper.service.views import PlayerRegistration
from scorekeeper.texts.language import Language
from scorekeeper.texts.message import message

Place = Callable[[Refused], tuple[int, str]]
"""The line and the match that a refusal is about."""


class _Stopped(Exception):
    """Why the rest is not sent."""

    def __init__(self, why: BadRowView) -> None:
        super().__init__(why.why)
        self.why = why


class Sending:
    """Sends a plan, and says in its view what of it went in."""

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
        self._told = {match.match: match for match in view.matches}

    async def send(self, found: Plan, people: People) -> None:
        """First what an interrupted import had begun, so that the log keeps the order."""
        matches = [*(each.match for each in found.corrections), *found.new]
        try:
            await self._register(people, matches)
            for each in found.corrections:
                await self._correct(each)
                self._told[each.match.match].outcome = "corrected"
            coming = requests(self._league, found.new)
            while (request := await asyncio.to_thread(next, coming, None)) is not None:
                await self._open(request)
                for match in request.matches:
                    self._told[match.match].outcome = "imported"
        except _Stopped as stopped:
            self._view.error = stopped.why
        else:
            self._view.complete = True

    async def _register(self, people: People, matches: Sequence[PastMatch]) -> None:
        for match in matches:
            for player in match.people:
                if player in people.slugs:
                    continue
                people.slugs.add(player)
                with self._blaming(partial(_first_row, match)):
                    name = people.new.get(player, player)
                    if await self._registered(PlayerRegistration(name=name, player=player)):
                        self._view.registered.append(player)

    async def _registered(self, registration: PlayerRegistration) -> bool:
        """False where somebody else was first."""
        try:
            await self._players.register(self._caller, self._league, registration, None)
        except Refused as error:
            if error.code != "player-exists":
                raise
            return False
        return True

    async def _open(self, request: PastRequest) -> None:
        asked = await asyncio.to_thread(msgspec.json.decode, request.body, type=PastMatchesRequest)
        with self._blaming(lambda error: _in_matches(request.matches, error)):
            await self._past.bring_in(self._caller, self._league, asked, None, self._language)
        last = request.matches[-1]
        sent = len(last.events) - sum(map(len, request.rests))
        for rest in request.rests:
            await self._append(last, rest, sent, None)
            sent += len(rest)

    async def _correct(self, correction: Correction) -> None:
        """Amendments and what comes behind them; only if nobody told anything meanwhile."""
        version = correction.version
        sent = len(correction.match.events) - len(correction.told) - len(correction.amendments)
        for piece in pieces(correction.events(self._league)):
            version = await self._append(correction.match, piece, sent, version)
            sent += len(piece)

    async def _append(
        self, match: PastMatch, events: Sequence[ToldEvent], sent: int, version: int | None
    ) -> int:
        """The version after it; `version`: the one that the match must have."""
        asked = ToRecord(
            self._caller,
            self._league,
            match.match,
            events,
            None if version is None else Versions({version}),
            language=self._language,
        )
        with self._blaming(lambda error: _in_match(match, sent, error)):
            outcome = await self._recording.record(asked)
        assert outcome.version is not None
        return outcome.version

    @contextmanager
    def _blaming(self, place: Place) -> Generator[None]:
        try:
            yield
        except Refused as error:
            line, match = place(error)
            facts = error.facts or {}
            why = message(error.code, error.reason, facts, self._language, error.words)
            reason = error.reason or error.code
            view = BadRowView(line=line, column=None, match=match, reason=reason, why=why)
            raise _Stopped(view) from error


def _first_row(match: PastMatch, error: Refused) -> tuple[int, str]:
    del error
    return match.lines[0], match.match


def _in_matches(matches: Sequence[PastMatch], error: Refused) -> tuple[int, str]:
    index = error.members.get("match_index")
    return _in_match(matches[index if isinstance(index, int) else 0], 0, error)


def _in_match(match: PastMatch, sent: int, error: Refused) -> tuple[int, str]:
    """`sent`: how many of its events went before those that are refused."""
    index = error.members.get("event_index")
    event = max(0, sent + (index if isinstance(index, int) else 0))
    return match.lines[min(event, len(match.lines) - 1)], match.match
