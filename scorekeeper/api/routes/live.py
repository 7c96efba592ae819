"""Following a match or a league as it is recorded: Server-Sent Events, answers that do not end."""

import asyncio
import re
from typing import Any

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send

from scorekeeper.api.document.components import OPERATION, STREAMED, ref
from scorekeeper.api.handler_context import (
    QUERY,
    RIGHT,
    Call,
    LeagueSlug,
    MatchSlug,
    PositionParameter,
    caller_of,
    services_of,
)
from scorekeeper.match.events.fields import MOST_VERSIONS
from scorekeeper.service.identity.access import Right
from scorekeeper.service.live.follower import Follower
from scorekeeper.service.refused import Refused

MEDIA_TYPE = "text/event-stream"

# If a follower takes nothing, the server buffers some ten pieces, however long they are.
_PIECE = 1 << 13

# The last header tells nginx and similar proxies not to buffer the stream.
_STREAM_HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}

_AFTER = frozenset({"after"})
_POSITION = re.compile(r"[0-9]{1,16}")

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
    "parameters": [ref("parameters", "LastEventID")],
    "responses": {
        "200": {"content": {MEDIA_TYPE: {"schema": {"type": "string"}, "example": _EXAMPLE}}}
    },
}


class EventStream(Response[bytes]):
    """What a follower is sent, for as long as the client stays and the service runs."""

    def __init__(self, follower: Follower) -> None:
        super().__init__(b"", media_type=MEDIA_TYPE, headers=_STREAM_HEADERS)
        self._follower = follower

    def to_asgi_response(self, *_: Any, **__: Any) -> ASGIResponse:  # noqa: ANN401 Litestar's
        return _Stream(self._follower)


class _Stream(ASGIResponse):
    _should_set_content_length = False

    def __init__(self, follower: Follower) -> None:
        super().__init__(headers=_STREAM_HEADERS, media_type=MEDIA_TYPE)
        self._follower = follower

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._follower.leave()

    async def send_body(self, send: Send, receive: Receive) -> None:
        follower = self._follower
        # Sending has a task of its own. Each time that a task is woken, Python goes through all
        # coroutines in it. In the request's own task these are all layers of the application.
        sending = asyncio.create_task(_send(send, follower))
        listening = asyncio.create_task(_until_gone(receive, follower))
        try:
            await sending
        except asyncio.CancelledError:
            # The client takes nothing any more. The connection ends with this answer.
            if not follower.was_cut:
                raise
        finally:
            sending.cancel()
            listening.cancel()


async def _send(send: Send, follower: Follower) -> None:
    # Not before this task runs: whoever is cut then has no answer yet, and gets one that is empty.
    follower.sent_by(asyncio.current_task())
    while (chunk := await follower.next()) is not None:
        for at in range(0, len(chunk), _PIECE):
            piece = chunk[at : at + _PIECE]
            await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _until_gone(receive: Receive, follower: Follower) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    follower.end()


@get(
    "/v1/leagues/{league:str}/live",
    operation_id="followLeague",
    summary="Follow a league live",
    description=f"From now on, or from a position. {_FRAMES}",
    tags=["leagues"],
    media_type=MEDIA_TYPE,
    opt={RIGHT: Right.READ, QUERY: _AFTER, OPERATION: _OPERATION, STREAMED: True},
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
    media_type=MEDIA_TYPE,
    opt={RIGHT: Right.READ, QUERY: _AFTER, OPERATION: _OPERATION, STREAMED: True},
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
    """Return the header's position. Raises Refused (`malformed`) if no stream can have sent it."""
    if not _POSITION.fullmatch(header) or int(header) > MOST_VERSIONS:
        raise Refused("malformed", reason="last-event-id")
    return int(header)


ROUTES: list[HTTPRouteHandler] = [follow_league, follow_match]
