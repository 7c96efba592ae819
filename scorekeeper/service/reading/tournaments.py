"""Reading a tournament: its schedule and its standings, folded from the log and the tables."""

from collections.abc import Sequence

import msgspec

from scorekeeper.editions.registry import in_force
from scorekeeper.ledger.entries.entry import Entry
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.match.table.state import State, Status
from scorekeeper.projections.board import Board, board, segment_shown
from scorekeeper.service.reading.entry_view import entry_view
from scorekeeper.service.reading.matches import Reading
from scorekeeper.service.reading.tournament_views import (
    TournamentItemView,
    TournamentStatus,
    TournamentView,
)
from scorekeeper.service.refused import not_found
from scorekeeper.service.views import EntryView
from scorekeeper.store import tournaments as stored
from scorekeeper.store.rows import ViewRow
from scorekeeper.tournament.events import TournamentOpened, decode
from scorekeeper.tournament.results import Results, RoundResult, TableResult, table_result
from scorekeeper.tournament.state import Tournament, fold, initial

_rounds = msgspec.json.Decoder(tuple[RoundResult, ...])


class Found(msgspec.Struct, frozen=True):
    """A tournament, the position of its last entry, and what was played at its tables."""

    tournament: Tournament
    position: int
    results: Results


def tournament_stream(tournament: str) -> str:
    """The name of a tournament's stream in its ledger."""
    return f"tournament:{tournament}"


class TournamentReading:
    """Answers what is asked of the tournaments of a league."""

    def __init__(self, ledger: Ledger, reading: Reading) -> None:
        self._ledger = ledger
        self._reading = reading

    async def find(self, league: str, tournament: str) -> Found:
        """Raises Refused (`not-found`)."""
        entries = await self._entries(league, tournament)
        tables = await self._ledger.read(lambda c: stored.tables(c, league, tournament))
        return Found(
            fold_tournament(entries),
            entries[-1].position,
            {each.match: _result(each) for each in tables},
        )

    async def rounds(self, league: str, tournament: str) -> int:
        """How many its schedule has, whatever was played of them. Raises Refused (`not-found`)."""
        schedule = fold_tournament(await self._entries(league, tournament)).schedule
        return sum(len(table.rounds) for each in schedule.segments for table in each.tables)

    async def _entries(self, league: str, tournament: str) -> Sequence[Entry]:
        entries = await self._ledger.stream(league, tournament_stream(tournament))
        if not entries:
            raise not_found("tournament")
        return entries

    async def view(self, league: str, tournament: str) -> TournamentView:
        found = await self.find(league, tournament)
        return tournament_view(found.tournament, found.results, position=found.position)

    async def board(self, league: str, tournament: str) -> Board:
        """Who plays where now, and how it stands there."""
        found = await self.find(league, tournament)
        shown = segment_shown(found.tournament, found.results)
        matches = [table.match for table in shown.tables]
        standing = await self._reading.latest_of(league, matches)
        states = {match: each.state for match, each in standing.items()}
        return board(found.tournament, found.results, states)

    async def log(
        self, league: str, tournament: str, after: int, limit: int
    ) -> tuple[list[EntryView], bool]:
        """The same of its own stream as `Reading.log` of a match."""
        await self.find(league, tournament)
        stream = tournament_stream(tournament)
        entries, more = await self._ledger.stream_part(league, stream, after=after, limit=limit)
        return [entry_view(entry) for entry in entries], more

    async def list(
        self, league: str, *, before: int | None, limit: int
    ) -> list[TournamentItemView]:
        """The latest opened first, from below the position `before`. Raises Refused."""
        found = await self._ledger.read(
            lambda c: stored.page(c, league, before=before, limit=limit)
        )
        if not found and await self._ledger.head(league) is None:
            raise not_found("league")
        return [
            TournamentItemView(
                tournament=each.tournament,
                name=each.name,
                edition=each.edition,
                status=_status(closed=each.closed, playing=each.playing),
                players=each.players,
                opened_at=each.opened_at,
                position=each.opened,
            )
            for each in found
        ]


def fold_tournament(entries: Sequence[Entry]) -> Tournament:
    """The tournament after all entries of its stream, of which there is at least one.

    Whatever was erased is passed over.
    """
    opened, *events = (decode(entry.body) for entry in entries if entry.body is not None)
    assert isinstance(opened, TournamentOpened)
    return fold(initial(opened), (e for e in events if not isinstance(e, TournamentOpened)))


def table_row(league: str, match: str, state: State) -> ViewRow:
    """What the table of a tournament's match shows after an append."""
    tournament = state.opened.tournament
    assert tournament is not None
    result = table_result(state)
    return stored.table_changed(
        league=league,
        tournament=tournament,
        match=match,
        status=result.status,
        rounds=msgspec.json.encode(result.rounds).decode(),
    )


def tournament_view(tournament: Tournament, results: Results, *, position: int) -> TournamentView:
    """The tournament in the contract's words."""
    opened = tournament.opened
    edition = in_force(
        opened.edition, opened.revision, opened.house_rules, opened.house_rules_revision
    )
    playing = any(result.status == "open" for result in results.values())
    return TournamentView(
        tournament=opened.tournament,
        name=opened.name,
        edition=edition.id,
        revision=edition.revision,
        status=_status(closed=tournament.closed, playing=playing),
        version=tournament.version,
        position=position,
        players=opened.players,
        rounds_per_partner=opened.rounds_per_partner,
        cycles=opened.cycles,
        scoring=opened.scoring,
        options=opened.options,
        house_rules=edition.house.chosen,
        house_rules_revision=opened.house_rules_revision,
        substitutes=tournament.substitutes,
        withdrawn=tournament.withdrawn,
        segments=tournament.schedule.segments,
    )


def _status(*, closed: bool, playing: bool) -> TournamentStatus:
    if closed:
        return "closed"
    return "open" if playing else "complete"


def _result(table: stored.StoredTable) -> TableResult:
    status = msgspec.convert(table.status, Status)
    return TableResult(status, _rounds.decode(table.rounds))
