"""Invitations of a league: each has a code that is shown once."""

from typing import Annotated

from litestar import Response, delete, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody, PathParameter

from scorekeeper.api.handler_context import (
    QUERY,
    RIGHT,
    Call,
    caller_of,
    command_response,
    idempotency_key_of,
    services_of,
)
from scorekeeper.api.paging import decode_cursor, listing
from scorekeeper.api.parameters import PAGING, Cursor, LeagueSlug, Limit
from scorekeeper.service.identity.access import Right
from scorekeeper.service.identity.invitations import (
    InvitationMadeView,
    InvitationMaking,
    InvitationView,
)
from scorekeeper.service.views import Listing

InvitationId = Annotated[str, PathParameter(description="The invitation's id.")]


@post(
    "/v1/leagues/{league:str}/invitations",
    operation_id="makeInvitation",
    summary="Invite devices",
    description=(
        "The answer holds a code and a link, shown once; only the code's hash is kept. Each device "
        "that comes in by it gets a token of its own, with the role of the invitation."
    ),
    tags=["tokens"],
    opt={RIGHT: Right.OWN},
)
async def make_invitation(
    request: Call, league: LeagueSlug, data: JSONBody[InvitationMaking]
) -> Response[InvitationMadeView]:
    address = request.app.state.public_url or str(request.base_url).rstrip("/")
    outcome = await services_of(request).invitations.make(
        caller_of(request), league, data, address, await idempotency_key_of(request)
    )
    return command_response(outcome, InvitationMadeView, secret=True)


@get(
    "/v1/leagues/{league:str}/invitations",
    operation_id="listInvitations",
    summary="List the invitations in force",
    description="Without their codes, of which only hashes are kept.",
    tags=["tokens"],
    opt={RIGHT: Right.OWN, QUERY: PAGING},
)
async def list_invitations(
    request: Call, league: LeagueSlug, limit: Limit = 100, cursor: Cursor = None
) -> Response[Listing[InvitationView]]:
    page = await services_of(request).invitations.list(
        league, after=decode_cursor(cursor), limit=limit + 1
    )
    return listing(request, page, limit, key=lambda invitation: invitation.invitation)


@delete(
    "/v1/leagues/{league:str}/invitations/{invitation:str}",
    operation_id="endInvitation",
    summary="End an invitation",
    description="Its code lets nobody in any more; who came in by it stays.",
    tags=["tokens"],
    opt={RIGHT: Right.OWN},
)
async def end_invitation(request: Call, league: LeagueSlug, invitation: InvitationId) -> None:
    await services_of(request).invitations.end(league, invitation)


ROUTES: list[HTTPRouteHandler] = [make_invitation, list_invitations, end_invitation]
