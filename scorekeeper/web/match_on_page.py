"""What every page of a match begins with: who reads it, the match as they may see it, and names."""

from msgspec import Struct

from scorekeeper.match.state import State
from scorekeeper.projections.scoreboard import Scoreboard, scoreboard
from scorekeeper.service.identity.access import Caller, Right, audience
from scorekeeper.web.page import PageRequest, reader_of, services_of
from scorekeeper.web.people import names_in


class MatchOnPage(Struct, frozen=True):
    """A match as its reader may see it; `names`: those of everybody in the league, by slug."""

    reader: Caller
    state: State
    board: Scoreboard
    names: dict[str, str]


async def match_on_page(
    request: PageRequest, league: str, match: str, right: Right = Right.READ
) -> MatchOnPage:
    """Raises Refused as `reader_of` does, and `not-found` where there is no such match."""
    reader = await reader_of(request, league, right)
    services = services_of(request)
    folded = await services.reading.folded_for(audience(reader), league, match)
    board = scoreboard(folded.state, match=match, position=folded.position)
    return MatchOnPage(reader, folded.state, board, await names_in(services, league))
