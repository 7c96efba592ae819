"""How a league played last: what forms for the next match are filled in with."""

from scorekeeper.projections.scoreboard import Scoreboard
from scorekeeper.service.identity.access import Caller, audience
from scorekeeper.service.reading.match_request import MatchFilter
from scorekeeper.service.services import Services


async def last_match(services: Services, caller: Caller, league: str) -> Scoreboard | None:
    """The match that was opened last, as it stands. Raises Refused.

    No table of a tournament, whose people and partners its rotation chose.
    """
    wanted = MatchFilter(outside_tournaments=True)
    found = await services.matches.list(league, wanted, before=None, limit=1)
    if not found:
        return None
    _, board = await services.reading.scoreboard(audience(caller), league, found[0].match, None)
    return board
