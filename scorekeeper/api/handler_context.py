"""What a handler reads of its request, and what it answers with.

It reads parameters, a body, its services, its caller. An answer that is constant while the process
runs is encoded once, with an ETag of its content.
"""

import hashlib
from collections.abc import Mapping
from datetime import date
from functools import cache
from typing import Annotated, Any, TypeAlias, TypeVar, cast

import msgspec
from litestar import Request, Response
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.datastructures.headers import Accept, MediaTypeHeader
from litestar.enums import MediaType
from litestar.handlers.base import BaseRouteHandler
from litestar.params import PathParameter, QueryParameter
from msgspec import Struct

from scorekeeper.api.layers.input_validation import READING_METHODS, check_body, decoded
from scorekeeper.api.layers.session_cookies import session_of
from scorekeeper.api.lifespan import services_in
from scorekeeper.api.structured_log import trace_of
from scorekeeper.api.validation_errors import malformed, not_a_choice
from scorekeeper.match.events.fields import MOST_VERSIONS
from scorekeeper.service.command import IdempotencyKey, KeyOfHolder, Outcome, idempotency_key
from scorekeeper.service.identity.access import Audience, Caller, Right, audience, authorise
from scorekeeper.service.questions import QuestionAnswer
from scorekeeper.service.reading.people import Naming
from scorekeeper.service.refused import Refused, not_found
from scorekeeper.service.services import Services
from scorekeeper.service.slugs import near
from scorekeeper.texts.language import LANGUAGES, Language, negotiate

EditionId: TypeAlias = Annotated[str, PathParameter(description="The edition's id.")]
LeagueSlug: TypeAlias = Annotated[str, PathParameter(description="The league's slug.")]
MatchSlug: TypeAlias = Annotated[str, PathParameter(description="The match's slug.")]
PlayerSlug: TypeAlias = Annotated[str, PathParameter(description="The player's slug.")]
RoundNumber: TypeAlias = Annotated[int, PathParameter(description="Counts from 1.")]
TournamentSlug: TypeAlias = Annotated[str, PathParameter(description="The tournament's slug.")]
TokenId: TypeAlias = Annotated[str, PathParameter(description="The token's id.")]

Lang: TypeAlias = Annotated[
    Language | None,
    QueryParameter(description="The language of texts; wins over Accept-Language."),
]
NamesParameter: TypeAlias = Annotated[
    Naming | None,
    QueryParameter(
        description="`display`: texts call people by their names, where they would call them by "
        "their slugs; whoever sits in for somebody is called by the own name. Data keep the slugs."
    ),
]
AtParameter: TypeAlias = Annotated[
    int | None,
    QueryParameter(ge=1, le=MOST_VERSIONS, description="A past version; by default the latest."),
]
After: TypeAlias = Annotated[
    int, QueryParameter(ge=0, le=MOST_VERSIONS, description="The version read last.")
]
PositionParameter: TypeAlias = Annotated[
    int | None,
    QueryParameter(
        ge=0, le=MOST_VERSIONS, description="The position up to which everything is known."
    ),
]
Limit: TypeAlias = Annotated[
    int,
    QueryParameter(
        ge=1,
        le=1_000,
        description="How many items a page has at the most. It ends at a mebibyte, too.",
    ),
]
Cursor: TypeAlias = Annotated[
    str | None,
    QueryParameter(max_length=512, description="Where the page begins: `next` of the page before."),
]

From: TypeAlias = Annotated[
    date | None, QueryParameter(name="from", description="Only matches from this day on.")
]
To: TypeAlias = Annotated[
    date | None, QueryParameter(name="to", description="Only matches up to this day, included.")
]

AT = frozenset({"at"})
LANG = frozenset({"lang"})
NAMES = frozenset({"names"})
PAGING = frozenset({"limit", "cursor"})

# Litestar would take the word "null" for the absence of these.
NEVER_NULL = AT | LANG | NAMES | {"after", "from", "seats", "size", "status", "to", "view"}


Call = Request[Caller, None, State]
Connection = ASGIConnection[Any, Any, Any, Any]
T = TypeVar("T")

RIGHT = "right"
QUERY = "query"

BY_ACCEPT = {"vary": "Accept"}
"""Headers of an answer whose media type was chosen by `wants`: it varies with Accept, too."""

NO_STORE = {"cache-control": "no-store"}

_KEY_LENGTH = 255


class StrictRequest(Request[Any, Any, Any]):
    """Decodes a body strictly, as the type that its handler takes.

    Litestar alone would convert: the text "7" to a number, a number to a time.
    """

    async def json(self) -> Any:  # noqa: ANN401 whatever the handler takes
        taken = self.route_handler.parsed_data_field
        if taken is None:
            return await super().json()
        return decoded(_decoder(taken.annotation), await self.body())


class _NoFields(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of an operation that takes none: a client may send an empty object all the same."""


@cache
def _decoder(kind: Any) -> msgspec.json.Decoder[Any]:  # noqa: ANN401 a type
    return msgspec.json.Decoder(kind)


def services_of(call: Connection) -> Services:
    """Return the services that answer this request."""
    return services_in(call.scope)


def caller_of(call: Connection) -> Caller:
    """Return the caller. Only requests to routes that are not public have one."""
    return cast("Caller", call.scope["state"]["caller"])


async def callers_of(request: "Call") -> list[Caller]:
    """Return the holders of all tokens that came with this request, as `Access.callers` does.

    A browser may hold tokens of several leagues. Raises Refused (`unauthorized`).
    """
    header = request.headers.get("authorization")
    return await services_of(request).access.callers(session_of(request.scope), header)


def audience_of(call: Connection) -> Audience:
    """Return the caller's audience: it decides on the hidden cards of a round in progress."""
    return audience(caller_of(call))


async def guard(connection: Connection, handler: BaseRouteHandler) -> None:
    """Let a request through to its handler, which declares its right and its query names."""
    right = Right(handler.opt[RIGHT])
    if right is not Right.PUBLIC:
        header = connection.headers.get("authorization")
        caller = await services_of(connection).access.caller(header)
        trace_of(connection.scope).token_id = caller.token_id
        connection.scope["state"]["caller"] = caller
        authorise(caller, right, connection.path_params.get("league"))
    _check_numbers(connection)
    _check_query(connection, handler.opt.get(QUERY, frozenset()) | LANG)


async def check_request(request: Call) -> None:
    """Check the body, then the caller once more. The application's `before_request` calls this.

    A body may take long to arrive, and the caller's token may have been revoked meanwhile. Raises
    Refused.
    """
    await check_body(request)
    if request.method in READING_METHODS:
        return
    if request.route_handler.parsed_data_field is None and (body := await request.body()):
        decoded(_decoder(_NoFields), body)
    if "caller" in request.scope["state"]:
        await services_of(request).access.caller(request.headers.get("authorization"))


def _check_numbers(connection: Connection) -> None:
    """Raise Refused (`not-found`) for a number in the address that is written otherwise than `1`.

    Litestar reads `01` and `+1`, too, but one thing has one address.
    """
    template: str = connection.scope["path_template"]
    sent = filter(None, connection.scope["path"].split("/"))
    for part, name in zip(sent, filter(None, template.split("/")), strict=False):
        number = connection.path_params.get(name.strip("{}"))
        if isinstance(number, int) and part != str(number):
            raise not_found("address")


def _check_query(connection: Connection, known: frozenset[str]) -> None:
    """Raises Refused (`malformed`) for a parameter that is unknown, repeated or can't be read."""
    seen: set[str] = set()
    for name, value in connection.query_params.multi_items():
        if name not in known:
            allowed = sorted(known)
            free = [each for each in allowed if each not in connection.query_params]
            facts = {"parameter": name, "allowed": allowed, **near(name, free)}
            raise Refused("malformed", reason="query-unknown", facts=facts)
        if name in seen:
            raise Refused("malformed", reason="query-twice", facts={"parameter": name})
        seen.add(name)
        if name == "lang" and value not in LANGUAGES:
            raise malformed([not_a_choice(name, value, LANGUAGES)])
        if name in NEVER_NULL and value.lower() == "null":
            raise Refused("malformed", reason="query-null", facts={"parameter": name})


def wants(call: Call, media_type: str) -> bool:
    """Return whether `Accept` prefers the media type to JSON, which is the default."""
    try:
        # Litestar knows the order of preference, but not that `q=0` means never (RFC 9110, 12.4.2).
        accepted = Accept(",".join(each for each in call.accept if not _is_refused(each)))
    except OverflowError:  # Litestar reads `q=inf` as a number
        return False
    return accepted.best_match([MediaType.JSON, media_type]) == media_type


def _is_refused(media_range: str) -> bool:
    """Return whether a part of `Accept` says what is not acceptable."""
    try:
        return float(MediaTypeHeader(media_range).params.get("q", "1")) == 0
    except ValueError:
        return False


async def idempotency_key_of(call: Call) -> IdempotencyKey | None:
    """Return the request's Idempotency-Key, if it has one. Raises Refused (`malformed`)."""
    of = await key_of_holder(call)
    return None if of is None else of(caller_of(call).token_id)


async def key_of_holder(call: Call) -> KeyOfHolder | None:
    """Return a function that makes the key of this request for a token's id.

    Return None if the request has no Idempotency-Key. The function raises Refused (`malformed`).
    """
    key = call.headers.get("idempotency-key")
    if key is None:
        return None
    scope, body = call.scope, await call.body()
    return lambda holder: checked_key(key, holder, scope["method"], scope["path"], body)


def checked_key(key: str, token_id: str, method: str, path: str, body: bytes) -> IdempotencyKey:
    """Check the header's value, and return the key that identifies this one request.

    Raises Refused (`malformed`).
    """
    if not 1 <= len(key) <= _KEY_LENGTH or not key.isascii() or not key.isprintable():
        raise Refused("malformed", reason="idempotency-key", facts={"most": _KEY_LENGTH})
    return idempotency_key(token_id=token_id, method=method, path=path, key=key, body=body)


def language_of(call: Call, lang: Language | None) -> Language:
    """Choose the language by `lang`, else by Accept-Language, else English.

    The answer to a GET then names it in Content-Language.
    """
    language = negotiate(lang, call.headers.get("accept-language"))
    trace_of(call.scope).language = language
    return language


def command_response(
    outcome: Outcome, shape: type[T], *, location: str | None = None, secret: bool = False
) -> Response[T]:
    """Answer a writing request: 201 if it wrote, 200 if it had been carried out before.

    `secret`: the answer holds a secret, so no cache may store it.
    """
    headers = NO_STORE.copy() if secret else {}
    if outcome.version is not None:
        headers["etag"] = f'"{outcome.version}"'
    if outcome.replayed is not None:
        headers["idempotency-replayed"] = outcome.replayed
    if location is not None:
        headers["location"] = location
    return Response(
        cast("T", outcome.body),
        status_code=201 if outcome.created else 200,
        headers=headers,
        media_type="application/json",
    )


def encoded_response(answer: QuestionAnswer, shape: type[T]) -> Response[T]:
    """Return an answer that is encoded already, with an ETag if it has a version."""
    headers = {} if answer.tag is None else {"etag": f'"{answer.tag}"'}
    content = cast("T", answer.body)
    return Response(content, headers=headers, media_type=MediaType.JSON)


def versioned_response(content: T, tag: str) -> Response[T]:
    """Answer a reading with the ETag `tag`: a version, and what else the content depends on."""
    return Response(content, headers={"etag": f'"{tag}"'})


class StaticAnswer(Struct, frozen=True):
    """The bytes of an answer, and its strong ETag."""

    body: bytes
    tag: str


def static_answer(body: bytes) -> StaticAnswer:
    return StaticAnswer(body, f'"{hashlib.sha256(body).hexdigest()[:32]}"')


def static_response(
    answer: StaticAnswer, shape: type[T], media_type: str, headers: Mapping[str, str] | None = None
) -> Response[T]:
    """Answer a route with STATIC in its `opt`; `shape` is the type that was encoded."""
    return Response(
        cast("T", answer.body),
        media_type=media_type,
        headers={**(headers or {}), "etag": answer.tag},
    )
