"""Answers questions from one ledger, in the service's own process or in a worker process."""

import msgspec

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.command import Outcome
from scorekeeper.service.integrity.auditing import Auditing
from scorekeeper.service.integrity.evidence import Evidence
from scorekeeper.service.matches.amendments import WhatIfQuery
from scorekeeper.service.questions import (
    MatchCheck,
    PlayerFigures,
    Question,
    QuestionAnswer,
    ResultsPage,
    SeasonFigures,
    TablePage,
    TournamentFigures,
    WhatIfQuestion,
)
from scorekeeper.service.reading.display_names import DisplayNames
from scorekeeper.service.reading.matches import Reading, match_stream
from scorekeeper.service.reading.replays import RoundReplay, replayed
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


class Readers:
    """Everything that reads one ledger and may take long."""

    def __init__(self, ledger: Ledger, evidence: Evidence) -> None:
        self._ledger = ledger
        self.reading = Reading(ledger)
        self.by_name = DisplayNames(self.reading)
        self.tournaments = TournamentReading(ledger, self.reading)
        self._what_ifs = WhatIfQuery(ledger, self.reading, self.tournaments)
        self._trees = evidence.trees
        self._auditing = Auditing(ledger, self.reading, evidence)
        self._table = LeagueTable(ledger)
        self._seasons = Seasons(ledger, self.reading, self._table)

    async def answer(self, asked: Question) -> QuestionAnswer:
        """Answer a question. Raises Refused, and LedgerUnavailable."""
        match asked:
            case RoundReplay():
                tag, shown = await replayed(self.reading, asked)
                return QuestionAnswer(_encode(shown), tag)
            case MatchCheck():
                audit_tag, checked = await self._auditing.match(asked)
                return QuestionAnswer(_encode(checked), audit_tag)
            case WhatIfQuestion():
                return await self._what_if(asked)
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

    async def is_short(self, asked: Question) -> bool:
        """Return whether the answer takes no more than some milliseconds."""
        match asked:
            case RoundReplay() | MatchCheck() | WhatIfQuestion():
                stream = match_stream(asked.match)
                return await self._ledger.version(asked.league, stream) <= SHORT_MATCH
            case TablePage() if asked.chosen.takes_all:
                return True  # a page of a stored view
            case TablePage() | PlayerFigures() | ResultsPage():
                head = await self._ledger.head(asked.league)
                return head is None or head.size <= SMALL_LEAGUE
            case SeasonFigures():
                head = await self._ledger.head(asked.league)
                return head is None or head.size <= SHORT_MATCH  # its matches are folded
            case TournamentFigures():
                rounds = await self.tournaments.round_count(asked.league, asked.tournament)
                return rounds <= SHORT_TOURNAMENT

    async def prepare(self, asked: Question) -> None:
        """Store what a worker process, which only reads, would have to compute for the answer."""
        if isinstance(asked, MatchCheck):
            await self._trees.store(asked.league)

    async def _what_if(self, asked: WhatIfQuestion) -> QuestionAnswer:
        league, match, language = asked.league, asked.match, asked.language
        async with self.by_name.refusing(league, asked.naming, language):
            would_be = await self._what_ifs.what_if(
                league, match, asked.amendment, language=language
            )
        outcome = Outcome(body=_encode(would_be), created=False)
        named = await self.by_name.answer(league, match, outcome, asked.naming, language)
        return QuestionAnswer(named.body)
