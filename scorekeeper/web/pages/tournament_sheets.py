"""`/l/{league}/t/{tournament}/print`: a tournament on paper, for a hall without a network.

What was written on the sheets is typed in afterwards by the pad of each table's match.
"""

import asyncio
from typing import Any

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from scorekeeper.tournament.schedule import ScheduledSegment
from scorekeeper.web.overview import overview_of
from scorekeeper.web.page import PageRequest, page
from scorekeeper.web.people import names_in
from scorekeeper.web.reader import reader_of, services_of


@get("/l/{league:str}/t/{tournament:str}/print")
async def show_sheets(
    request: PageRequest, league: FromPath[str], tournament: FromPath[str]
) -> Response[bytes]:
    await reader_of(request, league)
    services = services_of(request)
    found = await overview_of(services, league, tournament)
    names = await names_in(services, league)
    view = found.view
    # A sheet for each of some hundred tables is written for longer than the loop can wait.
    return await asyncio.to_thread(
        page,
        request,
        "tournament_sheets.html",
        title=view.name,
        league=league,
        width="wide",
        tournament=tournament,
        names=names,
        many_look=True,
        segments=view.segments,
        standings=found.standings,
        results=found.results,
        substitutes=view.substitutes,
        **_printed(view.segments, request.query_params.get("segment")),
    )


def _printed(segments: tuple[ScheduledSegment, ...], asked: str | None) -> dict[str, Any]:
    """The segment asked for, or everything: all segments, the schedule and the standings."""
    number = int(asked) if asked is not None and asked.isdecimal() else 0
    if 1 <= number <= len(segments):
        return {"printed": segments[number - 1 : number], "segment": number}
    return {"printed": segments, "segment": None}


ROUTES: list[HTTPRouteHandler] = [show_sheets]
