"""Questions: readings that may take long, as values that can be sent to another process."""

from typing import TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from scorekeeper.service.identity.access import Audience
from scorekeeper.service.reading.match_request import WhatIf
from scorekeeper.service.reading.people import Naming
from scorekeeper.service.reading.replays import RoundReplay
from scorekeeper.store.standings import PageStart, ResultFilter
from scorekeeper.texts.language import Language

T = TypeVar("T")


class MatchCheck(Struct, frozen=True, kw_only=True):
    """The audit of a match, as an AuditView."""

    league: str
    match: str
    audience: Audience
    at: int | None
    language: Language
    naming: Naming | None


class WhatIfQuestion(Struct, frozen=True, kw_only=True):
    """What an amendment would change, as a WhatIfView."""

    league: str
    match: str
    amendment: WhatIf
    language: Language
    naming: Naming | None


class TablePage(Struct, frozen=True, kw_only=True):
    """Lines of the league's table below a place, as a list of TableLine."""

    league: str
    chosen: ResultFilter
    after: PageStart | None
    limit: int


class PlayerFigures(Struct, frozen=True, kw_only=True):
    """A person's statistics, as a Breakdown."""

    league: str
    player: str
    chosen: ResultFilter


class SeasonFigures(Struct, frozen=True, kw_only=True):
    """The review of a season, as a Season."""

    league: str
    chosen: ResultFilter


class TournamentFigures(Struct, frozen=True, kw_only=True):
    """A tournament as it is now, as a TournamentOverview."""

    league: str
    tournament: str


class ResultsPage(Struct, frozen=True, kw_only=True):
    """Everybody's results after a place in the log and a person, as a list of Result."""

    league: str
    chosen: ResultFilter
    after: tuple[int, str]
    limit: int


Question: TypeAlias = (
    RoundReplay
    | MatchCheck
    | WhatIfQuestion
    | TablePage
    | PlayerFigures
    | ResultsPage
    | SeasonFigures
    | TournamentFigures
)


class QuestionAnswer(Struct, frozen=True):
    """The answer to a question: `body` in JSON; `tag`: of what was read, if that has a version."""

    body: bytes
    tag: str | None = None

    def read(self, kind: type[T]) -> T:
        """Decode the body. `kind`: the type of answer that the docstring of the question names."""
        return msgspec.json.decode(self.body, type=kind)
