"""`/l/{league}/m/{match}/tv`: the scoreboard for a large screen."""

import msgspec
from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from scorekeeper.projections.rounds import rounds
from scorekeeper.projections.scoreboard import scoreboard
from scorekeeper.service.booklets import edition_view
from scorekeeper.service.identity.access import audience
from scorekeeper.web.house_rules import in_force
from scorekeeper.web.page import Live, PageRequest, language_of, page
from scorekeeper.web.people import names_in
from scorekeeper.web.reader import reader_of, services_of


@get("/l/{league:str}/m/{match:str}/tv")
async def show_board(
    request: PageRequest, league: FromPath[str], match: FromPath[str]
) -> Response[bytes]:
    caller = await reader_of(request, league)
    services = services_of(request)
    folded = await services.reading.folded_for(audience(caller), league, match)
    board = scoreboard(folded.state, match=match, position=folded.position)
    ended = [each for each in rounds(folded.state) if each.status == "ended"]
    names = await names_in(services, league)
    called = edition_view(board.edition, language_of(request)).names
    house_rules = in_force(board, language_of(request))
    given = {
        "key": f"/v1/leagues/{league}/matches/{match}",
        "board": msgspec.to_builtins(board),
        "last": msgspec.to_builtins(ended[-1]) if ended else None,
        "names": names,
        "cards": called.cards,
        "colors": called.colors,
        "house": [(rule.label, rule.variant) for rule in house_rules],
    }
    return page(
        request,
        "tv.html",
        title=match,
        league=league,
        match=match,
        width="full",
        board=board,
        names=names,
        live=Live("tv/page.js", given),
        many_look=True,
    )


ROUTES: list[HTTPRouteHandler] = [show_board]
