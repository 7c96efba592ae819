"""The booklets as data, for everybody."""

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler

from scorekeeper.api.calls import QUERY, RIGHT, Call, language_of
from scorekeeper.api.paging import listing
from scorekeeper.api.parameters import LANG, EditionId, Lang
from scorekeeper.service.access import Right
from scorekeeper.service.booklets import (
    EditionSummary,
    EditionView,
    edition_summaries,
    edition_view,
)
from scorekeeper.service.views import Listing


@get(
    "/v1/editions",
    operation_id="listEditions",
    summary="List the editions",
    description="The latest revision of each booklet, with its name in the language asked for.",
    tags=["editions"],
    opt={RIGHT: Right.PUBLIC, QUERY: LANG},
)
async def list_editions(request: Call, lang: Lang = None) -> Response[Listing[EditionSummary]]:
    found = edition_summaries(language_of(request, lang))
    return listing(request, found, len(found), key=lambda edition: edition.edition)


@get(
    "/v1/editions/{edition:str}",
    operation_id="readEdition",
    summary="Read an edition: deck, points, parameters and clauses",
    description="All that the rules read of a booklet, each value with its clause.",
    tags=["editions"],
    opt={RIGHT: Right.PUBLIC, QUERY: LANG},
)
async def read_edition(request: Call, edition: EditionId, lang: Lang = None) -> EditionView:
    return edition_view(edition, language_of(request, lang))


ROUTES: list[HTTPRouteHandler] = [list_editions, read_edition]
