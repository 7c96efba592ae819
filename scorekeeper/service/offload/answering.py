"""Answering a question, in whatever process it is asked."""

import msgspec

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.answers import Outcome
from scorekeeper.service.integrity.auditing import Auditing
from scorekeeper.service.integrity.evidence import Evidence
from scorekeeper.service.matches.trying import Trying
from scorekeeper.service.offload.questions import (
    Answer,
    MatchCheck,
    PlayerFigures,
    Question,
    ResultsPage,
    RoundReplay,
    TablePage,
    Trial,
)
from scorekeeper.service.reading.by_name import ByName
from scorekeeper.service.reading.matches import Reading
from scorekeeper.service.reading.tournaments import TournamentReading
from scorekeeper.service.replay.replaying import replayed
from scorekeeper.service.standings.reading import LeagueTable

_encode = msgspec.json.Encoder().encode


class Readers:
    """All that reads from one ledger what may take long."""

    def __init__(self, ledger: Ledger, evidence: Evidence) -> None:
        self.reading = Reading(ledger)
        self.by_name = ByName(self.reading)
        self.tournaments = TournamentReading(ledger, self.reading)
        self._trying = Trying(ledger, self.reading, self.tournaments)
        self._auditing = Auditing(ledger, self.reading, evidence)
        self._table = LeagueTable(ledger)

    async def answer(self, asked: Question) -> Answer:
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
                return Answer(_encode(checked), tag)
            case Trial():
                return await self._trial(asked)
            case TablePage():
                lines = await self._table.page(
                    asked.league, asked.chosen, after=asked.after, limit=asked.limit
                )
                return Answer(_encode(lines))
            case PlayerFigures():
                found = await self._table.breakdown(asked.league, asked.player, asked.chosen)
                return Answer(_encode(found))
            case ResultsPage():
                results = await self._table.results(
                    asked.league, asked.chosen, after=asked.after, limit=asked.limit
                )
                return Answer(_encode(results))

    async def _replay(self, asked: RoundReplay) -> Answer:
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
        return Answer(_encode(shown), tag)

    async def _trial(self, asked: Trial) -> Answer:
        league, match, language = asked.league, asked.match, asked.language
        async with self.by_name.refusing(league, asked.naming, language):
            would_be = await self._trying.what_if(league, match, asked.asked, language=language)
        outcome = Outcome(body=_encode(would_be), created=False)
        named = await self.by_name.answer(league, match, outcome, asked.naming, language)
        return Answer(named.body)
