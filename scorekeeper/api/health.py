"""Liveness and readiness of the process."""

from collections.abc import Awaitable, Callable
from typing import Literal

import msgspec
from litestar import Router, get

from scorekeeper.api.handler_context import RIGHT
from scorekeeper.service.identity.access import Right

Ready = Callable[[], Awaitable[None]]


class Health(msgspec.Struct, frozen=True):
    """The only good answer; a bad one is a problem, or none."""

    status: Literal["ok"] = "ok"


def health_router(ready: Ready) -> Router:
    """`ready` returns where everything can be reached that an answer needs.

    It raises Refused (`unavailable`) where not, and is to be quick: whoever asks waits for it.
    """

    @get(
        "/live",
        operation_id="getLiveness",
        summary="Whether the process lives",
        description="Answers without asking anything else; a supervisor restarts what is silent.",
        opt={RIGHT: Right.PUBLIC},
    )
    async def live() -> Health:
        return Health()

    @get(
        "/ready",
        operation_id="getReadiness",
        summary="Whether requests can be answered",
        description="Asks the database whether it takes writes, and whether a newer version has "
        "migrated it meanwhile; a load balancer leaves out what answers 503.",
        opt={RIGHT: Right.PUBLIC},
    )
    async def ready_() -> Health:
        await ready()
        return Health()

    return Router("/health", route_handlers=[live, ready_], tags=["operations"])
