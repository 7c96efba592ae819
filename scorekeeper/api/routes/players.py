"""The players of a league."""

from functools import partial

from litestar import Response, get, patch, post
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
    PlayerSlug,
    caller_of,
    command_response,
    idempotency_key_of,
    services_of,
)
from scorekeeper.api.lists import decode_number, listing, listing_by_key
from scorekeeper.service.identity.access import Right, authorise
from scorekeeper.service.standings.rating import PlayerPage, RatedMatchView
from scorekeeper.service.views import Listing, PlayerChange, PlayerRegistration, PlayerView


@post(
    "/v1/leagues/{league:str}/players",
    operation_id="registerPlayer",
    summary="Register a player",
    description="The slug goes into the ledger, the name lies beside it and can be erased.",
    tags=["players"],
    opt={RIGHT: Right.RECORD, OPERATION: MAKING},
)
async def register_player(
    request: Call, league: LeagueSlug, data: JSONBody[PlayerRegistration]
) -> Response[PlayerView]:
    outcome, player = await services_of(request).players.register(
        caller_of(request), league, data, await idempotency_key_of(request)
    )
    return command_response(outcome, PlayerView, location=f"/v1/leagues/{league}/players/{player}")


@get(
    "/v1/leagues/{league:str}/players",
    operation_id="listPlayers",
    summary="List the players",
    description="By slug.",
    tags=["players"],
    opt={RIGHT: Right.READ, QUERY: PAGING},
)
async def list_players(
    request: Call, league: LeagueSlug, limit: Limit = 100, cursor: Cursor = None
) -> Response[Listing[PlayerView]]:
    read = partial(services_of(request).players.list, league)
    return await listing_by_key(request, read, limit, cursor, key=lambda each: each.player)


@get(
    "/v1/leagues/{league:str}/players/{player:str}",
    operation_id="readPlayer",
    summary="Read a player",
    description="The player's slug and name, statistics and rating; a name that was erased is "
    "null, and so is the rating of somebody who has finished no match.",
    tags=["players"],
    opt={RIGHT: Right.READ},
)
async def read_player(request: Call, league: LeagueSlug, player: PlayerSlug) -> PlayerPage:
    return await services_of(request).player_pages.read(league, player)


@get(
    "/v1/leagues/{league:str}/players/{player:str}/ratings",
    operation_id="listRatings",
    summary="List a player's ratings, match by match",
    description="In the order in which the matches were won.",
    tags=["players"],
    opt={RIGHT: Right.READ, QUERY: PAGING},
)
async def list_ratings(
    request: Call,
    league: LeagueSlug,
    player: PlayerSlug,
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Response[Listing[RatedMatchView]]:
    page = await services_of(request).ratings.history(
        league, player, after=decode_number(cursor) or 0, limit=limit + 1
    )
    return listing(request, page, limit, key=lambda each: str(each.position))


@patch(
    "/v1/leagues/{league:str}/players/{player:str}",
    operation_id="changePlayer",
    summary="Rename a player, or erase the name",
    description="A null name erases it for good, which only an owner may do, and is an entry.",
    tags=["players"],
    opt={RIGHT: Right.RECORD},
)
async def change_player(
    request: Call, league: LeagueSlug, player: PlayerSlug, data: JSONBody[PlayerChange]
) -> PlayerView:
    if data.name is None:
        caller = caller_of(request)
        authorise(caller, Right.OWN, league)
        return await services_of(request).players.erase_name(caller, league, player)
    return await services_of(request).players.rename(league, player, data.name)


ROUTES: list[HTTPRouteHandler] = [
    register_player,
    list_players,
    read_player,
    list_ratings,
    change_player,
]
