"""Problem details (RFC 9457): all error answers, and the one table of their HTTP statuses."""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Annotated, Any, Self
from urllib.parse import parse_qsl, quote

import msgspec
import structlog
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.types import ASGIApp, Receive, Scope, Send
from msgspec import UNSET, Meta, UnsetType

from scorekeeper.api.lifespan import services_in
from scorekeeper.api.structured_log import trace_of
from scorekeeper.api.suggestions import with_nearest
from scorekeeper.api.validation_errors import FieldError, contradictory, malformed, query_errors
from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.match.events.fields import TimeOutOfRange
from scorekeeper.projections.scoreboard import RoundView
from scorekeeper.service.refused import Refused, not_found
from scorekeeper.service.views import ViolationView, VoidedView
from scorekeeper.texts.language import Language, negotiate
from scorekeeper.texts.message import problem_detail, title, wording

MEDIA_TYPE = "application/problem+json"

_WAIT_SECONDS = 1


class Code(Enum):
    """A problem's stable name; the list is closed."""

    status: int

    def __new__(cls, value: str, status: int) -> Self:
        code = object.__new__(cls)
        code._value_ = value
        code.status = status
        return code

    MALFORMED = "malformed", 400
    EVENT_IDS_INCOMPLETE = "event-ids-incomplete", 400
    EVENT_ID_TWICE = "event-id-twice", 400
    UNAUTHORIZED = "unauthorized", 401
    INVITATION_UNKNOWN = "invitation-unknown", 401
    FORBIDDEN = "forbidden", 403
    NOT_FOUND = "not-found", 404
    METHOD_NOT_ALLOWED = "method-not-allowed", 405
    REQUEST_TIMEOUT = "request-timeout", 408
    LEAGUE_EXISTS = "league-exists", 409
    PLAYER_EXISTS = "player-exists", 409
    MATCH_EXISTS = "match-exists", 409
    TOURNAMENT_EXISTS = "tournament-exists", 409
    TOO_MANY_INVITATIONS = "too-many-invitations", 409
    EVENT_IDS_OUT_OF_ORDER = "event-ids-out-of-order", 409
    EVENT_ID_REUSED = "event-id-reused", 409
    EVENT_ERASED = "event-erased", 409
    DISPUTE_CLOSED = "dispute-closed", 409
    ROUND_TAKEN = "round-taken", 409
    ROUND_NOT_REACHED = "round-not-reached", 409
    NOTHING_TO_UNDO = "nothing-to-undo", 409
    UNDO_WOULD_VOID = "undo-would-void", 409
    IDEMPOTENCY_KEY_REUSED = "idempotency-key-reused", 409
    LOG_FORKED = "log-forked", 409
    VERSION_MISMATCH = "version-mismatch", 412
    BODY_TOO_LARGE = "body-too-large", 413
    UNSUPPORTED_MEDIA_TYPE = "unsupported-media-type", 415
    IMPOSSIBLE_EVENT = "impossible-event", 422
    RULE_VIOLATION = "rule-violation", 422
    DEALER_NEEDED = "dealer-needed", 422
    PLAYER_NOT_REGISTERED = "player-not-registered", 422
    EDITION_UNKNOWN = "edition-unknown", 422
    PLAYERS_INVALID = "players-invalid", 422
    TEAMS_INVALID = "teams-invalid", 422
    TEAMS_NOT_OPPOSITE = "teams-not-opposite", 422
    TEAMS_NOT_IN_MODE = "teams-not-in-mode", 422
    TEAM_SCORING_NOT_IN_MODE = "team-scoring-not-in-mode", 422
    PLAYERS_NOT_SCHEDULABLE = "players-not-schedulable", 422
    ROUNDS_PER_PARTNER_INVALID = "rounds-per-partner-invalid", 422
    ROUNDS_NEEDED = "rounds-needed", 422
    SCORING_INVALID = "scoring-invalid", 422
    OPTION_NOT_IN_EDITION = "option-not-in-edition", 422
    OPTION_NOT_IN_MODE = "option-not-in-mode", 422
    OPTION_INVALID = "option-invalid", 422
    HOUSE_RULE_INVALID = "house-rule-invalid", 422
    DEALER_NOT_IN_MATCH = "dealer-not-in-match", 422
    SEATING_INVALID = "seating-invalid", 422
    COLOR_NOT_OPEN = "color-not-open", 422
    HOUSE_RULE_NOT_IN_FORCE = "house-rule-not-in-force", 422
    SWAP_NEEDED = "swap-needed", 422
    EFFECTS_NOT_ALLOWED = "effects-not-allowed", 422
    NOT_IN_EDITION = "not-in-edition", 422
    POINTS_NEEDED = "points-needed", 422
    VERDICT_NEEDED = "verdict-needed", 422
    POSITION_UNKNOWN = "position-unknown", 422
    NOT_ERASABLE = "not-erasable", 422
    PROOF_IMPOSSIBLE = "proof-impossible", 422
    AMENDMENT_OVERLAPS = "amendment-overlaps", 422
    MATCH_FULL = "match-full", 422
    ROWS_REFUSED = "rows-refused", 422
    TOO_MANY_AMENDMENTS = "too-many-amendments", 422
    OPENING_FIXED = "opening-fixed", 422
    INFERRED_NOT_REMOVABLE = "inferred-not-removable", 422
    IF_MATCH_NEEDED = "if-match-needed", 428
    TOO_MANY_REQUESTS = "too-many-requests", 429
    TOO_MANY_FOLLOWERS = "too-many-followers", 429
    INTERNAL = "internal", 500
    UNAVAILABLE = "unavailable", 503

    @property
    def title(self) -> str:
        """The title in English. All problems of the code share it."""
        return title(self.value, "en")


CODES = {code.value: code for code in Code}


class Fault(msgspec.Struct, frozen=True):
    """A place in the request that can't be read: `at` is a path such as `$.events[3].card`."""

    at: str
    detail: str


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An error as RFC 9457 has it. `code` is the stable name to branch on, `reason` a finer one."""

    type: Annotated[str, Meta(description="A URI reference: /problems/ and the code.")]
    title: Annotated[
        str, Meta(description="The same for every problem of one code in one language.")
    ]
    status: Annotated[int, Meta(ge=400, le=599)]
    detail: Annotated[str, Meta(description="What was wrong this time, for people.")]
    instance: Annotated[str, Meta(description="The path that was asked for.")]
    code: Code
    request_id: Annotated[str, Meta(description="Also in the X-Request-Id header and in the log.")]
    reason: str | UnsetType = UNSET
    facts: Mapping[str, Any] | UnsetType = UNSET
    event_index: (
        Annotated[int | None, Meta(description="Counts the request's events from 0.")] | UnsetType
    ) = UNSET
    match_index: (
        Annotated[int, Meta(description="Counts the request's matches from 0.")] | UnsetType
    ) = UNSET
    violations: Sequence[ViolationView] | UnsetType = UNSET
    voided: (
        Annotated[
            Sequence[VoidedView],
            Meta(description="With `undo-would-void`: what could not be applied any more."),
        ]
        | UnsetType
    ) = UNSET
    version: Annotated[int, Meta(description="With 412: the current one.")] | UnsetType = UNSET
    round: (
        Annotated[RoundView, Meta(description="With `round-taken`: as the round is recorded.")]
        | UnsetType
    ) = UNSET
    nearest: (
        Annotated[Sequence[int | str], Meta(description="Values near the one refused that work.")]
        | UnsetType
    ) = UNSET
    errors: Sequence[Fault] | UnsetType = UNSET


_encode = msgspec.json.Encoder().encode


def _answer(scope: Scope, refused: Refused) -> tuple[Code, dict[str, str], bytes]:
    """Return the problem's code, its headers and its body, in the language that is asked for."""
    code = CODES[refused.code]
    language = _language(scope)
    members = dict(refused.members)
    retry_after: Any = members.pop("retry_after", None)
    allow: Any = members.pop("allow", ())
    misfits: Any = members.pop("errors", ())
    facts = refused.facts or {}
    template = wording(refused.code, refused.reason, facts)
    body = _problem(
        scope,
        code,
        problem_detail(template, facts, language, refused.words),
        language,
        reason=refused.reason,
        facts=refused.facts,
        errors=[_fault(each, language) for each in misfits] or None,
        **members,
    )
    headers = _headers(code, language)
    if code.status == 405:
        headers["allow"] = ", ".join(sorted({*allow, "HEAD"} if "GET" in allow else allow))
    if code.status in {429, 503}:
        headers["retry-after"] = str(retry_after or _WAIT_SECONDS)
    if code is Code.VERSION_MISMATCH and "version" in members:
        headers["etag"] = f'"{members["version"]}"'
    return code, headers, body


def _fault(misfit: FieldError, language: Language) -> Fault:
    return Fault(misfit.at, problem_detail(misfit.wording, misfit.facts, language))


def _headers(code: Code, language: Language) -> dict[str, str]:
    headers = {
        "content-type": MEDIA_TYPE,
        "content-language": language,
        "cache-control": "no-store",
    }
    if code.status == 401:
        headers["www-authenticate"] = "Bearer"
    if code.status == 408:
        # The rest of the body is still on its way.
        headers["connection"] = "close"
    return headers


def _problem(scope: Scope, code: Code, detail: str, language: Language, **members: object) -> bytes:
    """Encode a problem, without the members that are None."""
    given: dict[str, Any] = {name: value for name, value in members.items() if value is not None}
    return _encode(
        Problem(
            type=f"/problems/{code.value}",
            title=title(code.value, language),
            status=code.status,
            detail=detail,
            # The path as it was sent: the framework turns two slashes in its path into one.
            instance=quote(scope["raw_path"], safe="%/:@!$&'()*+,;=~"),
            code=code,
            request_id=trace_of(scope).request_id,
            **given,
        )
    )


def _language(scope: Scope) -> Language:
    """Return the language that is asked for, even if the rest of the request can't be read."""
    asked = dict(parse_qsl(scope["query_string"].decode("latin-1"))).get("lang")
    accepted = (value for name, value in scope["headers"] if name == b"accept-language")
    return negotiate(asked, next(accepted, b"").decode("latin-1"))


def _pairs(headers: Mapping[str, str], body: bytes) -> list[tuple[bytes, bytes]]:
    """Return the headers in the form of ASGI, with Content-Length added."""
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    pairs.append((b"content-length", b"%d" % len(body)))
    return pairs


# The codes for what Litestar itself refuses, by its HTTP status. Any other is `malformed`.
_LITESTAR = {
    401: "unauthorized",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    413: "body-too-large",
    415: "unsupported-media-type",
    429: "too-many-requests",
    503: "unavailable",
}


def refusal(scope: Scope, error: Exception) -> Refused:
    """Return the refusal that answers an error. That of a bug does not tell the cause.

    The cause of a bug is logged. The error's traceback is dropped, and with it the references to
    the request.
    """
    refused = _refusal_of(scope, error)
    _let_go(error)
    return refused


def refusal_and_status(scope: Scope, error: Exception) -> tuple[int, Refused]:
    """Return the HTTP status and the refusal, for an answer that is no problem, such as a page."""
    refused = refusal(scope, error)
    return CODES[refused.code].status, refused


def _let_go(error: BaseException) -> None:
    """Drop the frames that an error went through, and with them the request and its body.

    A frame that refers to its error forms a cycle with it. A cycle stays in memory until the
    garbage collector runs, which is rare.
    """
    left: list[BaseException | None] = [error]
    while left:
        each = left.pop()
        if each is not None and each.__traceback__ is not None:
            each.__traceback__ = None
            left += [each.__cause__, each.__context__]


def _refusal_of(scope: Scope, error: Exception) -> Refused:
    match error:
        case Refused():
            return error
        case LedgerUnavailable():
            _log_away(scope, error)
            return Refused("unavailable")
        case HTTPException() if error.status_code < 500 or error.status_code in _LITESTAR:
            return _refused_by_litestar(scope, error)
        case TimeOutOfRange():
            return malformed([contradictory(str(error))])
        case _:
            # Also if what is stored can't be read: the client did not send that.
            log_bug(scope, error)
            return Refused("internal")


def log_bug(scope: Scope, error: Exception) -> None:
    """Log the cause of an internal error under the request's id; the answer does not tell it."""
    structlog.get_logger().error("failed", request_id=trace_of(scope).request_id, exc_info=error)


def _log_away(scope: Scope, error: LedgerUnavailable) -> None:
    """Log for operators why the database is unavailable, such as a full disk or a damaged file."""
    request_id = trace_of(scope).request_id
    structlog.get_logger().warning("unavailable", request_id=request_id, why=str(error))


def _refused_by_litestar(scope: Scope, error: HTTPException) -> Refused:
    """Return our own refusal, since the wording of Litestar's varies."""
    code = _LITESTAR.get(error.status_code, "malformed")
    if code == "not-found":
        return not_found("address")
    if code == "method-not-allowed":
        allowed = (error.headers or {}).get("allow", "")
        return Refused(code, allow=[method for method in allowed.split(", ") if method])
    if code == "malformed" and isinstance(error, ValidationException):
        extra: Any = error.extra if isinstance(error.extra, list) else []
        unfit = {field.get("key", "") for field in extra}
        query = dict(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True))
        # A body that came at all is decoded by our own decoder: `data` is unfit only if none came.
        reason = "not-json" if "data" in unfit else None
        return query_errors(scope["route_handler"], query, unfit) or Refused(code, reason=reason)
    return Refused(code)


class _ErrorResponse(Response[bytes]):
    """A refusal whose answer is made when it is sent: only then can suggestions be looked up."""

    def __init__(self, scope: Scope, error: Exception) -> None:
        super().__init__(b"")
        self._refused = refusal(scope, error)

    def to_asgi_response(self, *_: object, **__: object) -> ASGIApp:  # type: ignore[override]
        """Return an ASGI application that sends the problem in place of Litestar's response."""

        async def send_refusal(scope: Scope, receive: Receive, send: Send) -> None:
            del receive
            known: dict[str, Any] = dict(scope)
            may_look = "caller" in known["state"]
            names = services_in(scope).names if may_look else None
            address = known.get("path_params", {})
            await send_error(scope, send, await with_nearest(self._refused, address, names))

        return send_refusal


def answer_error(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Answer any exception that Litestar meets. A bug is logged."""
    return _ErrorResponse(request.scope, error)


async def send_error(
    scope: Scope, send: Send, error: Exception, headers: Sequence[tuple[bytes, bytes]] = ()
) -> None:
    """Send the problem that answers an error with further `headers`, by plain ASGI."""
    status, own, body = error_answer(scope, error)
    await send({"type": "http.response.start", "status": status, "headers": [*own, *headers]})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def error_answer(scope: Scope, error: Exception) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    """Return the status, headers and body of the problem that answers an error."""
    code, headers, body = _answer(scope, refusal(scope, error))
    return code.status, _pairs(headers, body), body


EXCEPTION_HANDLERS: dict[
    int | type[Exception], Callable[[Request[Any, Any, Any], Any], Response[Any]]
] = {Exception: answer_error}
