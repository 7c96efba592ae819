"""Path and query parameters that several routes share."""

from datetime import date
from typing import Annotated, TypeAlias

from litestar.params import PathParameter, QueryParameter

from scorekeeper.service.reading.people import Naming
from scorekeeper.texts.language import Language

EditionId: TypeAlias = Annotated[str, PathParameter(description="The edition's id.")]
LeagueSlug: TypeAlias = Annotated[str, PathParameter(description="The league's slug.")]
MatchSlug: TypeAlias = Annotated[str, PathParameter(description="The match's slug.")]
PlayerSlug: TypeAlias = Annotated[str, PathParameter(description="The player's slug.")]
RoundNumber: TypeAlias = Annotated[int, PathParameter(description="Counts from 1.")]
TournamentSlug: TypeAlias = Annotated[str, PathParameter(description="The tournament's slug.")]
TokenId: TypeAlias = Annotated[str, PathParameter(description="The token's id.")]

Lang: TypeAlias = Annotated[
    Language | None,
    QueryParameter(description="The language of texts; wins over Accept-Language."),
]
NamesParameter: TypeAlias = Annotated[
    Naming | None,
    QueryParameter(
        description="`display`: texts call people by their names, where they would call them by "
        "their slugs; whoever sits in for somebody is called by the own name. Data keep the slugs."
    ),
]
AtParameter: TypeAlias = Annotated[
    int | None,
    QueryParameter(ge=1, le=2**53, description="A past version; by default the latest."),
]
After: TypeAlias = Annotated[
    int, QueryParameter(ge=0, le=2**53, description="The version read last.")
]
PositionParameter: TypeAlias = Annotated[
    int | None,
    QueryParameter(ge=0, le=2**53, description="The position up to which everything is known."),
]
Limit: TypeAlias = Annotated[
    int,
    QueryParameter(
        ge=1,
        le=1_000,
        description="How many items a page has at the most. It ends at a mebibyte, too.",
    ),
]
Cursor: TypeAlias = Annotated[
    str | None,
    QueryParameter(max_length=512, description="Where the page begins: `next` of the page before."),
]

From: TypeAlias = Annotated[
    date | None, QueryParameter(name="from", description="Only matches from this day on.")
]
To: TypeAlias = Annotated[
    date | None, QueryParameter(name="to", description="Only matches up to this day, included.")
]

AT = frozenset({"at"})
LANG = frozenset({"lang"})
NAMES = frozenset({"names"})
PAGING = frozenset({"limit", "cursor"})

# Litestar would take the word "null" for the absence of these.
NEVER_NULL = AT | LANG | NAMES | {"after", "from", "seats", "size", "status", "to", "view"}
