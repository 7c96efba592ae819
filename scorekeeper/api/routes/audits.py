"""Audits of a match."""

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler

from scorekeeper.api.handler_context import (
    QUERY,
    RIGHT,
    Call,
    audience_of,
    encoded_response,
    language_of,
    services_of,
)
from scorekeeper.api.parameters import (
    AT,
    LANG,
    NAMES,
    AtParameter,
    Lang,
    LeagueSlug,
    MatchSlug,
    NamesParameter,
)
from scorekeeper.service.identity.access import Right
from scorekeeper.service.integrity.audit_presenter import AuditView
from scorekeeper.service.questions import MatchCheck


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


ROUTES: list[HTTPRouteHandler] = [audit_match]
