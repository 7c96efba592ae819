"""`/l/{league}/new`: open a match; how the last one was opened is filled in."""

from typing import Any

import msgspec
from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from scorekeeper.projections.scoreboard import Scoreboard
from scorekeeper.service.booklets import edition_summaries
from scorekeeper.service.identity.access import Right
from scorekeeper.web.house_rules import checked_with, offered
from scorekeeper.web.last_match import last_match
from scorekeeper.web.page import Live, PageRequest, language_of, page
from scorekeeper.web.people import names_in
from scorekeeper.web.reader import reader_of, services_of


@get("/l/{league:str}/new")
async def show_new_match(request: PageRequest, league: FromPath[str]) -> Response[bytes]:
    caller = await reader_of(request, league, Right.RECORD)
    services = services_of(request)
    editions = edition_summaries(language_of(request))
    last = await last_match(services, caller, league)
    given = {
        "league": league,
        "names": await names_in(services, league),
        "editions": [
            {
                "edition": each.edition,
                "name": each.name,
                "mode": each.default_mode,
                "cards": each.deck_size,
            }
            for each in editions
        ],
        "last": None if last is None else _opening(last),
        "house": checked_with(),
    }
    return page(
        request,
        "new_match.html",
        title="",
        league=league,
        offered=offered(language_of(request)),
        house_rules={} if last is None else last.house_rules,
        live=Live("new/page.js", given),
    )


def _opening(board: Scoreboard) -> dict[str, Any]:
    """How the match was opened, but for its house rules."""
    return {
        "edition": board.edition,
        "players": board.players,
        "teams": board.teams is not None,
        "scoring": msgspec.to_builtins(board.scoring),
    }


ROUTES: list[HTTPRouteHandler] = [show_new_match]
