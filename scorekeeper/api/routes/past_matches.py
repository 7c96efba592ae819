"""Importing matches that were played before."""

from litestar import Response, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody

from scorekeeper.api.handler_context import (
    QUERY,
    RIGHT,
    Call,
    caller_of,
    command_response,
    idempotency_key_of,
    language_of,
    services_of,
)
from scorekeeper.api.parameters import LANG, NAMES, Lang, LeagueSlug, NamesParameter
from scorekeeper.service.identity.access import Right
from scorekeeper.service.reading.match_request import PastMatchesRequest
from scorekeeper.service.views import PastMatchesView


@post(
    "/v1/leagues/{league:str}/past-matches",
    operation_id="bringInPastMatches",
    summary="Bring in matches of the past",
    description="Each is opened with its events, in the order given, all or nothing. Of a match "
    "that was brought in before, the events that are known by their ids are left as they are, and "
    "those behind them are appended.",
    tags=["matches"],
    opt={RIGHT: Right.RECORD, QUERY: LANG | NAMES},
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


ROUTES: list[HTTPRouteHandler] = [bring_in_past_matches]
