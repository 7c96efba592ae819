"""`/l/{league}/m/{match}`: a match and its rounds."""

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from scorekeeper.projections.progress import match_progress
from scorekeeper.projections.rounds import rounds
from scorekeeper.projections.scoreboard import scoreboard
from scorekeeper.service.identity.access import Right, audience
from scorekeeper.web.house_rules import in_force
from scorekeeper.web.page import PageRequest, language_of, page
from scorekeeper.web.people import names_in
from scorekeeper.web.reader import reader_of, services_of


@get("/l/{league:str}/m/{match:str}")
async def show_match(
    request: PageRequest, league: FromPath[str], match: FromPath[str]
) -> Response[bytes]:
    caller = await reader_of(request, league)
    services = services_of(request)
    folded = await services.reading.folded_for(audience(caller), league, match)
    board = scoreboard(folded.state, match=match, position=folded.position)
    return page(
        request,
        "match.html",
        title=match,
        league=league,
        match=match,
        names=await names_in(services, league),
        board=board,
        house_rules=in_force(board, language_of(request)),
        tournament=folded.state.opened.tournament,
        rounds=list(reversed(rounds(folded.state))),
        progress=match_progress(folded.state),
        may_record=caller.may(Right.RECORD),
        many_look=True,
    )


ROUTES: list[HTTPRouteHandler] = [show_match]
