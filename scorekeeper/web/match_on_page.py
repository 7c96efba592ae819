"""What every page of a match begins with: who reads it, the match as they may see it, and names."""

from msgspec import Struct

from scorekeeper.match.state import State
from scorekeeper.projections.scoreboard import Scoreboard, scoreboard
from scorekeeper.service.identity.access import Caller, Right, audience
from scorekeeper.web.match_titles import titles_of
from scorekeeper.web.page import PageRequest, reader_of, services_of
from scorekeeper.web.people import names_in


class MatchOnPage(Struct, frozen=True):
    """A match as its reader may see it.

    `title`: what people call it. `names`: the names of everybody in the league, by slug.
    """

    title: str
    reader: Caller
    state: State
    board: Scoreboard
    names: dict[str, str]


async def match_on_page(
    request: PageRequest, league: str, match: str, right: Right = Right.READ
) -> MatchOnPage:
    """Raises Refused as `reader_of` does, and `not-found` if there is no such match."""
    reader = await reader_of(request, league, right)
    services = services_of(request)
    folded = await services.reading.folded_for(audience(reader), league, match)
    board = scoreboard(folded.state, match=match, position=folded.position)
    titles = await titles_of(request, league, [match])
    names = await names_in(services, league)
    return MatchOnPage(titles[match], reader, folded.state, board, names)
