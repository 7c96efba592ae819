"""Appending to a match: the request that everything else waits for.

The route is an ordinary one. `Taps` answers it in front of Litestar, because the plumbing of a
handler costs as much as all the rest of an append; both go through the same function.
"""

import re
from typing import Final, cast

import msgspec
from litestar import Litestar, Response, post
from litestar.enums import ScopeType
from litestar.params import JSONBody
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from scorekeeper.api.calls import QUERY, RIGHT, Call, caller_of, checked_key, services_of, written
from scorekeeper.api.conditional import if_match
from scorekeeper.api.door import Headers, headers_of, read_json
from scorekeeper.api.limits import Limits
from scorekeeper.api.openapi import OPERATION
from scorekeeper.api.parameters import LANG, Lang, LeagueSlug, MatchSlug
from scorekeeper.api.problems import send_error
from scorekeeper.api.trace import Trace, trace_of
from scorekeeper.match.fields import SLUG
from scorekeeper.service.access import Caller, Right, authorise
from scorekeeper.service.answers import Outcome
from scorekeeper.service.match_request import AppendRequest
from scorekeeper.service.refused import Refused
from scorekeeper.service.services import Services
from scorekeeper.service.views import AppendView
from scorekeeper.texts.language import Language, negotiate

# An address that is spelled in any other way goes the ordinary way, which knows what to say of it.
_SLUG = SLUG.removeprefix("^").partition("$")[0]
_PATH = re.compile(rf"/v1/leagues/({_SLUG})/matches/({_SLUG})/events")
_TEMPLATE: Final = "/v1/leagues/{league}/matches/{match}/events"
_decode = msgspec.json.Decoder(AppendRequest).decode
_VERSION = {"headers": {"ETag": {"$ref": "#/components/headers/ETag"}}}
_OPERATION = {
    "parameters": [{"$ref": "#/components/parameters/IfMatch"}],
    "responses": {"200": _VERSION, "201": _VERSION},
}


@post(
    "/v1/leagues/{league:str}/matches/{match:str}/events",
    operation_id="appendEvents",
    summary="Append events",
    description="All or nothing; the first event that fails decides the answer. Each amendment has "
    "the match read anew: a long match takes fewer of them at once (`too-many-amendments`).",
    tags=["matches"],
    opt={RIGHT: Right.RECORD, QUERY: LANG, OPERATION: _OPERATION},
)
async def append_events(
    request: Call,
    league: LeagueSlug,
    match: MatchSlug,
    data: JSONBody[AppendRequest],
    lang: Lang = None,
) -> Response[AppendView]:
    body = await request.body()
    services = services_of(request)
    caller = caller_of(request)
    headers = headers_of(request.scope)
    outcome = await _append(
        services, request.scope, headers, caller, league, match, data, body, lang
    )
    return written(outcome, AppendView)


class Taps:
    """Answers appends, and hands everything else on to `app`, the ordinary way.

    It does what the ordinary way does, with the same means and in the same order: the limits, the
    token and its rights, the body as this service reads it, then the append.
    """

    def __init__(self, app: ASGIApp, litestar: Litestar, limits: Limits) -> None:
        self._app = app
        self._litestar = litestar
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or scope["method"] != "POST" or scope["query_string"]:
            await self._app(scope, receive, send)
            return
        found = _PATH.fullmatch(scope["path"])
        if found is None:
            await self._app(scope, receive, send)
            return
        scope["path_template"] = _TEMPLATE
        headers = headers_of(scope)
        trace = trace_of(scope)
        try:
            visit = self._limits.admit(scope, headers.get(b"authorization", b""))
        except Refused as refused:
            await send_error(scope, send, refused)
            return
        try:
            outcome = await self._record(scope, headers, receive, trace, found[1], found[2])
        except Exception as error:  # noqa: BLE001 the handlers know which of them is a bug
            await send_error(scope, self._limits.counting(visit, scope, send), error)
        else:
            self._limits.recognise(visit)
            await _send(send, outcome)

    async def _record(
        self,
        scope: HTTPScope,
        headers: Headers,
        receive: Receive,
        trace: Trace,
        league: str,
        match: str,
    ) -> Outcome:
        services = cast("Services", self._litestar.state.services)
        caller = await services.access.caller(_text(headers.get(b"authorization")))
        trace.token_id = caller.token_id
        authorise(caller, Right.RECORD, league)
        body = await read_json(headers, receive)
        request = _decode(body)
        return await _append(services, scope, headers, caller, league, match, request, body)


async def _append(
    services: Services,
    scope: HTTPScope,
    headers: Headers,
    caller: Caller,
    league: str,
    match: str,
    request: AppendRequest,
    body: bytes,
    lang: Language | None = None,
) -> Outcome:
    condition = if_match(_text(headers.get(b"if-match")))
    key = _text(headers.get(b"idempotency-key"))
    return await services.recording.record(
        caller,
        league,
        match,
        request.events,
        expected=None if condition is None else condition.versions,
        key=None if key is None else checked_key(key, caller, scope, body),
        language=negotiate(lang, _text(headers.get(b"accept-language"))),
    )


def _text(header: bytes | None) -> str | None:
    return None if header is None else header.decode("latin-1")


async def _send(send: Send, outcome: Outcome) -> None:
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(outcome.body)),
        (b"etag", b'"%d"' % (outcome.version or 0)),
    ]
    if outcome.replayed is not None:
        headers.append((b"idempotency-replayed", outcome.replayed.encode()))
    status = 201 if outcome.created else 200
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": outcome.body, "more_body": False})
