"""Reading a tournament: its schedule and its standings, folded from the log and the tables.

The structs are requests and answers about tournaments, as the OpenAPI document describes them. The
overview has all that follows from what was played at the tables.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from scorekeeper.editions.house_rules.registry import HouseRulesAsked, variants_sent
from scorekeeper.editions.registry import edition_in_force
from scorekeeper.ledger.entry import Entry
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.match.events.fields import in_utc
from scorekeeper.match.events.opening import HouseRulesTold, Options, Scoring
from scorekeeper.match.state import State, Status
from scorekeeper.projections.board import Board, board, segment_shown
from scorekeeper.projections.scoreboard import Progress, tournament_progress
from scorekeeper.service.lists import found_in_league
from scorekeeper.service.reading.entry_presenter import entry_view
from scorekeeper.service.reading.matches import Reading
from scorekeeper.service.refused import not_found
from scorekeeper.service.views import EntryView, SlugText
from scorekeeper.store import tournaments as stored
from scorekeeper.store.tables import ViewRow
from scorekeeper.tournament.events import (
    TournamentEvent,
    TournamentOpened,
    TournamentOpening,
    decode,
)
from scorekeeper.tournament.schedule import ScheduledSegment, table_in
from scorekeeper.tournament.standings import (
    Results,
    RoundResult,
    Standing,
    Standings,
    TableResult,
    standings,
    table_result,
)
from scorekeeper.tournament.tournament import Tournament, fold, initial

MOST_EVENTS = 100

_TOURNAMENT = "tournament:"

TournamentStatus = Literal["open", "complete", "closed"]

_rounds = msgspec.json.Decoder(tuple[RoundResult, ...])


class TournamentRequest(
    TournamentOpening, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A tournament to be opened; if no slug is given, the server makes one from the name."""

    house_rules: HouseRulesAsked | None = None
    tournament: SlugText | None = None

    def normalised(self) -> "TournamentRequest":
        """Return the form that is equal for all requests that mean the same."""
        return msgspec.structs.replace(self, at=in_utc(self.at))

    def opening(self) -> TournamentOpening:
        """Return the opening without what only the request has."""
        names = TournamentOpening.__struct_fields__
        fields = {name: getattr(self, name) for name in names}
        if self.house_rules is not None:
            fields["house_rules"] = variants_sent(self.house_rules)
        return TournamentOpening(**fields)


class TournamentAppendRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Events of a tournament, all or nothing; each carries an `id`, or none does."""

    events: Annotated[tuple[TournamentEvent, ...], Meta(min_length=1, max_length=MOST_EVENTS)]


class TournamentView(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament with its schedule, which says who plays with whom. Results are in the matches.

    `house_rules`: those that depart from the booklet; `house_rules_revision`: null if the opening
    sent none. `players` in the order of entry. `substitutes`: by player, who sits in. `status`:
    `complete` once no table has a round left, `closed` once somebody closed the tournament.
    """

    tournament: str
    name: str
    edition: str
    revision: int
    status: TournamentStatus
    version: int
    position: int
    players: tuple[str, ...]
    rounds_per_partner: int
    cycles: int
    scoring: Scoring | None
    options: Options | None
    house_rules: HouseRulesTold
    house_rules_revision: int | None
    substitutes: Mapping[str, str]
    withdrawn: tuple[str, ...]
    segments: tuple[ScheduledSegment, ...]


class TournamentItemView(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament as the list shows it; `position` is that of its opening."""

    tournament: str
    name: str
    edition: str
    status: TournamentStatus
    players: list[str]
    opened_at: str
    position: int


class TournamentAppendView(msgspec.Struct, frozen=True, kw_only=True):
    """What an append wrote into the tournament's own stream, and the tournament after it.

    `matches`: those in which entries were recorded along with it.
    """

    tournament: str
    version: int
    position: int
    entries: list[EntryView]
    matches: list[str]
    state: TournamentView


class TournamentStandingsView(msgspec.Struct, frozen=True, kw_only=True):
    """The standings, best first.

    `complete`: no table has a round left to play; only then there are champions. `tied`: groups of
    players who share a rank at the end, for whom lots may be drawn.
    """

    items: tuple[Standing, ...]
    complete: bool
    champions: tuple[str, ...]
    tied: tuple[tuple[str, ...], ...]
    next: str | None = None


class PlayedTournament(msgspec.Struct, frozen=True):
    """A tournament, the position of its last entry, and what was played at its tables."""

    tournament: Tournament
    position: int
    results: Results


def tournament_stream(tournament: str) -> str:
    """Return the name of a tournament's stream in its ledger."""
    return f"{_TOURNAMENT}{tournament}"


def tournament_of(stream: str) -> str | None:
    """Return the tournament whose stream this is; None for a stream of something else."""
    return stream[len(_TOURNAMENT) :] if stream.startswith(_TOURNAMENT) else None


class TournamentReading:
    """Answers what is asked of the tournaments of a league."""

    def __init__(self, ledger: Ledger, reading: Reading) -> None:
        self._ledger = ledger
        self._reading = reading

    async def find(self, league: str, tournament: str) -> PlayedTournament:
        """Return a tournament and its tables' stored results. Raises Refused (`not-found`)."""
        entries = await self._entries(league, tournament)
        tables = await self._ledger.read(lambda c: stored.tables(c, league, tournament))
        return PlayedTournament(
            fold_tournament(entries),
            entries[-1].position,
            {each.match: _result(each) for each in tables},
        )

    async def round_count(self, league: str, tournament: str) -> int:
        """Return how many rounds the schedule has, played or not. Raises Refused (`not-found`)."""
        schedule = fold_tournament(await self._entries(league, tournament)).schedule
        return sum(len(table.rounds) for table in schedule.tables)

    async def _entries(self, league: str, tournament: str) -> Sequence[Entry]:
        entries = await self._ledger.stream(league, tournament_stream(tournament))
        if not entries:
            raise not_found("tournament")
        return entries

    async def view(self, league: str, tournament: str) -> TournamentView:
        found = await self.find(league, tournament)
        return tournament_view(found.tournament, found.results, position=found.position)

    async def board(self, league: str, tournament: str) -> Board:
        """Return who plays where now, and the scores there."""
        found = await self.find(league, tournament)
        shown = segment_shown(found.tournament, found.results)
        matches = [table.match for table in shown.tables]
        standing = await self._reading.latest_of(league, matches)
        states = {match: each.state for match, each in standing.items()}
        return board(found.tournament, found.results, states)

    async def goes_on_after(self, league: str, tournament: str, match: str) -> bool:
        """Return whether rounds are left to play in a later segment than that of this match."""
        place = table_in(match)
        left = await self._ledger.read(lambda c: stored.open_tables(c, league, tournament))
        later = (told for each in left if (told := table_in(each)) is not None)
        return place is not None and any(segment > place[1] for _, segment, _ in later)

    async def log(
        self, league: str, tournament: str, after: int, limit: int
    ) -> tuple[list[EntryView], bool]:
        """Return a part of the tournament's own stream, as `Reading.log` does of a match's."""
        await self._entries(league, tournament)
        stream = tournament_stream(tournament)
        entries, more = await self._ledger.stream_part(league, stream, after=after, limit=limit)
        return [entry_view(entry) for entry in entries], more

    async def list(
        self, league: str, *, before: int | None, limit: int
    ) -> list[TournamentItemView]:
        """Return tournaments opened before the position `before`, the latest opened first.

        Raises Refused (`not-found`) if there is no such league.
        """
        found = await self._ledger.read(
            lambda c: stored.page(c, league, before=before, limit=limit)
        )
        found = await found_in_league(self._ledger, league, found)
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
    """Return the tournament after all entries of its stream, of which there is at least one.

    Entries without content are skipped.
    """
    opened, *events = (decode(entry.body) for entry in entries if entry.body is not None)
    assert isinstance(opened, TournamentOpened)
    return fold(initial(opened), (e for e in events if not isinstance(e, TournamentOpened)))


def table_row(league: str, match: str, state: State) -> ViewRow:
    """Return the row to be written for the table of a tournament's match after an append."""
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
    """Present a tournament. `position`: that of its last entry."""
    opened = tournament.opened
    edition = edition_in_force(
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


class TournamentOverview(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament as it is now.

    `segment`: the number of the one that a board shows. `lots`: those that decide a rank, each in
    the order in which it was drawn; lots without effect are left out. `reasons`: why players
    withdrew, `closing_reason`: why it was closed, as far as anybody told.
    """

    view: TournamentView
    results: Results
    standings: Standings
    progress: Progress
    segment: int
    lots: tuple[tuple[str, ...], ...]
    reasons: Mapping[str, str]
    closing_reason: str | None


def tournament_overview(found: PlayedTournament) -> TournamentOverview:
    """Return the overview of a tournament. This takes some 10 ms for each thousand rounds."""
    tournament, results = found.tournament, found.results
    return TournamentOverview(
        view=tournament_view(tournament, results, position=found.position),
        results=results,
        standings=standings(tournament, results),
        progress=tournament_progress(tournament, results),
        segment=segment_shown(tournament, results).segment,
        lots=_lots(found),
        reasons=tournament.reasons,
        closing_reason=tournament.closing_reason,
    )


def _lots(found: PlayedTournament) -> tuple[tuple[str, ...], ...]:
    tournament = found.tournament
    if not tournament.drawn:
        return ()
    without = standings(replace(tournament, drawn=()), found.results)
    orders = map(tournament.order_drawn, without.tied)
    return tuple(order for order in orders if order is not None)
