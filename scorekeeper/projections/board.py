"""A tournament for a screen on the wall: who sits where now, the scores there, and who is next."""

from collections.abc import Mapping

from msgspec import Struct

from scorekeeper.match.state import Round, State, Status
from scorekeeper.tournament.schedule import ScheduledSegment, ScheduledTable, Team
from scorekeeper.tournament.standings import Results
from scorekeeper.tournament.tournament import Tournament


class BoardTable(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table of the segment shown. `rounds`: how many rounds are played at it.

    `round`: the number of the running round, between rounds that of the next. If the table is over,
    it is the last round that counted, 0 if none did. `seats`, clockwise, and `dealer` are those of
    that round. `scores`: the totals at this table. `substitutes`: who sits in, by the player whose
    seat it is; absent if nobody does. If what is stored of the match is damaged, `seats` are those
    of the schedule's first round, `round` is 0, `dealer` null, and `scores` are empty.
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
    """A later segment: the tables that are to be played, and who rests, in the order of entry."""

    segment: int
    tables: tuple[NextTable, ...]
    byes: tuple[str, ...]


class Board(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The earliest segment with a table that is not over, otherwise the last one that was played.

    If nothing was played, it is the last of `segments`. `byes`: the players who rest in it, in the
    order of entry. `next`: the earliest later segment with a table to be played, null if there is
    none. Players who have withdrawn are in neither. `substitutes`: who will sit in at the tables to
    come, by the player whose seat it is; absent if nobody does.
    """

    segment: int
    segments: int
    tables: tuple[BoardTable, ...]
    byes: tuple[str, ...]
    next: NextSegment | None
    substitutes: Mapping[str, str] = {}


def segment_shown(tournament: Tournament, results: Results) -> ScheduledSegment:
    """Return the segment that a board shows."""
    segments = tournament.schedule.segments
    for segment in segments:
        if _to_play(segment, results):
            return segment
    # A tournament that was closed early has later segments in which nobody sat.
    played = (each for each in reversed(segments) if _was_played(each, results))
    return next(played, segments[-1])


def _was_played(segment: ScheduledSegment, results: Results) -> bool:
    return any(results[table.match].rounds for table in segment.tables)


def board(tournament: Tournament, results: Results, states: Mapping[str, State]) -> Board:
    """Return the board of a tournament. `states` has those of the shown segment, by match.

    A match without one is shown as planned.
    """
    shown = segment_shown(tournament, results)
    return Board(
        segment=shown.segment,
        segments=len(tournament.schedule.segments),
        tables=tuple(_table(table, results, states.get(table.match)) for table in shown.tables),
        byes=tuple(player for player in shown.byes if player not in tournament.withdrawn),
        next=_next(tournament, results, shown),
        substitutes=tournament.substitutes,
    )


def _to_play(segment: ScheduledSegment, results: Results) -> tuple[ScheduledTable, ...]:
    return tuple(each for each in segment.tables if results[each.match].status == "open")


def _table(table: ScheduledTable, results: Results, state: State | None) -> BoardTable:
    if state is None:
        return BoardTable(
            table=table.table,
            match=table.match,
            seats=table.rounds[0].players,
            dealer=None,
            round=0,
            rounds=len(table.rounds),
            scores={},
            status=results[table.match].status,
        )
    going_on = state.status == "open"
    at = state if going_on else _last_counted(state) or state
    return BoardTable(
        table=table.table,
        match=table.match,
        seats=at.seating,
        dealer=at.dealer,
        round=state.rounds_counted + going_on,
        rounds=len(table.rounds),
        scores=state.totals,
        status=state.status,
        substitutes=at.substitutes,
    )


def _last_counted(state: State) -> Round | None:
    return next((dealt for dealt in state.latest_first() if dealt.counted), None)


def _next(tournament: Tournament, results: Results, shown: ScheduledSegment) -> NextSegment | None:
    for segment in tournament.schedule.segments[shown.segment :]:
        tables = _to_play(segment, results)
        if tables:
            # If somebody has withdrawn from a table, its other players rest, too.
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
