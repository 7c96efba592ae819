"""Appending to a match.

The route is an ordinary one. `fast_append` answers most of its requests before they get here, by
the same functions.
"""

from typing import Final

import msgspec
from litestar import Response, post
from litestar.params import JSONBody

from scorekeeper.api.document.openapi import OPERATION
from scorekeeper.api.handler_context import (
    QUERY,
    RIGHT,
    Call,
    caller_of,
    checked_key,
    command_response,
    services_of,
)
from scorekeeper.api.layers.conditional import if_match
from scorekeeper.api.layers.input_validation import Headers, headers_of
from scorekeeper.api.parameters import LANG, NAMES, Lang, LeagueSlug, MatchSlug, NamesParameter
from scorekeeper.service.identity.access import Caller, Right
from scorekeeper.service.matches.recording import ToRecord
from scorekeeper.service.reading.match_request import AppendRequest
from scorekeeper.service.views import AppendView
from scorekeeper.texts.language import Language, negotiate

TEMPLATE: Final = "/v1/leagues/{league}/matches/{match}/events"
"""The route in the figures."""

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
    opt={RIGHT: Right.RECORD, QUERY: LANG | NAMES, OPERATION: _OPERATION},
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
        conditions(headers_of(request.scope), lang),
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
    """What the headers say of an append; `key` is the Idempotency-Key as it was sent."""

    expected: frozenset[int] | None
    key: str | None
    language: Language


def conditions(headers: Headers, lang: Language | None = None) -> Conditions:
    """Raises Refused (`malformed`)."""
    condition = if_match(_text(headers.get(b"if-match")))
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
    """`request`, which was read from `body`. Raises Refused."""
    key = None if under.key is None else checked_key(under.key, caller, "POST", path, body)
    return ToRecord(caller, league, match, request.events, under.expected, key, under.language)


def _text(header: bytes | None) -> str | None:
    return None if header is None else header.decode("latin-1")
