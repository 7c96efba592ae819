"""`/l/{league}/table`: the league's table by season, days, edition, seats and company."""

from typing import Final

import msgspec
from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from scorekeeper.service.offload.questions import TablePage
from scorekeeper.service.standings.reading import TableLine
from scorekeeper.web.choice import choice_of
from scorekeeper.web.page import PageRequest, page
from scorekeeper.web.people import names_in
from scorekeeper.web.reader import reader_of, services_of

_MOST_LINES: Final = 500
_read_lines = msgspec.json.Decoder(list[TableLine]).decode


@get("/l/{league:str}/table")
async def show_table(request: PageRequest, league: FromPath[str]) -> Response[bytes]:
    await reader_of(request, league)
    services = services_of(request)
    names = await names_in(services, league)
    choice = choice_of(request, await services.league_table.years(league), names)
    asked = TablePage(league=league, chosen=choice.chosen, after=None, limit=_MOST_LINES)
    return page(
        request,
        "table.html",
        title="",
        league=league,
        league_name=(await services.leagues.read(league)).name,
        names=names,
        choice=choice,
        lines=_read_lines((await services.answering.answer(asked)).body),
        width="wide",
    )


ROUTES: list[HTTPRouteHandler] = [show_table]
