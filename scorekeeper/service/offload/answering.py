"""Answering a question, in whatever process it is asked."""

import msgspec

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.answers import Outcome
from scorekeeper.service.integrity.auditing import Auditing
from scorekeeper.service.integrity.evidence import Evidence
from scorekeeper.service.matches.what_if_query import WhatIfQuery
from scorekeeper.service.offload.questions import (
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
from scorekeeper.service.reading.matches import Reading
from scorekeeper.service.reading.tournament_overview import tournament_overview
from scorekeeper.service.reading.tournaments import TournamentReading
from scorekeeper.service.replay.replaying import replayed
from scorekeeper.service.standings.reading import LeagueTable
from scorekeeper.service.standings.season import Seasons

_encode = msgspec.json.Encoder().encode


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
