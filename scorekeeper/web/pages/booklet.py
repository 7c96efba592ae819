"""`/e/{edition}`: the clauses of a booklet, each with an address of its own."""

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from scorekeeper.editions.house_rules.registry import SOURCE
from scorekeeper.service.booklets import edition_view
from scorekeeper.web.page import Live, PageRequest, language_of, page


@get("/e/{edition:str}")
async def show_booklet(request: PageRequest, edition: FromPath[str]) -> Response[bytes]:
    booklet = edition_view(edition, language_of(request))
    return page(
        request,
        "booklet.html",
        title=booklet.name,
        booklet=booklet,
        house_rules=SOURCE,
        live=Live("booklet/page.js"),
        many_look=True,
    )


ROUTES: list[HTTPRouteHandler] = [show_booklet]
