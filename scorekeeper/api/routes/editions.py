"""The booklets as data, for everybody."""

from litestar import get
from litestar.handlers import HTTPRouteHandler

from scorekeeper.api.calls import QUERY, RIGHT, Call, language_of
from scorekeeper.service.access import Right
from scorekeeper.service.booklets import (
    EditionSummary,
    EditionView,
    edition_summaries,
    edition_view,
)
from scorekeeper.service.views import Listing
from scorekeeper.texts.language import Language

LANG = frozenset({"lang"})


@get(
    "/v1/editions",
    operation_id="listEditions",
    summary="List the editions",
    tags=["editions"],
    opt={RIGHT: Right.PUBLIC, QUERY: LANG},
)
async def list_editions(request: Call, lang: Language | None = None) -> Listing[EditionSummary]:
    return Listing(edition_summaries(lang or language_of(request)), None)


@get(
    "/v1/editions/{edition:str}",
    operation_id="readEdition",
    summary="Read an edition: deck, points, parameters and clauses",
    tags=["editions"],
    opt={RIGHT: Right.PUBLIC, QUERY: LANG},
)
async def read_edition(request: Call, edition: str, lang: Language | None = None) -> EditionView:
    return edition_view(edition, lang or language_of(request))


ROUTES: list[HTTPRouteHandler] = [list_editions, read_edition]
