"""Bodies that trickle: the server cuts off slow headers only."""

import asyncio

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, ReceiveMessage, Scope, Send

from scorekeeper.service.refused import Refused

BODY_SECONDS = 30.0

_WITHOUT_BODY = frozenset({"GET", "HEAD", "OPTIONS"})


class Timeouts:
    """Whoever waits for a body that is not whole in time gets Refused (`request-timeout`).

    `seconds` run from the first time that the body is asked for, until its last piece.
    """

    def __init__(self, app: ASGIApp, seconds: float = BODY_SECONDS) -> None:
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or scope["method"] in _WITHOUT_BODY:
            await self._app(scope, receive, send)
            return
        deadline: float | None = None
        whole = False

        async def receive_in_time() -> ReceiveMessage:
            nonlocal deadline, whole
            if whole:
                return await receive()
            if deadline is None:
                deadline = asyncio.get_running_loop().time() + self._seconds
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError as error:
                whole = True
                raise Refused(
                    "request-timeout", f"The body was not whole after {self._seconds:g} seconds."
                ) from error
            whole = not message.get("more_body")
            return message

        await self._app(scope, receive_in_time, send)
