"""Matches: opening them, and everything that is read of one."""

from collections.abc import AsyncIterator
from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import Parameter
from litestar.response import Stream

from scorekeeper.api.calls import (
    QUERY,
    RIGHT,
    Call,
    caller_of,
    key_of,
    language_of,
    services_of,
    versioned,
    written,
)
from scorekeeper.api.paging import PAGING, Cursor, Limit, decode_number, listing
from scorekeeper.projections.rounds import RoundView
from scorekeeper.projections.scoreboard import Scoreboard
from scorekeeper.service.access import Right
from scorekeeper.service.match_request import MatchFilter, MatchRequest, Status
from scorekeeper.service.refused import not_found
from scorekeeper.service.views import AppendView, EntryView, HandsView, Listing, MatchView

At = Annotated[
    int | None,
    Parameter(ge=1, le=2**53, description="A past version; by default the latest."),
]
After = Annotated[int, Parameter(ge=0, le=2**53, description="The version read last.")]
AT = frozenset({"at"})
NDJSON = "application/x-ndjson"

_encode = msgspec.json.Encoder().encode


@post(
    "/v1/leagues/{league:str}/matches",
    operation_id="openMatch",
    summary="Open a match",
    description="Optional `events` are appended in the same request, all or nothing.",
    tags=["matches"],
    opt={RIGHT: Right.RECORD},
)
async def open_match(request: Call, league: str, data: MatchRequest) -> Response[AppendView]:
    outcome, match = await services_of(request).matches.open(
        caller_of(request), league, data, await key_of(request), language_of(request)
    )
    return written(outcome, AppendView, location=f"/v1/leagues/{league}/matches/{match}")


@get(
    "/v1/leagues/{league:str}/matches",
    operation_id="listMatches",
    summary="List the matches, the latest opened first",
    tags=["matches"],
    opt={RIGHT: Right.READ, QUERY: PAGING | {"status", "player", "edition"}},
)
async def list_matches(
    request: Call,
    league: str,
    status: Status | None = None,
    player: Annotated[str | None, Parameter(max_length=63)] = None,
    edition: Annotated[str | None, Parameter(max_length=63)] = None,
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Response[Listing[MatchView]]:
    chosen = MatchFilter(status=status, player=player, edition=edition)
    page = await services_of(request).matches.list(
        league, chosen, before=decode_number(cursor), limit=limit + 1
    )
    return listing(request, page, limit, key=lambda match: str(match.position))


@get(
    "/v1/leagues/{league:str}/matches/{match:str}",
    operation_id="readScoreboard",
    summary="Read the scoreboard",
    tags=["matches"],
    opt={RIGHT: Right.READ, QUERY: AT},
)
async def read_scoreboard(
    request: Call, league: str, match: str, at: At = None
) -> Response[Scoreboard]:
    board = await services_of(request).reading.scoreboard(league, match, at)
    return versioned(board, board.version)


@get(
    "/v1/leagues/{league:str}/matches/{match:str}/hands",
    operation_id="readHands",
    summary="Read the hands of the round in progress, or of the last one ended",
    tags=["matches"],
    opt={RIGHT: Right.READ, QUERY: AT},
)
async def read_hands(request: Call, league: str, match: str, at: At = None) -> Response[HandsView]:
    version, view = await services_of(request).reading.hands(league, match, at)
    return versioned(view, version)


@get(
    "/v1/leagues/{league:str}/matches/{match:str}/rounds",
    operation_id="listRounds",
    summary="List the rounds",
    tags=["matches"],
    opt={RIGHT: Right.READ, QUERY: AT | PAGING},
)
async def list_rounds(
    request: Call,
    league: str,
    match: str,
    at: At = None,
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Response[Listing[RoundView]]:
    version, found = await services_of(request).reading.rounds(league, match, at)
    after = decode_number(cursor) or 0
    page = [view for view in found if view.round > after][: limit + 1]
    answer = listing(request, page, limit, key=lambda view: str(view.round))
    answer.headers["etag"] = f'"{version}"'
    return answer


@get(
    "/v1/leagues/{league:str}/matches/{match:str}/rounds/{number:int}",
    operation_id="readRound",
    summary="Read one round",
    tags=["matches"],
    opt={RIGHT: Right.READ, QUERY: AT},
)
async def read_round(
    request: Call, league: str, match: str, number: int, at: At = None
) -> Response[RoundView]:
    version, found = await services_of(request).reading.rounds(league, match, at)
    for view in found:
        if view.round == number:
            return versioned(view, version)
    raise not_found("round")


@get(
    "/v1/leagues/{league:str}/matches/{match:str}/events",
    operation_id="listEvents",
    summary="Read the log, oldest first",
    description="With `Accept: application/x-ndjson` the whole log is streamed, a line an entry.",
    tags=["matches"],
    opt={RIGHT: Right.READ, QUERY: PAGING | {"after"}},
)
async def list_events(
    request: Call,
    league: str,
    match: str,
    after: After = 0,
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Response[Listing[EntryView]] | Stream:
    reading = services_of(request).reading
    after = decode_number(cursor) or after
    if NDJSON in request.headers.get("accept", ""):
        await reading.standing(league, match)
        return Stream(_lines(reading.stream_log(league, match, after)), media_type=NDJSON)
    page = await reading.log(league, match, after, limit + 1)
    return listing(request, page, limit, key=lambda entry: str(entry.version))


async def _lines(entries: AsyncIterator[EntryView]) -> AsyncIterator[bytes]:
    async for entry in entries:
        yield _encode(entry) + b"\n"


ROUTES: list[HTTPRouteHandler] = [
    open_match,
    list_matches,
    read_scoreboard,
    read_hands,
    list_rounds,
    read_round,
    list_events,
]
