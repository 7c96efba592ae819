"""`/l/{league}/table`: the league's table."""

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from scorekeeper.store.standings import Chosen
from scorekeeper.web.page import PageRequest, page
from scorekeeper.web.people import names_in
from scorekeeper.web.reader import reader_of, services_of

_MOST_LINES = 500


@get("/l/{league:str}/table")
async def show_table(request: PageRequest, league: FromPath[str]) -> Response[bytes]:
    await reader_of(request, league)
    services = services_of(request)
    return page(
        request,
        "table.html",
        title="",
        league=league,
        names=await names_in(services, league),
        lines=await services.league_table.page(league, Chosen(), after=None, limit=_MOST_LINES),
    )


ROUTES: list[HTTPRouteHandler] = [show_table]
