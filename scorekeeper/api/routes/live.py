"""Following a match or a league as it is recorded."""

import re
from typing import Final

from litestar import get
from litestar.handlers import HTTPRouteHandler

from scorekeeper.api.document.openapi import ENDLESS, OPERATION
from scorekeeper.api.event_stream import MEDIA_TYPE, EventStream
from scorekeeper.api.handler_context import QUERY, RIGHT, Call, caller_of, services_of
from scorekeeper.api.parameters import LeagueSlug, MatchSlug, PositionParameter
from scorekeeper.service.identity.access import Right
from scorekeeper.service.refused import Refused

_AFTER = frozenset({"after"})
_POSITION = re.compile(r"[0-9]{1,16}")
_LATEST: Final = 2**53

_FRAMES = (
    "Server-Sent Events. `event: entry` has `{match, entry}` as its data (`match` is null for the "
    "league's own entries) and the entry's position as its id. After each commit follows "
    "`event: state`, without an id: the scoreboard of the match. Whoever comes back says in "
    "Last-Event-ID, or in `after`, what they have, and gets all that follows, once; the header "
    "wins. `event: resync` has `{position}`: from there on the stream continues, after a follower "
    "fell behind, or brought a position that the ledger has not reached (then what it has from "
    "beyond is to be forgotten). `event: beat`, without an id, every 15 seconds is a sign of life."
)
_EXAMPLE = (
    'id: 812\nevent: entry\ndata: {"match":"friday-1","entry":{"version":41,"position":812}}\n\n'
    'event: state\ndata: {"match":"friday-1","version":41,"position":812}\n\n'
)
_OPERATION = {
    "parameters": [{"$ref": "#/components/parameters/LastEventID"}],
    "responses": {
        "200": {"content": {MEDIA_TYPE: {"schema": {"type": "string"}, "example": _EXAMPLE}}}
    },
}


@get(
    "/v1/leagues/{league:str}/live",
    operation_id="followLeague",
    summary="Follow a league live",
    description=f"From now on, or from a position. {_FRAMES}",
    tags=["leagues"],
    opt={RIGHT: Right.READ, QUERY: _AFTER, OPERATION: _OPERATION, ENDLESS: True},
)
async def follow_league(
    request: Call, league: LeagueSlug, after: PositionParameter = None
) -> EventStream:
    return await _follow(request, league, None, after)


@get(
    "/v1/leagues/{league:str}/matches/{match:str}/live",
    operation_id="followMatch",
    summary="Follow a match live",
    description=f"From now on, beginning with its state, or from a position. {_FRAMES}",
    tags=["matches"],
    opt={RIGHT: Right.READ, QUERY: _AFTER, OPERATION: _OPERATION, ENDLESS: True},
)
async def follow_match(
    request: Call, league: LeagueSlug, match: MatchSlug, after: PositionParameter = None
) -> EventStream:
    return await _follow(request, league, match, after)


async def _follow(request: Call, league: str, match: str | None, after: int | None) -> EventStream:
    header = request.headers.get("last-event-id")
    follower = await services_of(request).followers.follow(
        caller_of(request),
        request.headers.get("authorization"),
        league,
        match,
        after if header is None else _position(header),
    )
    return EventStream(follower)


def _position(header: str) -> int:
    """Raises Refused (`malformed`) for what no stream has given as an id."""
    if not _POSITION.fullmatch(header) or int(header) > _LATEST:
        raise Refused("malformed", reason="last-event-id")
    return int(header)


ROUTES: list[HTTPRouteHandler] = [follow_league, follow_match]
