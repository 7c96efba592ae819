"""`/l/{league}/t`: the tournaments of a league."""

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from scorekeeper.service.identity.access import Right
from scorekeeper.web.page import PageRequest, page
from scorekeeper.web.reader import reader_of, services_of

_MOST = 200


@get("/l/{league:str}/t")
async def show_tournaments(request: PageRequest, league: FromPath[str]) -> Response[bytes]:
    caller = await reader_of(request, league)
    found = await services_of(request).tournaments.list(league, before=None, limit=_MOST)
    return page(
        request,
        "tournaments.html",
        title="",
        league=league,
        tournaments=found,
        may_record=caller.may(Right.RECORD),
    )


ROUTES: list[HTTPRouteHandler] = [show_tournaments]
