"""The matches at a tournament's tables, while something is recorded of the tournament."""

from collections.abc import Mapping, Sequence

from scorekeeper.ledger.entries.draft import Draft
from scorekeeper.ledger.writing.append import RowWrite, Seen
from scorekeeper.match.events.events import TableEvent
from scorekeeper.match.table.state import State
from scorekeeper.service.league_events import STREAM, Roster
from scorekeeper.service.matches.deciding import drafts, recorded_or_refused
from scorekeeper.service.matches.list_rows import changed_views
from scorekeeper.service.reading.matches import match_stream
from scorekeeper.service.refused import Refused
from scorekeeper.service.stream_fold import fold_entries, tail_roster, tail_state
from scorekeeper.texts.language import Language
from scorekeeper.tournament.decide import at_the_tables
from scorekeeper.tournament.events import TournamentEvent
from scorekeeper.tournament.results import table_result
from scorekeeper.tournament.state import Tournament, evolve


class Tables:
    """The matches at the tables, as they were found and as an append leaves them.

    `before`: as they were below that position of the ledger, by default as they are.
    """

    def __init__(
        self,
        seen: Seen,
        league: str,
        matches: Sequence[str],
        language: Language,
        *,
        before: int | None = None,
    ) -> None:
        self.roster: Roster = tail_roster(seen.tails[STREAM])
        self.rows: list[RowWrite] = []
        self.touched: list[str] = []
        self._league = league
        self._language: Language = language
        self._states = {match: _state(seen, match_stream(match), before) for match in matches}
        self.results = {match: table_result(state) for match, state in self._states.items()}

    @property
    def carried(self) -> Mapping[str, State]:
        return {match_stream(match): state for match, state in self._states.items()}

    def follow(
        self, tournament: Tournament, event: TournamentEvent, index: int, *, after: int
    ) -> tuple[Tournament, Sequence[Draft]]:
        """The tournament after an event of a request, and what is recorded at the tables for it.

        `after`: how many entries the append has before those. Raises Refused, which names the match
        and the event `index`.
        """
        written: list[Draft] = []
        for match, consequence in at_the_tables(tournament, event, self.results):
            written += self._record(match, consequence, index, after=after + len(written))
        return evolve(tournament, event), written

    def _record(self, match: str, event: TableEvent, index: int, *, after: int) -> Sequence[Draft]:
        before = self._states[match]
        try:
            recorded = recorded_or_refused(before, [event], self.roster, self._language)
        except Refused as refused:
            facts = {**(refused.facts or {}), "match": match}
            raise refused.telling(facts, event_index=index) from refused
        self._states[match] = recorded.state
        self.results[match] = table_result(recorded.state)
        # Nothing is won by a substitution or an abandonment.
        self.rows += changed_views(self._league, match, before, recorded.state, won_at=None)
        if match not in self.touched:
            self.touched.append(match)
        return drafts(match_stream(match), recorded, after=after)


def _state(seen: Seen, stream: str, before: int | None) -> State:
    if before is None:
        return tail_state(seen.tails[stream])
    entries = [entry for entry in seen.whole(stream) if entry.position < before]
    state = fold_entries(None, entries)
    assert state is not None
    return state
