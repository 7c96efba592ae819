"""Appending to a match: the route, a fast reader of its body, and a fast way past the framework.

The route is an ordinary one. Plain requests, from a token that is known at this moment, are
answered in front of the framework, whose plumbing costs as much as they do. All others take the
ordinary route, which has the detailed error messages. Both answer by the same functions.
"""

import re
from collections.abc import Mapping
from typing import Final

import msgspec
from litestar import Response, post
from litestar.enums import ScopeType
from litestar.params import JSONBody
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from scorekeeper.api.document.components import APPENDING, OPERATION
from scorekeeper.api.handler_context import (
    LANG,
    NAMES,
    QUERY,
    RIGHT,
    Call,
    Lang,
    LeagueSlug,
    MatchSlug,
    NamesParameter,
    caller_of,
    checked_key,
    command_response,
    services_of,
)
from scorekeeper.api.layers.input_validation import (
    BODY_LIMIT,
    Headers,
    check_json,
    decoded,
    headers_of,
    whole_body,
)
from scorekeeper.api.layers.rate_limits import Limits
from scorekeeper.api.layers.representation import compressed, if_match_of
from scorekeeper.api.layers.request_log import NO_ANSWER, NO_SNIFFING, RequestLog
from scorekeeper.api.lifespan import services_in
from scorekeeper.api.problems import error_answer, refusal
from scorekeeper.api.structured_log import RequestContext, begin, request_id
from scorekeeper.api.suggestions import with_nearest
from scorekeeper.match.events.fields import SLUG
from scorekeeper.service.command import Outcome
from scorekeeper.service.identity.access import Caller, Right, authorise, bearer_digest
from scorekeeper.service.matches.recording import ToRecord
from scorekeeper.service.reading.match_request import AppendRequest
from scorekeeper.service.refused import Refused
from scorekeeper.service.views import AppendView
from scorekeeper.texts.language import Language, negotiate

TEMPLATE: Final = "/v1/leagues/{league}/matches/{match}/events"
"""The route's template, as the metrics name it."""

_decoder = msgspec.json.Decoder(AppendRequest)
_encode = msgspec.json.Encoder().encode

_STRING = b'"'
_ESCAPE = b"\\"
# The only event whose encoding has more fields than were sent.
_AMENDMENT = b"log_amended"

_SLUG = SLUG.removeprefix("^").partition("$")[0].encode()
_PATH = re.compile(rb"/v1/leagues/(%b)/matches/(%b)/events" % (_SLUG, _SLUG))
_LONGEST_LENGTH = len(str(BODY_LIMIT))
# Headers that change how a body is read.
_UNUSUAL = frozenset({b"content-encoding", b"transfer-encoding", b"expect"})

_JSON = (b"content-type", b"application/json")

_Answer = tuple[int, list[tuple[bytes, bytes]], bytes]


@post(
    "/v1/leagues/{league:str}/matches/{match:str}/events",
    operation_id="appendEvents",
    summary="Append events",
    description="All or nothing; the first event that fails decides the answer. Each amendment has "
    "the match read anew: a long match takes fewer of them at once (`too-many-amendments`).",
    tags=["matches"],
    opt={RIGHT: Right.RECORD, QUERY: LANG | NAMES, OPERATION: APPENDING},
)
async def append_events(
    request: Call,
    league: LeagueSlug,
    match: MatchSlug,
    data: JSONBody[AppendRequest],
    lang: Lang = None,
    names: NamesParameter = None,
) -> Response[AppendView]:
    services = services_of(request)
    asked = to_record(
        caller_of(request),
        request.scope["path"],
        conditions(request.scope, headers_of(request.scope), lang),
        league,
        match,
        data,
        await request.body(),
    )
    async with services.by_name.refusing(league, names, asked.language):
        outcome = await services.recording.record(asked)
    outcome = await services.by_name.answer(league, match, outcome, names, asked.language)
    return command_response(outcome, AppendView)


class Conditions(msgspec.Struct, frozen=True):
    """The conditions that the headers of an append state.

    `expected`: the versions that If-Match names; None if any version will do. `key`: the
    Idempotency-Key as it was sent.
    """

    expected: frozenset[int] | None
    key: str | None
    language: Language


def conditions(scope: Scope, headers: Headers, lang: Language | None = None) -> Conditions:
    """Parse the headers; `lang` is the query parameter. Raises Refused (`malformed`)."""
    condition = if_match_of(scope)
    return Conditions(
        None if condition is None else condition.versions,
        _text(headers.get(b"idempotency-key")),
        negotiate(lang, _text(headers.get(b"accept-language"))),
    )


def to_record(
    caller: Caller,
    path: str,
    under: Conditions,
    league: str,
    match: str,
    request: AppendRequest,
    body: bytes,
) -> ToRecord:
    """Return what the service is to record; `request` was decoded from `body`.

    Raises Refused (`malformed`) if the Idempotency-Key is invalid.
    """
    key = None if under.key is None else checked_key(under.key, caller.token_id, "POST", path, body)
    return ToRecord(caller, league, match, request.events, under.expected, key, under.language)


def _text(header: bytes | None) -> str | None:
    return None if header is None else header.decode("latin-1")


def read_append(body: bytes) -> AppendRequest:
    """Decode a body, with the same guarantees as `check_json` gives. Raises Refused.

    `check_json` is slow, and most bodies don't need it. What decodes as events has no number and no
    depth beyond the limits, since the types bound both. Without an escape it has no NUL and no lone
    surrogate. The only thing left is a repeated key. Then the body has more quotation marks than
    the encoding of what was decoded.
    """
    try:
        request = _decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    else:
        quotes = body.count(_STRING)
        if (
            _ESCAPE not in body
            and _AMENDMENT not in body
            and quotes == _encode(request).count(_STRING)
        ):
            return request
    check_json(body)
    return decoded(_decoder, body)


class FastAppendRequest(msgspec.Struct, frozen=True, gc=False):
    """A plain request to append, of which everything but the body was read.

    `token` is the digest of its token, `length` the number of bytes in its body.
    """

    token: bytes
    caller: Caller
    path: str
    league: str
    match: str
    length: int
    under: Conditions
    trace: RequestContext

    @property
    def address(self) -> Mapping[str, str]:
        return {"league": self.league, "match": self.match}


class FastAppend:
    """Answers plain requests to append; `app` answers all others."""

    def __init__(self, app: ASGIApp, limits: Limits, request_log: RequestLog) -> None:
        self._app = app
        self._limits = limits
        self._request_log = request_log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        wanted = None
        if scope["type"] == ScopeType.HTTP and scope["method"] == "POST":
            wanted = self._taken(scope)
        if wanted is None:
            await self._app(scope, receive, send)
            return
        started = self._request_log.begin()
        status = NO_ANSWER
        try:
            status, headers, body = await self._answer(scope, wanted, receive)
        finally:
            self._request_log.end(started, "POST", wanted.path, TEMPLATE, status, wanted.trace)
        headers, body = await compressed(scope, headers, body)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    def _taken(self, scope: HTTPScope) -> FastAppendRequest | None:
        """Read all but the body; None if the request must take the ordinary route.

        In that case no rate limit has counted the request.
        """
        found = _PATH.fullmatch(scope["raw_path"])
        if found is None or scope["query_string"]:
            return None
        headers = headers_of(scope)
        length = _plain_length(headers)
        under = None if length is None else _conditions(scope, headers)
        if length is None or under is None:
            return None
        token = bearer_digest(headers.get(b"authorization", b""))
        caller = services_in(scope).access.remembered(token)
        if caller is None or not self._limits.admits(token):
            return None
        league, match = found[1].decode(), found[2].decode()
        trace = RequestContext(request_id(headers.get(b"x-request-id")), caller.token_id)
        return FastAppendRequest(token, caller, scope["path"], league, match, length, under, trace)

    async def _answer(self, scope: Scope, wanted: FastAppendRequest, receive: Receive) -> _Answer:
        services = services_in(scope)
        try:
            authorise(wanted.caller, Right.RECORD, wanted.league)
            body = await whole_body(receive, wanted.length)
            if services.access.remembered(wanted.token) is None:
                # The token was forgotten while the body arrived. It may have been revoked.
                await services.access.caller(_text(headers_of(scope)[b"authorization"]))
            asked = _asked(wanted, body)
            return _written(await services.recording.record(asked), wanted.trace)
        except Exception as error:  # noqa: BLE001 the problems know which of them is a bug
            begin(scope, wanted.trace)
            refused = await with_nearest(refusal(scope, error), wanted.address, services.names)
            status, headers, body = error_answer(scope, refused)
            return status, [*headers, _echo(wanted.trace), NO_SNIFFING], body


def _asked(wanted: FastAppendRequest, body: bytes) -> ToRecord:
    request = read_append(body)
    return to_record(
        wanted.caller, wanted.path, wanted.under, wanted.league, wanted.match, request, body
    )


def _plain_length(headers: Headers) -> int | None:
    """Return the number of bytes in a plain body, None for any other body.

    A plain body is JSON that is neither encoded nor chunked and not too long.
    """
    sent = headers.get(b"content-length", b"")
    if (
        headers.get(b"content-type") != b"application/json"
        or not sent.isdigit()
        or len(sent) > _LONGEST_LENGTH
        or not _UNUSUAL.isdisjoint(headers)
    ):
        return None
    length = int(sent)
    return length if length <= BODY_LIMIT else None


def _conditions(scope: Scope, headers: Headers) -> Conditions | None:
    """Return None if the headers are malformed: the ordinary route then answers the problem."""
    try:
        return conditions(scope, headers)
    except Refused:
        return None


def _echo(trace: RequestContext) -> tuple[bytes, bytes]:
    return b"x-request-id", trace.request_id.encode()


def _written(outcome: Outcome, trace: RequestContext) -> _Answer:
    headers = [
        _JSON,
        (b"content-length", b"%d" % len(outcome.body)),
        (b"etag", b'"%d"' % (outcome.version or 0)),
        _echo(trace),
        NO_SNIFFING,
    ]
    if outcome.replayed is not None:
        headers.append((b"idempotency-replayed", outcome.replayed.encode()))
    return 201 if outcome.created else 200, headers, outcome.body
