"""Asking what an amendment would change."""

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.match.table.state import State
from scorekeeper.service import league_events
from scorekeeper.service.league_events import STREAM, Roster, roster
from scorekeeper.service.matches.deciding import recorded_or_refused
from scorekeeper.service.matches.what_if import WhatIfContext, WhatIfView, people_of, what_if
from scorekeeper.service.reading.match_request import WhatIf
from scorekeeper.service.reading.matches import Reading
from scorekeeper.service.reading.substitutes import substitutes
from scorekeeper.service.reading.tournaments import TournamentReading
from scorekeeper.service.standings.hypothetical_table import beside
from scorekeeper.texts.language import Language


class WhatIfQuery:
    """What an amendment would come to; nothing is written, and nobody who writes waits for it."""

    def __init__(self, ledger: Ledger, reading: Reading, tournaments: TournamentReading) -> None:
        self._ledger = ledger
        self._reading = reading
        self._tournaments = tournaments

    async def what_if(
        self, league: str, match: str, asked: WhatIf, *, language: Language
    ) -> WhatIfView:
        """All numbers as they would be once `asked` was recorded, which it is not.

        Other matches count as they stand when it is asked. Raises Refused as recording does.
        """
        amendment = asked.amendment()
        before = (await self._reading.folded(league, match)).state
        known = await self._roster(league) if substitutes(amendment) else None
        recorded = recorded_or_refused(before, [amendment], known, language)
        around = await self._around(league, match, before, recorded.state)
        head = await self._ledger.head(league)
        assert head is not None
        return what_if(match, before, recorded, around, position=head.size + 1, language=language)

    async def _roster(self, league: str) -> Roster:
        entries = await self._ledger.stream(league, STREAM)
        return roster(Roster(), (league_events.decode(each.body) for each in entries if each.body))

    async def _around(self, league: str, match: str, before: State, after: State) -> WhatIfContext:
        people = people_of(before, after)
        tournament = before.opened.tournament
        return WhatIfContext(
            await self._ledger.read(lambda c: beside(c, league, match, people)),
            None if tournament is None else await self._tournaments.find(league, tournament),
        )
