"""`/l/{league}/t/{tournament}/print`: a tournament on paper, for a hall without a network.

What was written on the sheets is typed in afterwards by the pad of each table's match.
"""

from functools import partial
from typing import Any

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from scorekeeper.tournament.schedule import ScheduledSegment
from scorekeeper.tournament.standings import standings
from scorekeeper.tournament.state import Tournament
from scorekeeper.web.page import PageRequest, language_of, page
from scorekeeper.web.people import called, listed, names_in
from scorekeeper.web.reader import reader_of, services_of


@get("/l/{league:str}/t/{tournament:str}/print")
async def show_sheets(
    request: PageRequest, league: FromPath[str], tournament: FromPath[str]
) -> Response[bytes]:
    await reader_of(request, league)
    services = services_of(request)
    found = await services.tournaments.find(league, tournament)
    names = await names_in(services, league)
    folded = found.tournament
    segments = folded.schedule.segments
    return page(
        request,
        "tournament_sheets.html",
        title=folded.opened.name,
        league=league,
        width="wide",
        tournament=tournament,
        name=partial(called, names=names),
        listed=partial(listed, names=names, language=language_of(request)),
        segments=segments,
        standings=standings(folded, found.results),
        results=found.results,
        substitutes=folded.substitutes,
        **_printed(folded, request.query_params.get("segment")),
    )


def _printed(tournament: Tournament, asked: str | None) -> dict[str, Any]:
    """The segment asked for, or everything: all segments, the schedule and the standings."""
    segments: tuple[ScheduledSegment, ...] = tournament.schedule.segments
    number = int(asked) if asked is not None and asked.isdecimal() else 0
    if 1 <= number <= len(segments):
        return {"printed": segments[number - 1 : number], "segment": number}
    return {"printed": segments, "segment": None}


ROUTES: list[HTTPRouteHandler] = [show_sheets]
