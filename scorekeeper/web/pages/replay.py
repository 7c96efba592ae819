"""`/l/{league}/m/{match}/r/{n}`: a round step by step, as one list, complete without scripts."""

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from scorekeeper.service.identity.audience import audience
from scorekeeper.service.reading.matches import View
from scorekeeper.service.replay.replaying import replayed
from scorekeeper.web.page import PageRequest, language_of, page
from scorekeeper.web.people import names_in
from scorekeeper.web.reader import reader_of, services_of


@get("/l/{league:str}/m/{match:str}/r/{number:int}")
async def show_replay(
    request: PageRequest, league: FromPath[str], match: FromPath[str], number: FromPath[int]
) -> Response[bytes]:
    caller = await reader_of(request, league)
    services = services_of(request)
    view: View = "recorded" if request.query_params.get("view") == "recorded" else "corrected"
    _, shown = await replayed(
        services.reading,
        audience(caller),
        league,
        match,
        number,
        view=view,
        at=None,
        language=language_of(request),
        naming="display",
    )
    return page(
        request,
        "replay.html",
        title="",
        league=league,
        match=match,
        number=number,
        view=view,
        replay=shown,
        edition=shown.items[0].state.edition,
        names=await names_in(services, league),
    )


ROUTES: list[HTTPRouteHandler] = [show_replay]
