"""`/l/{league}/t/{tournament}/hall`, `…/print`: a tournament in its hall, on the wall and on paper.

The paper is for a hall without a network. What was written on the sheets is typed in afterwards by
the pad of each table's match.
"""

import asyncio
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, pairwise
from typing import Any

import msgspec
from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from scorekeeper.projections.board import Board
from scorekeeper.service.identity.access import Right
from scorekeeper.service.reading.tournaments import TournamentOverview
from scorekeeper.tournament.schedule import ScheduledSegment, table_slug
from scorekeeper.tournament.standings import Standing, Standings
from scorekeeper.web.page import Live, PageRequest, address_of, number_in, page, services_of
from scorekeeper.web.people import sitting
from scorekeeper.web.pictures import qr_code
from scorekeeper.web.tournament_on_page import abandoned_for, tournament_on_page

_LEADERS = 5
# Drawing a code takes longer than the rest of the page. A code that lets somebody in is never kept
# in this way.
_picture_of = lru_cache(maxsize=256)(qr_code)


@get("/l/{league:str}/t/{tournament:str}/print")
async def show_sheets(
    request: PageRequest, league: FromPath[str], tournament: FromPath[str]
) -> Response[bytes]:
    shown = await tournament_on_page(request, league, tournament)
    found = shown.overview
    view = found.view
    # Writing a sheet for each of some hundred tables takes longer than the event loop can wait.
    return await asyncio.to_thread(
        page,
        request,
        "tournaments/sheets.html",
        title=view.name,
        league=league,
        width="wide",
        tournament=tournament,
        names=shown.names,
        many_look=True,
        segments=view.segments,
        standings=found.standings,
        lots=found.lots,
        withdrawn=view.withdrawn,
        abandoned_for=abandoned_for(found),
        results=found.results,
        substitutes=view.substitutes,
        resting={each.segment: _resting(each, found) for each in view.segments},
        **_printed(view.segments, number_in(request, "segment")),
    )


def _resting(segment: ScheduledSegment, found: TournamentOverview) -> list[str]:
    """Return who rests in a segment: substitutes, too, and nobody who has withdrawn.

    Once no table of the segment is open, return the players who were to rest by the schedule.
    """
    if all(found.results[table.match].status != "open" for table in segment.tables):
        return list(segment.byes)
    staying = [player for player in segment.byes if player not in found.view.withdrawn]
    return sitting(staying, found.view.substitutes)


def _printed(segments: tuple[ScheduledSegment, ...], asked: int | None) -> dict[str, Any]:
    """Return the segment asked for, or everything: all segments, the schedule and the standings."""
    if asked is not None and 1 <= asked <= len(segments):
        return {"printed": segments[asked - 1 : asked], "segment": asked}
    return {"printed": segments, "segment": None}


@get("/l/{league:str}/t/{tournament:str}/hall")
async def show_hall(
    request: PageRequest, league: FromPath[str], tournament: FromPath[str]
) -> Response[bytes]:
    shown = await tournament_on_page(request, league, tournament)
    view, standings, names = shown.overview.view, shown.overview.standings, shown.names
    board = await services_of(request).tournaments.board(league, tournament)
    may_record = shown.reader.may(Right.RECORD)
    given = {
        "league": league,
        "tournament": tournament,
        # Anybody in the league may sit in later, so the others follow the players.
        "names": {player: names[player] for player in view.players} | names,
        "players": view.players,
        "board": msgspec.to_builtins(board),
        "standings": _leaders(standings),
        "leaders": _LEADERS,
        "mayRecord": may_record,
    }
    return page(
        request,
        "tournaments/hall.html",
        title=view.name,
        league=league,
        tournament=tournament,
        board=board,
        standings=standings,
        leaders=standings.items[:_LEADERS],
        wins_decide=_wins_decide(standings.items[:_LEADERS]),
        may_record=may_record,
        names=names,
        resting=sitting(board.byes, board.substitutes),
        pads=_next_pads(tournament, board) if may_record else {},
        resting_next=sitting(board.next.byes if board.next else (), board.substitutes),
        qr=_picture_of(f"{address_of(request)}/l/{league}/t/{tournament}/hall"),
        live=Live("hall/page.js", given),
        many_look=True,
    )


def _next_pads(tournament: str, board: Board) -> dict[int, str]:
    """Return the matches of the next tables at which nobody is still playing, by table."""
    if board.next is None:
        return {}
    playing = {player for each in board.tables if each.status == "open" for player in each.seats}
    return {
        each.table: table_slug(tournament, board.next.segment, each.table)
        for each in board.next.tables
        if playing.isdisjoint(chain(*each.teams))
    }


def _wins_decide(leaders: Sequence[Standing]) -> bool:
    """Return whether some stand behind others with the same total for each round."""
    return any(
        one.rank < other.rank and one.total * other.rounds == other.total * one.rounds
        for one, other in pairwise(each for each in leaders if each.rounds)
    )


def _leaders(standings: Standings) -> dict[str, Any]:
    """Return the leaders of the standings in the form of the API, with what the page shows."""
    return {
        "items": [
            {
                "player": each.player,
                "rank": each.rank,
                "total": each.total,
                "rounds": each.rounds,
            }
            for each in standings.items[:_LEADERS]
        ],
        "complete": standings.complete,
        "champions": standings.champions,
    }


ROUTES: list[HTTPRouteHandler] = [
    show_sheets,
    show_hall,
]
