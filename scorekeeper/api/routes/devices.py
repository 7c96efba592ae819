"""Invitations and sessions: a device exchanges the code of an invitation for a session.

A code is shown once. A session has a token of its own, and `GET /v1/me` says what it may see.
"""

from functools import partial
from typing import Annotated

from litestar import Response, delete, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody, PathParameter, QueryParameter

from scorekeeper.api.document.components import IDENTIFYING
from scorekeeper.api.handler_context import (
    PAGING,
    QUERY,
    RIGHT,
    Call,
    Cursor,
    LeagueSlug,
    Limit,
    caller_of,
    callers_of,
    command_response,
    idempotency_key_of,
    key_of_holder,
    services_of,
)
from scorekeeper.api.layers.rate_limits import refuse_guesses
from scorekeeper.api.layers.session_cookies import (
    cookie_header,
    is_same_origin,
    is_secure,
    session_of,
)
from scorekeeper.api.lifespan import public_url_in
from scorekeeper.api.lists import listing_by_key
from scorekeeper.match.events.fields import SLUG
from scorekeeper.service.identity.access import Right
from scorekeeper.service.identity.invitations import (
    InvitationMadeView,
    InvitationMaking,
    InvitationView,
)
from scorekeeper.service.identity.sessions import MeView, SessionOpening, SessionView
from scorekeeper.service.refused import Refused
from scorekeeper.service.views import Listing

InvitationId = Annotated[str, PathParameter(description="The invitation's id.")]

_LEAGUE = frozenset({"league"})

OfLeague = Annotated[
    str | None,
    QueryParameter(
        pattern=SLUG, description="Of which league; without it an admin's session ends."
    ),
]


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
    address = public_url_in(request.scope) or str(request.base_url).rstrip("/")
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
    read = partial(services_of(request).invitations.list, league)
    return await listing_by_key(request, read, limit, cursor, key=lambda each: each.invitation)


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


@post(
    "/v1/session",
    operation_id="openSession",
    summary="Let this device in by a code",
    description=(
        "Exchanges the code of an invitation for a token of this device's own, which is set as a "
        "cookie that no script can read. The code that a first start prints opens a session that "
        "may do what the admin token may, as long as there is no league. A request from another "
        "site is refused. A retry under an Idempotency-Key, which holds for the code, is answered "
        "as then, without the cookie, and uses nothing up. The code of a first start keeps no "
        "answer: it is good once, and refused when it comes again."
    ),
    tags=["tokens"],
    opt={RIGHT: Right.PUBLIC, IDENTIFYING: True},
)
async def open_session(request: Call, data: JSONBody[SessionOpening]) -> Response[SessionView]:
    _refuse_other_sites(request)
    refuse_guesses(request.scope)
    opened = await services_of(request).sessions.open(data, await key_of_holder(request))
    response = command_response(opened.outcome, SessionView, secret=True)
    if opened.token is not None:
        response.headers |= _setting(request, opened.league, opened.token)
    return response


@delete(
    "/v1/session",
    operation_id="endSession",
    summary="End the session of this device",
    description="Revokes the token of the league's cookie, and clears the cookie.",
    tags=["tokens"],
    opt={RIGHT: Right.PUBLIC, QUERY: _LEAGUE, IDENTIFYING: True},
    status_code=204,
)
async def end_session(request: Call, league: OfLeague = None) -> Response[None]:
    session = session_of(request.scope)
    token = None
    if session is not None:
        token = session.admin if league is None else session.leagues.get(league)
    if token is None:
        raise Refused("unauthorized", reason="no-session")
    services = services_of(request)
    caller = await services.access.holder(token)
    await services.sessions.end(caller, token)
    return Response(None, status_code=204, headers=_setting(request, league, ""))


@get(
    "/v1/me",
    operation_id="readMe",
    summary="Read which leagues this token or browser may see",
    description=(
        "Each with the role, and with the id and the name of the token. Without a "
        "token or a cookie the list is empty, with status 200."
    ),
    tags=["tokens"],
    opt={RIGHT: Right.PUBLIC, IDENTIFYING: True},
)
async def read_me(request: Call) -> MeView:
    return await services_of(request).sessions.me(await callers_of(request))


def _refuse_other_sites(request: Call) -> None:
    headers = dict(request.scope["headers"])
    names_site = b"sec-fetch-site" in headers or b"origin" in headers
    if names_site and not is_same_origin(headers, public_url_in(request.scope)):
        raise Refused("unauthorized", reason="other-site")


def _setting(request: Call, league: str | None, token: str) -> dict[str, str]:
    secure = is_secure(request.scope, public_url_in(request.scope))
    return {
        "set-cookie": cookie_header(league, token, secure=secure),
        "cache-control": "no-store",
    }


ROUTES: list[HTTPRouteHandler] = [
    make_invitation,
    list_invitations,
    end_invitation,
    open_session,
    end_session,
    read_me,
]
