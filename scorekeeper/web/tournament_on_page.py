"""What every page of a tournament begins with: who reads it, how it stands, and names."""

from functools import lru_cache

from msgspec import Struct

from scorekeeper.match.state import Status
from scorekeeper.service.identity.access import Caller
from scorekeeper.service.question_pool import MOST_REMEMBERED_BYTES
from scorekeeper.service.questions import QuestionAnswer, TournamentFigures
from scorekeeper.service.reading.tournaments import TournamentOverview
from scorekeeper.web.page import PageRequest, reader_of, services_of
from scorekeeper.web.people import names_in


class TournamentOnPage(Struct, frozen=True):
    """A tournament as it stands. `names`: the names of everybody in the league, by slug."""

    reader: Caller
    overview: TournamentOverview
    names: dict[str, str]


async def tournament_on_page(
    request: PageRequest, league: str, tournament: str
) -> TournamentOnPage:
    """Raises Refused as `reader_of` does, and `not-found` if there is no such tournament."""
    reader = await reader_of(request, league)
    services = services_of(request)
    asked = TournamentFigures(league=league, tournament=tournament)
    overview = _overview(await services.answering.answer(asked))
    return TournamentOnPage(reader, overview, await names_in(services, league))


def still_playing(found: TournamentOverview) -> set[str]:
    """Return the players who sit at a table that is open, also of those who withdrew."""
    return _seated(found, "open")


def abandoned_for(found: TournamentOverview) -> set[str]:
    """Return the players who withdrew with tables left to play, none of which is open again."""
    return {*found.view.withdrawn} & _seated(found, "abandoned") - still_playing(found)


def _seated(found: TournamentOverview, status: Status) -> set[str]:
    """Return who sits at the tables with this status, by the schedule."""
    return {
        player
        for segment in found.view.segments
        for table in segment.tables
        if found.results[table.match].status == status
        for team in table.teams
        for player in team
    }


def _overview(answer: QuestionAnswer) -> TournamentOverview:
    if len(answer.body) > MOST_REMEMBERED_BYTES:
        return answer.read(TournamentOverview)
    return _read_before(answer)


@lru_cache(maxsize=8)
def _read_before(answer: QuestionAnswer) -> TournamentOverview:
    """Decode an answer once for all its readers, since decoding takes longer than anything else."""
    return answer.read(TournamentOverview)
