"""Importing a spreadsheet of past rounds."""

from litestar import Response, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody

from scorekeeper.api.handler_context import (
    QUERY,
    RIGHT,
    Call,
    caller_of,
    idempotency_key_of,
    language_of,
    services_of,
)
from scorekeeper.api.parameters import LANG, Lang, LeagueSlug
from scorekeeper.service.identity.access import Right
from scorekeeper.service.imports.import_views import ImportRequest, ImportView


@post(
    "/v1/leagues/{league:str}/imports",
    operation_id="importRows",
    summary="Import a spreadsheet of past rounds",
    description="One row is a round; what is wrong with a row is told with its line and column. "
    "With `preview` nothing is written. Rows that the league already has are recognised, so that "
    "the same request again goes on where it was interrupted and writes nothing twice. It takes "
    "5,000 rows at the most; a row that is bad, or that was imported otherwise, has all of it "
    "refused (`rows-refused`) unless the request says what to do.",
    tags=["matches"],
    status_code=200,
    opt={RIGHT: Right.OWN, QUERY: LANG},
)
async def import_rows(
    request: Call, league: LeagueSlug, data: JSONBody[ImportRequest], lang: Lang = None
) -> Response[ImportView]:
    # Rows are recognised by what they tell: the same file again needs no answer that was kept.
    await idempotency_key_of(request)
    view = await services_of(request).importing.bring_in(
        caller_of(request), league, data, language_of(request, lang)
    )
    return Response(view)


ROUTES: list[HTTPRouteHandler] = [import_rows]
