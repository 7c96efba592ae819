"""A tournament as its pages show it."""

from typing import Final

import msgspec

from scorekeeper.service.offload.questions import TournamentFigures
from scorekeeper.service.reading.tournament_overview import TournamentOverview
from scorekeeper.service.services import Services

_read: Final = msgspec.json.Decoder(TournamentOverview).decode


async def overview_of(services: Services, league: str, tournament: str) -> TournamentOverview:
    """Worked out wherever long answers are computed. Raises Refused (`not-found`)."""
    asked = TournamentFigures(league=league, tournament=tournament)
    return _read((await services.answering.answer(asked)).body)
