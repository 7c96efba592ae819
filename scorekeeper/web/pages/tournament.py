"""`/l/{league}/t/{tournament}`: standings, schedule, matrices, and the organiser's forms.

A page stays small whatever the number of players: of many, the schedule comes in parts, and each
matrix is a page of its own. Still it takes long enough to be written on a thread.
"""

import asyncio
from typing import Any, Final

import msgspec
from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from scorekeeper.service.identity.access import Right
from scorekeeper.service.reading.tournaments import TournamentOverview, TournamentView
from scorekeeper.tournament.standings import Standing
from scorekeeper.web.addresses import OPENING
from scorekeeper.web.overview import overview_of
from scorekeeper.web.page import Live, PageRequest, page
from scorekeeper.web.pages.new_tournament import show_new_tournament
from scorekeeper.web.people import names_in
from scorekeeper.web.reader import reader_of, services_of

_MOST_IN_A_MATRIX: Final = 13
"""Players whose matrices stand on the page itself."""
_MOST_ROWS: Final = 60
"""Tables of the schedule on one page; a segment is not parted."""
_MOST_LINES: Final = 8
"""Lines of a plot that can still be told apart."""
_MOST_POINTS: Final = 40


class _Shown(msgspec.Struct, frozen=True):
    """A plot's figures: the columns, and rows, each with the number of its round."""

    columns: tuple[str, ...]
    rows: list[tuple[int, tuple[int | None, ...]]]


@get("/l/{league:str}/t/{tournament:str}")
async def show_form_or_tournament(
    request: PageRequest, league: FromPath[str], tournament: FromPath[str]
) -> Response[bytes]:
    """A route of its own for the form would hide all pages of a tournament of that name."""
    if tournament == OPENING:
        return await show_new_tournament(request, league)
    return await _tournament(request, league, tournament)


@get("/l/{league:str}/t/{tournament:str}/standings")
async def show_tournament(
    request: PageRequest, league: FromPath[str], tournament: FromPath[str]
) -> Response[bytes]:
    return await _tournament(request, league, tournament)


async def _tournament(request: PageRequest, league: str, tournament: str) -> Response[bytes]:
    caller = await reader_of(request, league)
    services = services_of(request)
    found = await overview_of(services, league, tournament)
    names = await names_in(services, league)
    view = found.view
    may_record = caller.may(Right.RECORD)
    around: dict[str, Any] = {
        "title": view.name,
        "league": league,
        "width": "wide",
        "tournament": view,
        "names": names,
        "many_look": True,
    }
    matrix = request.query_params.get("matrix")
    if matrix in ("partners", "opponents"):
        rows = _in_entry_order(found)
        return await asyncio.to_thread(
            page, request, "tournament_matrix.html", matrix=matrix, rows=rows, **around
        )
    return await asyncio.to_thread(
        page,
        request,
        "tournament.html",
        **around,
        **_part_of_the_schedule(found, request.query_params.get("from")),
        standings=found.standings,
        rows=_in_entry_order(found),
        small=len(view.players) <= _MOST_IN_A_MATRIX,
        results=found.results,
        lots=found.lots,
        figures=_figures(found),
        may_record=may_record,
        free=_free(view, names),
        live=_live(league, tournament) if may_record else None,
    )


def _live(league: str, tournament: str) -> Live:
    return Live("tournament/page.js", {"league": league, "tournament": tournament})


def _in_entry_order(found: TournamentOverview) -> list[Standing]:
    columns = {each.player: each for each in found.standings.items}
    return [columns[player] for player in found.view.players]


def _part_of_the_schedule(found: TournamentOverview, asked: str | None) -> dict[str, Any]:
    """The part that holds the segment asked for, or else the one that is played."""
    segments = found.view.segments
    most = max(1, _MOST_ROWS // max(len(each.tables) for each in segments))
    firsts = range(1, len(segments) + 1, most)
    number = int(asked) if asked is not None and asked.isdecimal() else 0
    if not 1 <= number <= len(segments):
        number = found.segment
    first = max(each for each in firsts if each <= number)
    return {
        "segments": segments[first - 1 : first - 1 + most],
        "first": first,
        "parts": [(each, min(each + most - 1, len(segments))) for each in firsts],
    }


def _figures(found: TournamentOverview) -> _Shown:
    """Everybody's totals, of many the leaders'; of many rounds the totals after each partner."""
    progress = found.progress
    everybody = len(progress.columns) <= _MOST_IN_A_MATRIX
    leaders = tuple(each.player for each in found.standings.items[:_MOST_LINES])
    columns = progress.columns if everybody else leaders
    step = found.view.rounds_per_partner if len(progress.rounds) > _MOST_POINTS else 1
    at = [progress.columns.index(player) for player in columns]
    rows = [
        (number, tuple(row[each] for each in at))
        for number, row in enumerate(progress.rounds, start=1)
        if number % step == 0
    ]
    return _Shown(columns, rows)


def _free(tournament: TournamentView, names: dict[str, str]) -> list[str]:
    """Who could sit in for somebody."""
    taken = {*tournament.players, *tournament.substitutes.values()}
    return [player for player in names if player not in taken]


ROUTES: list[HTTPRouteHandler] = [show_form_or_tournament, show_tournament]
