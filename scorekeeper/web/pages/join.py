"""`/join`: a code is exchanged for a session of this device."""

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler

from scorekeeper.web.page import Live, PageRequest, page


@get("/join")
async def show_join(request: PageRequest) -> Response[bytes]:
    return page(request, "join.html", title="", live=Live("join/page.js"))


ROUTES: list[HTTPRouteHandler] = [show_join]
