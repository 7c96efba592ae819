"""How a match went by the rules: its audit, and the replay of a round step by step."""

from typing import Annotated

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter

from scorekeeper.api.handler_context import (
    AT,
    LANG,
    NAMES,
    QUERY,
    RIGHT,
    AtParameter,
    Call,
    Lang,
    LeagueSlug,
    MatchSlug,
    NamesParameter,
    RoundNumber,
    audience_of,
    encoded_response,
    language_of,
    services_of,
)
from scorekeeper.service.identity.access import Right
from scorekeeper.service.integrity.audit_presenter import AuditView
from scorekeeper.service.questions import MatchCheck
from scorekeeper.service.reading.matches import View
from scorekeeper.service.reading.replay_views import ReplayView
from scorekeeper.service.reading.replays import RoundReplay


@get(
    "/v1/leagues/{league:str}/matches/{match:str}/audit",
    operation_id="auditMatch",
    summary="Check a match",
    description=(
        "Its chain, its contents and its place in the ledger's tree; what the service concluded; "
        "every card; violations with their clauses, amendments, disputes, what was voided or "
        "erased, and who recorded what. Each comes with a sentence."
    ),
    tags=["matches"],
    opt={RIGHT: Right.READ, QUERY: AT | LANG | NAMES},
)
async def audit_match(
    request: Call,
    league: LeagueSlug,
    match: MatchSlug,
    at: AtParameter = None,
    lang: Lang = None,
    names: NamesParameter = None,
) -> Response[AuditView]:
    asked = MatchCheck(
        league=league,
        match=match,
        audience=audience_of(request),
        at=at,
        language=language_of(request, lang),
        naming=names,
    )
    return encoded_response(await services_of(request).answering.answer(asked), AuditView)


@get(
    "/v1/leagues/{league:str}/matches/{match:str}/rounds/{number:int}/replay",
    operation_id="replayRound",
    summary="Replay a round step by step",
    description=(
        "What happened, who recorded it, by which clauses, whether it was legal on what is known "
        "by now, and what followed; the score unfolds to cards and steps. `view=recorded` shows "
        "each entry as the book stood when it was recorded, `view=corrected` the log with its "
        "amendments."
    ),
    tags=["matches"],
    opt={RIGHT: Right.READ, QUERY: AT | LANG | NAMES | {"view"}},
)
async def replay_round(
    request: Call,
    league: LeagueSlug,
    match: MatchSlug,
    number: RoundNumber,
    view: Annotated[
        View, QueryParameter(description="As it was recorded, or with its amendments.")
    ] = "corrected",
    at: AtParameter = None,
    lang: Lang = None,
    names: NamesParameter = None,
) -> Response[ReplayView]:
    asked = RoundReplay(
        league=league,
        match=match,
        round=number,
        audience=audience_of(request),
        view=view,
        at=at,
        language=language_of(request, lang),
        naming=names,
    )
    return encoded_response(await services_of(request).answering.answer(asked), ReplayView)


ROUTES: list[HTTPRouteHandler] = [
    audit_match,
    replay_round,
]
