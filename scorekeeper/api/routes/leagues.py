"""Leagues and their tokens."""

from functools import partial

from litestar import Response, delete, get, patch, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody

from scorekeeper.api.document.components import MAKING, OPERATION
from scorekeeper.api.handler_context import (
    PAGING,
    QUERY,
    RIGHT,
    Call,
    Cursor,
    LeagueSlug,
    Limit,
    TokenId,
    caller_of,
    callers_of,
    command_response,
    idempotency_key_of,
    services_of,
)
from scorekeeper.api.lists import listing_by_key
from scorekeeper.service.identity.access import Right
from scorekeeper.service.views import (
    LeagueChange,
    LeagueOpenedView,
    LeagueOpening,
    LeagueView,
    Listing,
    TokenMadeView,
    TokenMaking,
    TokenView,
)


@post(
    "/v1/leagues",
    operation_id="openLeague",
    summary="Open a league",
    description="Opens the league's ledger. The answer holds the owner's token, shown once.",
    tags=["leagues"],
    opt={RIGHT: Right.ADMINISTER, OPERATION: MAKING},
)
async def open_league(request: Call, data: JSONBody[LeagueOpening]) -> Response[LeagueOpenedView]:
    outcome, league = await services_of(request).leagues.open(
        caller_of(request), data, await idempotency_key_of(request)
    )
    return command_response(
        outcome, LeagueOpenedView, location=f"/v1/leagues/{league}", secret=True
    )


@get(
    "/v1/leagues",
    operation_id="listLeagues",
    summary="List the leagues that the caller may see",
    description="An admin sees all leagues, every other token its own, and a browser those of "
    "all its cookies.",
    tags=["leagues"],
    opt={RIGHT: Right.SEE_LEAGUES, QUERY: PAGING},
)
async def list_leagues(
    request: Call, limit: Limit = 100, cursor: Cursor = None
) -> Response[Listing[LeagueView]]:
    read = partial(services_of(request).leagues.list, await callers_of(request))
    return await listing_by_key(request, read, limit, cursor, key=lambda each: each.league)


@get(
    "/v1/leagues/{league:str}",
    operation_id="readLeague",
    summary="Read a league",
    description="The league's slug and its name.",
    tags=["leagues"],
    opt={RIGHT: Right.READ},
)
async def read_league(request: Call, league: LeagueSlug) -> LeagueView:
    return await services_of(request).leagues.read(league)


@patch(
    "/v1/leagues/{league:str}",
    operation_id="renameLeague",
    summary="Rename a league",
    description="The slug stays: it stands in the ledger.",
    tags=["leagues"],
    opt={RIGHT: Right.OWN},
)
async def rename_league(
    request: Call, league: LeagueSlug, data: JSONBody[LeagueChange]
) -> LeagueView:
    return await services_of(request).leagues.rename(league, data.name)


@post(
    "/v1/leagues/{league:str}/tokens",
    operation_id="makeToken",
    summary="Make a token",
    description="The answer holds the token, shown once; only its hash is kept.",
    tags=["tokens"],
    opt={RIGHT: Right.OWN},
)
async def make_token(
    request: Call, league: LeagueSlug, data: JSONBody[TokenMaking]
) -> Response[TokenMadeView]:
    outcome = await services_of(request).tokens.make(
        caller_of(request), league, data, await idempotency_key_of(request)
    )
    return command_response(outcome, TokenMadeView, secret=True)


@get(
    "/v1/leagues/{league:str}/tokens",
    operation_id="listTokens",
    summary="List the tokens in force",
    description="Without their secrets, of which only hashes are kept.",
    tags=["tokens"],
    opt={RIGHT: Right.OWN, QUERY: PAGING},
)
async def list_tokens(
    request: Call, league: LeagueSlug, limit: Limit = 100, cursor: Cursor = None
) -> Response[Listing[TokenView]]:
    read = partial(services_of(request).tokens.list, league)
    return await listing_by_key(request, read, limit, cursor, key=lambda each: each.token_id)


@delete(
    "/v1/leagues/{league:str}/tokens/{token_id:str}",
    operation_id="revokeToken",
    summary="Revoke a token",
    description="The token is refused from then on; what it recorded stays.",
    tags=["tokens"],
    opt={RIGHT: Right.OWN},
)
async def revoke_token(request: Call, league: LeagueSlug, token_id: TokenId) -> None:
    await services_of(request).tokens.revoke(caller_of(request), league, token_id)


ROUTES: list[HTTPRouteHandler] = [
    open_league,
    list_leagues,
    read_league,
    rename_league,
    make_token,
    list_tokens,
    revoke_token,
]
