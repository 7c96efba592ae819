"""`/l/{league}/t`: the tournaments of a league, their standings and schedules."""

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from scorekeeper.web.page import PageRequest, page
from scorekeeper.web.people import names_in
from scorekeeper.web.reader import reader_of, services_of

_MOST = 200


@get("/l/{league:str}/t")
async def show_tournaments(request: PageRequest, league: FromPath[str]) -> Response[bytes]:
    await reader_of(request, league)
    found = await services_of(request).tournaments.list(league, before=None, limit=_MOST)
    return page(request, "tournaments.html", title="", league=league, tournaments=found)


@get("/l/{league:str}/t/{tournament:str}")
async def show_tournament(
    request: PageRequest, league: FromPath[str], tournament: FromPath[str]
) -> Response[bytes]:
    await reader_of(request, league)
    services = services_of(request)
    view = await services.tournaments.view(league, tournament)
    return page(
        request,
        "tournament.html",
        title=view.name,
        league=league,
        width="wide",
        tournament=view,
        standings=await services.tournaments.standings(league, tournament),
        names=await names_in(services, league),
    )


ROUTES: list[HTTPRouteHandler] = [show_tournaments, show_tournament]
