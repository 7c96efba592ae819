"""ASGI's lifespan: the services are opened when the server starts, and closed when it stops.

Each request finds them in its scope, under `state` (ASGI's lifespan protocol 2.0, "Lifespan
State"). So an application holds no services, and may be made before there is an event loop.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from traceback import format_exc
from typing import Any, cast

from litestar.types import ASGIApp, Receive, Scope, Send

from scorekeeper.service.services import Services

OpenServices = Callable[[], AbstractAsyncContextManager[Mapping[str, object]]]


class Lifespan:
    """The outermost layer: answers the server's messages of its start and its end.

    `opened` is entered at the start and left at the end. The mapping that it gives is copied into
    `state`. Its keys are `services`, `public_url`, `time_zone` and `metrics`.
    """

    def __init__(self, app: ASGIApp, opened: OpenServices) -> None:
        self._app = app
        self._opened = opened

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # Litestar's types know no lifespan scope.
        if cast("str", scope["type"]) == "lifespan":
            await self._live(cast("dict[str, Any]", scope)["state"], receive, send)
        else:
            await self._app(scope, receive, send)

    async def _live(self, state: dict[str, object], receive: Any, send: Any) -> None:  # noqa: ANN401 the messages of the lifespan
        phase = "startup"
        await receive()
        try:
            async with self._opened() as given:
                state.update(given)
                await send({"type": "lifespan.startup.complete"})
                phase = "shutdown"
                await receive()
        except BaseException:
            await send({"type": f"lifespan.{phase}.failed", "message": format_exc()})
            raise
        await send({"type": "lifespan.shutdown.complete"})


def services_in(scope: Scope) -> Services:
    """Return the services that answer a request."""
    return cast("Services", scope["state"]["services"])


def public_url_in(scope: Scope) -> str | None:
    """Return the address that links begin with, if one is configured."""
    return cast("str | None", scope["state"]["public_url"])
