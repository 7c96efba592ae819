"""Plain appends, answered in front of the framework, whose plumbing costs as much as they do.

Only plain requests are taken, from a token that is known at this moment. All others take the
ordinary route, which has the detailed error messages. Both answer by the same functions.
"""

import re
from collections.abc import Mapping

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from scorekeeper.api.appends.append import TEMPLATE, Conditions, conditions, to_record
from scorekeeper.api.appends.append_reader import read_append
from scorekeeper.api.layers.compression import compressed
from scorekeeper.api.layers.input_validation import BODY_LIMIT, Headers, headers_of
from scorekeeper.api.layers.rate_limits import Limits
from scorekeeper.api.layers.request_log_layer import NO_SNIFFING
from scorekeeper.api.layers.timeouts import ClientLeft, whole_body
from scorekeeper.api.log.request_context import RequestContext, begin, request_id
from scorekeeper.api.log.request_log import NO_ANSWER, RequestLog
from scorekeeper.api.problems.problems import error_answer, refusal
from scorekeeper.api.problems.suggestions import with_nearest
from scorekeeper.match.events.fields import SLUG
from scorekeeper.service.command import Outcome
from scorekeeper.service.identity.access import Caller, Right, authorise, bearer_digest
from scorekeeper.service.matches.recording import ToRecord
from scorekeeper.service.refused import Refused
from scorekeeper.service.services import Services

_SLUG = SLUG.removeprefix("^").partition("$")[0].encode()
_PATH = re.compile(rb"/v1/leagues/(%b)/matches/(%b)/events" % (_SLUG, _SLUG))
_LONGEST_LENGTH = len(str(BODY_LIMIT))
# Headers that change how a body is read.
_UNUSUAL = frozenset({b"content-encoding", b"transfer-encoding", b"expect"})

_JSON = (b"content-type", b"application/json")


class FastAppendRequest(msgspec.Struct, frozen=True, gc=False):
    """A request to append, up to its body."""

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
    """Answers plain requests to append; `app` answers all others.

    `services` have to be there before the first request comes.
    """

    services: Services

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
        except ClientLeft:
            return
        finally:
            self._request_log.end(started, "POST", wanted.path, TEMPLATE, status, wanted.trace)
        headers, body = await compressed(scope, headers, body)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    def _taken(self, scope: HTTPScope) -> FastAppendRequest | None:
        """None where it has to go the ordinary way, and nothing was counted."""
        found = _PATH.fullmatch(scope["raw_path"])
        if found is None or scope["query_string"]:
            return None
        headers = headers_of(scope)
        length = _plain_length(headers)
        under = None if length is None else _conditions(headers)
        if length is None or under is None:
            return None
        token = bearer_digest(headers.get(b"authorization", b""))
        caller = self.services.access.remembered(token)
        if caller is None or not self._limits.admits(token):
            return None
        league, match = found[1].decode(), found[2].decode()
        trace = RequestContext(request_id(headers.get(b"x-request-id")), caller.token_id)
        return FastAppendRequest(caller, scope["path"], league, match, length, under, trace)

    async def _answer(self, scope: Scope, wanted: FastAppendRequest, receive: Receive) -> "_Answer":
        """Raises ClientLeft."""
        try:
            authorise(wanted.caller, Right.RECORD, wanted.league)
            asked = _asked(wanted, await whole_body(receive, wanted.length))
            return _written(await self.services.recording.record(asked), wanted.trace)
        except ClientLeft:
            raise
        except Exception as error:  # noqa: BLE001 the problems know which of them is a bug
            begin(scope, wanted.trace)
            refused = await with_nearest(refusal(scope, error), wanted.address, self.services.names)
            status, headers, body = error_answer(scope, refused)
            return status, [*headers, _echo(wanted.trace), NO_SNIFFING], body


_Answer = tuple[int, list[tuple[bytes, bytes]], bytes]


def _asked(wanted: FastAppendRequest, body: bytes) -> ToRecord:
    request = read_append(body)
    return to_record(
        wanted.caller, wanted.path, wanted.under, wanted.league, wanted.match, request, body
    )


def _plain_length(headers: Headers) -> int | None:
    """That of a body which is JSON as it stands, not chunked, and not too long; of others None."""
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


def _conditions(headers: Headers) -> Conditions | None:
    """None where the ordinary way has to say what is wrong with them."""
    try:
        return conditions(headers)
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
