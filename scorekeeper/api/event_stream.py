"""Server-Sent Events for one follower: answers that do not end."""

import asyncio
from typing import Any

from litestar import Response
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send

from scorekeeper.service.live.follower import Follower

MEDIA_TYPE = "text/event-stream"

# The server buffers some ten pieces for a follower that takes none, however long they are.
_PIECE = 1 << 13

# The last header tells nginx and similar proxies not to buffer the stream.
_HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


class EventStream(Response[bytes]):
    """What a follower is sent, for as long as the client stays and the service runs."""

    def __init__(self, follower: Follower) -> None:
        super().__init__(b"", media_type=MEDIA_TYPE, headers=_HEADERS)
        self._follower = follower

    def to_asgi_response(self, *_: Any, **__: Any) -> ASGIResponse:  # noqa: ANN401 Litestar's
        return _Stream(self._follower)


class _Stream(ASGIResponse):
    _should_set_content_length = False

    def __init__(self, follower: Follower) -> None:
        super().__init__(headers=_HEADERS, media_type=MEDIA_TYPE)
        self._follower = follower

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._follower.leave()

    async def send_body(self, send: Send, receive: Receive) -> None:
        follower = self._follower
        # In a task of its own, for what wakes a task goes through all that it awaits: through all
        # layers of the application, each time that something is sent.
        sending = asyncio.create_task(_send(send, follower))
        follower.sent_by(sending)
        listening = asyncio.create_task(_until_gone(receive, follower))
        try:
            await sending
        except asyncio.CancelledError:
            # What was sent is never taken: the connection ends with this answer.
            if not follower.was_cut:
                raise
        finally:
            sending.cancel()
            listening.cancel()


async def _send(send: Send, follower: Follower) -> None:
    while (chunk := await follower.next()) is not None:
        for at in range(0, len(chunk), _PIECE):
            piece = chunk[at : at + _PIECE]
            await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _until_gone(receive: Receive, follower: Follower) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    follower.end()
