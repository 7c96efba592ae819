"""`/l/{league}/new`: open a match; the last seating and edition are filled in."""

from typing import Any

import msgspec
from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from scorekeeper.service.identity.access import Caller, Right
from scorekeeper.service.identity.audience import audience
from scorekeeper.service.leagues.booklets import edition_summaries
from scorekeeper.service.reading.match_request import MatchFilter
from scorekeeper.service.services import Services
from scorekeeper.web.page import Live, PageRequest, language_of, page
from scorekeeper.web.people import names_in
from scorekeeper.web.reader import reader_of, services_of


@get("/l/{league:str}/new")
async def show_new_match(request: PageRequest, league: FromPath[str]) -> Response[bytes]:
    caller = await reader_of(request, league, Right.RECORD)
    services = services_of(request)
    editions = edition_summaries(language_of(request))
    given = {
        "league": league,
        "names": await names_in(services, league),
        "editions": [
            {"edition": each.edition, "name": each.name, "mode": each.default_mode}
            for each in editions
        ],
        "last": await _last(services, caller, league),
    }
    return page(request, "new_match.html", title="", league=league, live=Live("new/page.js", given))


async def _last(services: Services, caller: Caller, league: str) -> dict[str, Any] | None:
    """How the match opened last was opened."""
    found = await services.matches.list(league, MatchFilter(), before=None, limit=1)
    if not found:
        return None
    _, board = await services.reading.scoreboard(audience(caller), league, found[0].match, None)
    return {
        "edition": board.edition,
        "players": board.players,
        "teams": board.teams is not None,
        "scoring": msgspec.to_builtins(board.scoring),
    }


ROUTES: list[HTTPRouteHandler] = [show_new_match]
