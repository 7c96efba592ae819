"""Sessions: a device exchanges a code for a token, and asks who it is."""

from typing import Annotated

from litestar import Response, delete, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody, QueryParameter

from scorekeeper.api.document.openapi import IDENTIFYING
from scorekeeper.api.handler_context import QUERY, RIGHT, Call, services_of
from scorekeeper.api.layers.rate_limits import refuse_guesses
from scorekeeper.api.layers.session_cookies import (
    cookie_header,
    is_same_origin,
    is_secure,
    session_of,
)
from scorekeeper.match.events.fields import SLUG
from scorekeeper.service.identity.access import Caller, Right
from scorekeeper.service.identity.sessions import MeView, SessionOpening, SessionView
from scorekeeper.service.refused import Refused

_LEAGUE = frozenset({"league"})

OfLeague = Annotated[
    str | None,
    QueryParameter(
        pattern=SLUG, description="Of which league; without it an admin's session ends."
    ),
]


@post(
    "/v1/session",
    operation_id="openSession",
    summary="Let this device in by a code",
    description=(
        "Exchanges the code of an invitation for a token of this device's own, which is set as a "
        "cookie that no script can read. The code that a first start prints opens a session that "
        "may do what the admin token may, as long as there is no league. A request from another "
        "site is refused. An Idempotency-Key is not looked at: a code has several uses."
    ),
    tags=["tokens"],
    opt={RIGHT: Right.PUBLIC, IDENTIFYING: True},
)
async def open_session(request: Call, data: JSONBody[SessionOpening]) -> Response[SessionView]:
    _refuse_other_sites(request)
    refuse_guesses(request.scope)
    view, token = await services_of(request).sessions.open(data)
    return Response(view, status_code=201, headers=_setting(request, view.league, token))


@delete(
    "/v1/session",
    operation_id="endSession",
    summary="Send this device home",
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
    caller = await services.access.caller(f"Bearer {token}")
    await services.sessions.end(caller, token)
    return Response(None, status_code=204, headers=_setting(request, league, ""))


@get(
    "/v1/me",
    operation_id="readMe",
    summary="Read who one is",
    description=(
        "The leagues that the token, or the cookies of this browser, let one see. Without any "
        "there is none, which is no error."
    ),
    tags=["tokens"],
    opt={RIGHT: Right.PUBLIC, IDENTIFYING: True},
)
async def read_me(request: Call) -> MeView:
    return await services_of(request).sessions.me(await _callers(request))


async def _callers(request: Call) -> list[Caller]:
    """Everybody whom this request could speak for. Raises Refused for a token that is not known."""
    access = services_of(request).access
    session = session_of(request.scope)
    if session is None:
        header = request.headers.get("authorization")
        return [] if header is None else [await access.caller(header)]
    return await access.callers(session.all)


def _refuse_other_sites(request: Call) -> None:
    headers = dict(request.scope["headers"])
    told = b"sec-fetch-site" in headers or b"origin" in headers
    if told and not is_same_origin(headers, request.app.state.public_url):
        raise Refused("unauthorized", reason="other-site")


def _setting(request: Call, league: str | None, token: str) -> dict[str, str]:
    secure = is_secure(request.scope, request.app.state.public_url)
    return {
        "set-cookie": cookie_header(league, token, secure=secure),
        "cache-control": "no-store",
    }


ROUTES: list[HTTPRouteHandler] = [open_session, end_session, read_me]
