"""Trying an amendment (what-if), and undo. Other amendments are appended like any event."""

from litestar import Response, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody

from scorekeeper.api.document.components import (
    NOT_REPLAYED,
    OPERATION,
    WITH_VERSION,
    may_answer,
    ref,
)
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
    command_response,
    encoded_response,
    idempotency_key_of,
    language_of,
    services_of,
)
from scorekeeper.api.layers.representation import if_match_of
from scorekeeper.service.identity.access import Right
from scorekeeper.service.matches.amendments import ToUndo, WhatIfView
from scorekeeper.service.questions import WhatIfQuestion
from scorekeeper.service.reading.match_request import UndoRequest, WhatIf
from scorekeeper.service.refused import Refused
from scorekeeper.service.views import AppendView

_NO_REASON = UndoRequest()
_UNDO = {
    "parameters": [ref("parameters", "IfMatchNeeded")],
    "responses": {
        "200": WITH_VERSION,
        "201": WITH_VERSION,
        **may_answer(428),
    },
}


@post(
    "/v1/leagues/{league:str}/matches/{match:str}/what-if",
    operation_id="tryAmendment",
    summary="Ask what an amendment would change",
    description="Every number as it would be: in this match, in its tournament, and in the lines "
    "that the people of this match have in the league's table; `changes` has what differs from "
    "now, leaf by leaf. Nothing is recorded; refusals are as for recording.",
    tags=["matches"],
    status_code=200,
    opt={RIGHT: Right.RECORD, QUERY: LANG | NAMES, NOT_REPLAYED: True},
)
async def try_amendment(
    request: Call,
    league: LeagueSlug,
    match: MatchSlug,
    data: JSONBody[WhatIf],
    lang: Lang = None,
    names: NamesParameter = None,
) -> Response[WhatIfView]:
    # Nothing is written, so a retry can't write twice. The key is only checked, no answer is kept.
    await idempotency_key_of(request)
    asked = WhatIfQuestion(
        league=league,
        match=match,
        amendment=data,
        language=language_of(request, lang),
        naming=names,
    )
    return encoded_response(await services_of(request).answering.answer(asked), WhatIfView)


@post(
    "/v1/leagues/{league:str}/matches/{match:str}/undo",
    operation_id="undoLastTap",
    summary="Take back what was told last",
    description=(
        "Records an amendment: it removes the event that was told last, or withdraws the amendment "
        "that was. What undo itself recorded is passed over, so that a second undo takes back the "
        "event before. A note, a dispute or a ruling stays, and nothing older is taken back in its "
        "place (`nothing-to-undo`). `of` names another event by its id. It has to be told with the "
        "same token, except if an owner asks, and no later event may rest on it "
        "(`undo-would-void`). `If-Match` has the version that the caller saw."
    ),
    tags=["matches"],
    opt={RIGHT: Right.RECORD, QUERY: LANG | NAMES, OPERATION: _UNDO},
)
async def undo_last_tap(
    request: Call,
    league: LeagueSlug,
    match: MatchSlug,
    data: JSONBody[UndoRequest] = _NO_REASON,
    lang: Lang = None,
    names: NamesParameter = None,
) -> Response[AppendView]:
    services, language = services_of(request), language_of(request, lang)
    condition = if_match_of(request.scope)
    if condition is None:
        raise Refused("if-match-needed")
    asked = ToUndo(
        caller_of(request),
        league,
        match,
        reason=data.reason,
        of=data.event_id,
        expected=condition.versions,
        key=await idempotency_key_of(request),
        language=language,
    )
    async with services.by_name.refusing(league, names, language):
        outcome = await services.undoing.undo(asked)
    outcome = await services.by_name.answer(league, match, outcome, names, language)
    return command_response(outcome, AppendView)


ROUTES: list[HTTPRouteHandler] = [try_amendment, undo_last_tap]
