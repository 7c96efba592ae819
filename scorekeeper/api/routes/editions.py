"""The booklets as public data, encoded once for each language."""

from functools import cache

import msgspec
from litestar import Response, get
from litestar.handlers import HTTPRouteHandler

from scorekeeper.api.document.components import LISTING, OPERATION
from scorekeeper.api.handler_context import (
    LANG,
    QUERY,
    RIGHT,
    Call,
    EditionId,
    Lang,
    StaticAnswer,
    language_of,
    static_answer,
    static_response,
)
from scorekeeper.api.layers.representation import STATIC
from scorekeeper.api.lists import link
from scorekeeper.editions.registry import edition_ids
from scorekeeper.service.booklets import (
    EditionSummary,
    EditionView,
    edition_summaries,
    edition_view,
)
from scorekeeper.service.identity.access import Right
from scorekeeper.service.views import Listing
from scorekeeper.texts.language import Language

_JSON = "application/json"


@get(
    "/v1/editions",
    operation_id="listEditions",
    summary="List the editions",
    description="The latest revision of each booklet, with its name in the language asked for.",
    tags=["editions"],
    opt={RIGHT: Right.PUBLIC, QUERY: LANG, STATIC: True, OPERATION: LISTING},
)
async def list_editions(request: Call, lang: Lang = None) -> Response[Listing[EditionSummary]]:
    found = _listed(tuple(edition_ids()), language_of(request, lang))
    return static_response(found, Listing[EditionSummary], _JSON, {"link": link(request, None)})


@get(
    "/v1/editions/{edition:str}",
    operation_id="readEdition",
    summary="Read an edition: deck, points, parameters and clauses",
    description="All that the rules read of a booklet, each value with its clause.",
    tags=["editions"],
    opt={RIGHT: Right.PUBLIC, QUERY: LANG, STATIC: True},
)
async def read_edition(
    request: Call, edition: EditionId, lang: Lang = None
) -> Response[EditionView]:
    return static_response(_booklet(edition, language_of(request, lang)), EditionView, _JSON)


@cache
def _listed(editions: tuple[str, ...], language: Language) -> StaticAnswer:
    del editions  # only a key of the cache: another list has another answer
    return static_answer(msgspec.json.encode(Listing(edition_summaries(language), None)))


@cache
def _booklet(edition: str, language: Language) -> StaticAnswer:
    return static_answer(msgspec.json.encode(edition_view(edition, language)))


ROUTES: list[HTTPRouteHandler] = [list_editions, read_edition]
