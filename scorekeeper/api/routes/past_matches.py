"""Bringing in what was played before: rounds from a spreadsheet, or whole matches."""

from litestar import Response, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody

from scorekeeper.api.document.components import OPERATION, RESUMED
from scorekeeper.api.handler_context import (
    LANG,
    NAMES,
    QUERY,
    RIGHT,
    Call,
    Lang,
    LeagueSlug,
    NamesParameter,
    caller_of,
    command_response,
    idempotency_key_of,
    language_of,
    services_of,
)
from scorekeeper.service.identity.access import Right
from scorekeeper.service.imports.import_views import ImportRequest, ImportView
from scorekeeper.service.reading.match_request import PastMatchesRequest
from scorekeeper.service.views import PastMatchesView


@post(
    "/v1/leagues/{league:str}/imports",
    operation_id="importRows",
    summary="Import a spreadsheet of past rounds",
    description="One row is a round; what is wrong with a row is told with its line and column. "
    "With `preview` nothing is written. Rows that the league already has are recognised, so that "
    "the same request again goes on where it was interrupted and writes nothing twice. Under an "
    "Idempotency-Key the answer is kept that says `complete`. It takes "
    "5,000 rows at the most; a row that is bad, or that was imported otherwise, has all of it "
    "refused (`rows-refused`) unless the request says what to do.",
    tags=["matches"],
    status_code=200,
    opt={RIGHT: Right.OWN, QUERY: LANG},
)
async def import_rows(
    request: Call, league: LeagueSlug, data: JSONBody[ImportRequest], lang: Lang = None
) -> Response[ImportView]:
    outcome = await services_of(request).importing.bring_in(
        caller_of(request),
        league,
        data,
        await idempotency_key_of(request),
        language_of(request, lang),
    )
    return command_response(outcome, ImportView)


@post(
    "/v1/leagues/{league:str}/past-matches",
    operation_id="bringInPastMatches",
    summary="Bring in matches of the past",
    description="Each is opened with its events, in the order given, all or nothing. Of a match "
    "that was brought in before, the events that are known by their ids are left as they are, and "
    "those behind them are appended.",
    tags=["matches"],
    opt={RIGHT: Right.RECORD, QUERY: LANG | NAMES, OPERATION: RESUMED},
)
async def bring_in_past_matches(
    request: Call,
    league: LeagueSlug,
    data: JSONBody[PastMatchesRequest],
    lang: Lang = None,
    names: NamesParameter = None,
) -> Response[PastMatchesView]:
    language = language_of(request, lang)
    async with services_of(request).by_name.refusing(league, names, language):
        outcome = await services_of(request).past_matches.bring_in(
            caller_of(request), league, data, await idempotency_key_of(request), language
        )
    return command_response(outcome, PastMatchesView)


ROUTES: list[HTTPRouteHandler] = [
    import_rows,
    bring_in_past_matches,
]
