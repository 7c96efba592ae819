"""Rebuilding the stored views of a league."""

from litestar import Response, post
from litestar.handlers import HTTPRouteHandler

from scorekeeper.api.document.openapi import OPERATION
from scorekeeper.api.handler_context import (
    RIGHT,
    Call,
    caller_of,
    command_response,
    idempotency_key_of,
    services_of,
)
from scorekeeper.api.parameters import LeagueSlug
from scorekeeper.service.identity.access import Right
from scorekeeper.service.integrity.rebuilding import RebuiltView


@post(
    "/v1/leagues/{league:str}/rebuild",
    operation_id="rebuildViews",
    summary="Make lists and tables anew from the log",
    description=(
        "Folds the ledger from its first entry and puts right what differs in the lists of matches "
        "and tournaments, in standings, results and ratings, at once. Appends go on meanwhile. "
        "Nothing is recorded: asked again it finds nothing to do."
    ),
    tags=["leagues"],
    status_code=200,
    opt={
        RIGHT: Right.OWN,
        OPERATION: {"responses": {"409": {"$ref": "#/components/responses/Problem409"}}},
    },
)
async def rebuild_views(request: Call, league: LeagueSlug) -> Response[RebuiltView]:
    outcome = await services_of(request).rebuilding.answer(
        caller_of(request), league, await idempotency_key_of(request)
    )
    return command_response(outcome, RebuiltView)


ROUTES: list[HTTPRouteHandler] = [rebuild_views]
