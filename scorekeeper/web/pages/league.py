"""`/l/{league}`: running matches, the table, and links to everything else."""

from collections.abc import Sequence

import msgspec
from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from scorekeeper.projections.scoreboard import Scoreboard, scoreboard
from scorekeeper.service.identity.access import Caller, Right, audience
from scorekeeper.service.reading.match_request import MatchFilter
from scorekeeper.service.services import Services
from scorekeeper.service.views import MatchView
from scorekeeper.store.standings import Chosen
from scorekeeper.web.page import PageRequest, page
from scorekeeper.web.people import names_in
from scorekeeper.web.reader import reader_of, services_of

_MATCHES = 12
_TOURNAMENTS = 5
_TABLE_LINES = 8


class _Running(msgspec.Struct, frozen=True):
    """A match that is open, as it stands."""

    match: str
    board: Scoreboard


@get("/l/{league:str}")
async def show_league(request: PageRequest, league: FromPath[str]) -> Response[bytes]:
    caller = await reader_of(request, league)
    services = services_of(request)
    known = await services.leagues.read(league)
    matches = await services.matches.list(league, MatchFilter(), before=None, limit=_MATCHES)
    return page(
        request,
        "league.html",
        title=known.name,
        league=league,
        names=await names_in(services, league),
        running=await _running(services, caller, league, matches),
        matches=[each for each in matches if each.status != "open"],
        disputed=[each for each in matches if each.open_disputes],
        table=await services.league_table.page(league, Chosen(), after=None, limit=_TABLE_LINES),
        tournaments=await services.tournaments.list(league, before=None, limit=_TOURNAMENTS),
        may_record=caller.may(Right.RECORD),
        may_own=caller.may(Right.OWN),
    )


async def _running(
    services: Services, caller: Caller, league: str, matches: Sequence[MatchView]
) -> list[_Running]:
    """What is played now; a tournament opens all its tables long before anybody sits there."""
    found: list[_Running] = []
    for each in matches:
        if each.status == "open":
            folded = await services.reading.folded_for(audience(caller), league, each.match)
            if each.round or folded.state.opened.tournament is None:
                board = scoreboard(folded.state, match=each.match, position=folded.position)
                found.append(_Running(each.match, board))
    return found


ROUTES: list[HTTPRouteHandler] = [show_league]
