"""Erasing the content of entries."""

from litestar import Response, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody

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
from scorekeeper.service.views import ErasureRequest, ErasureView


@post(
    "/v1/leagues/{league:str}/erasures",
    operation_id="eraseContent",
    summary="Erase the content of entries",
    description=(
        "Deletes what these entries say, for good. Their headers stay, so that every proof still "
        "holds, and the erasure is itself an entry of the league."
    ),
    tags=["leagues"],
    opt={RIGHT: Right.OWN},
)
async def erase_content(
    request: Call, league: LeagueSlug, data: JSONBody[ErasureRequest]
) -> Response[ErasureView]:
    outcome = await services_of(request).erasing.erase(
        caller_of(request), league, data, await idempotency_key_of(request)
    )
    return command_response(outcome, ErasureView)


ROUTES: list[HTTPRouteHandler] = [erase_content]
