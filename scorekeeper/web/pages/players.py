"""`/l/{league}/players`: the players of a league."""

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from scorekeeper.service.identity.access import Right
from scorekeeper.web.page import Live, PageRequest, page
from scorekeeper.web.people import names_in
from scorekeeper.web.reader import reader_of, services_of


@get("/l/{league:str}/players")
async def show_players(request: PageRequest, league: FromPath[str]) -> Response[bytes]:
    caller = await reader_of(request, league)
    return page(
        request,
        "players.html",
        title="",
        league=league,
        names=await names_in(services_of(request), league),
        may_record=caller.may(Right.RECORD),
        live=Live("players/page.js", {"league": league}),
    )


ROUTES: list[HTTPRouteHandler] = [show_players]
