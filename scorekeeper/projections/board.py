"""A tournament as it hangs on the wall: who sits where now, how it stands there, who is next."""

from collections.abc import Mapping

from msgspec import Struct

from scorekeeper.match.state import Round, State, Status
from scorekeeper.tournament.schedule import ScheduledSegment, ScheduledTable, Team
from scorekeeper.tournament.standings import Results
from scorekeeper.tournament.tournament import Tournament


class BoardTable(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table of the segment that is played; `rounds`: how many are played at it.

    `round`: the running one, between rounds the next; of a table that is over the last one that
    counted, 0 if none did. `seats`, clockwise, and `dealer` are those of that round. `scores`: the
    totals at this table. `substitutes`: who sits in for whom, absent where nobody does.
    """

    table: int
    match: str
    seats: tuple[str, ...]
    dealer: str | None
    round: int
    rounds: int
    scores: Mapping[str, int]
    status: Status
    substitutes: Mapping[str, str] = {}


class NextTable(Struct, frozen=True, kw_only=True):
    """A table that is to be played, and its two teams."""

    table: int
    teams: tuple[Team, ...]


class NextSegment(Struct, frozen=True, kw_only=True):
    """What comes then: the tables that are to be played, and who rests, in the order of entry."""

    segment: int
    tables: tuple[NextTable, ...]
    byes: tuple[str, ...]


class Board(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The earliest segment with a table that is not over, else the last of `segments`.

    `byes`: who rests in it, in the order of entry. `next`: the earliest later segment in which
    something is to be played, null where there is none. Whoever has withdrawn is in neither.
    `substitutes`: who sits in for whom at the tables to come, absent where nobody does.
    """

    segment: int
    segments: int
    tables: tuple[BoardTable, ...]
    byes: tuple[str, ...]
    next: NextSegment | None
    substitutes: Mapping[str, str] = {}


def segment_shown(tournament: Tournament, results: Results) -> ScheduledSegment:
    """The one that a board is about."""
    segments = tournament.schedule.segments
    return next((each for each in segments if _to_play(each, results)), segments[-1])


def board(tournament: Tournament, results: Results, states: Mapping[str, State]) -> Board:
    """`states`: by match, those at the tables of the segment that is shown."""
    shown = segment_shown(tournament, results)
    return Board(
        segment=shown.segment,
        segments=len(tournament.schedule.segments),
        tables=tuple(_table(table, states[table.match]) for table in shown.tables),
        byes=tuple(player for player in shown.byes if player not in tournament.withdrawn),
        next=_next(tournament, results, shown),
        substitutes=tournament.substitutes,
    )


def _to_play(segment: ScheduledSegment, results: Results) -> tuple[ScheduledTable, ...]:
    return tuple(
        table
        for table in segment.tables
        if table.match not in results or results[table.match].status == "open"
    )


def _table(table: ScheduledTable, state: State) -> BoardTable:
    going_on = state.status == "open"
    at = state if going_on else _last_counted(state) or state
    return BoardTable(
        table=table.table,
        match=table.match,
        seats=at.seating,
        dealer=at.dealer,
        round=state.rounds_counted + going_on,
        rounds=len(table.rounds),
        scores=state.totals.copy(),
        status=state.status,
        substitutes=at.substitutes.copy(),
    )


def _last_counted(state: State) -> Round | None:
    return next((dealt for dealt in state.latest_first() if dealt.counted), None)


def _next(tournament: Tournament, results: Results, shown: ScheduledSegment) -> NextSegment | None:
    for segment in tournament.schedule.segments[shown.segment :]:
        tables = _to_play(segment, results)
        if tables:
            # Where somebody withdrew, all others of that table have nothing to do.
            playing = {player for table in tables for team in table.teams for player in team}
            return NextSegment(
                segment=segment.segment,
                tables=tuple(NextTable(table=each.table, teams=each.teams) for each in tables),
                byes=tuple(
                    player
                    for player in tournament.players
                    if player not in playing and player not in tournament.withdrawn
                ),
            )
    return None
