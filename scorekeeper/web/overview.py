"""A tournament as its pages show it."""

from functools import lru_cache
from typing import Final

import msgspec

from scorekeeper.service.question_pool import MOST_REMEMBERED_BYTES
from scorekeeper.service.questions import TournamentFigures
from scorekeeper.service.reading.tournaments import TournamentOverview
from scorekeeper.service.services import Services

_read: Final = msgspec.json.Decoder(TournamentOverview).decode
# Whoever looks next is answered with the same bytes, and reading them takes longer than the rest.
_read_before: Final = lru_cache(maxsize=8)(_read)


async def overview_of(services: Services, league: str, tournament: str) -> TournamentOverview:
    """Worked out wherever long answers are computed. Raises Refused (`not-found`)."""
    asked = TournamentFigures(league=league, tournament=tournament)
    body = (await services.answering.answer(asked)).body
    return (_read_before if len(body) <= MOST_REMEMBERED_BYTES else _read)(body)
