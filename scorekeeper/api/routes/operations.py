"""For those who run the process: liveness, readiness, and the figures for Prometheus."""

from typing import Final, Literal

import msgspec
from litestar import MediaType, Response, Router, get
from litestar.types import ControllerRouterHandler

from scorekeeper.api.handler_context import RIGHT, Call, services_of
from scorekeeper.api.layers.request_log import FIGURES_TYPE, Metrics
from scorekeeper.service.identity.access import Right
from scorekeeper.service.refused import not_found

# The framework would take other spellings, too, and a proxy that keeps this one from the public may
# not know them.
_FIGURES: Final = b"/metrics"


class Health(msgspec.Struct, frozen=True):
    """The answer of a healthy service. Any other service answers with a problem, or not at all."""

    status: Literal["ok"] = "ok"


@get(
    "/live",
    operation_id="getLiveness",
    summary="Whether the process lives",
    description="Answers without asking anything else; a supervisor restarts what is silent.",
    opt={RIGHT: Right.PUBLIC},
)
async def is_live() -> Health:
    return Health()


@get(
    "/ready",
    operation_id="getReadiness",
    summary="Whether requests can be answered",
    description="Asks the database whether it takes writes, and whether a newer version has "
    "migrated it meanwhile; a load balancer leaves out what answers 503.",
    opt={RIGHT: Right.PUBLIC},
)
async def is_ready(request: Call) -> Health:
    await services_of(request).check_ready()
    return Health()


@get(
    "/metrics",
    operation_id="readMetrics",
    summary="Figures for Prometheus",
    description="Counts and times of requests, and the process's own figures.",
    tags=["operations"],
    media_type=MediaType.TEXT,
    opt={RIGHT: Right.PUBLIC},
)
async def read_metrics(request: Call) -> Response[bytes]:
    if request.scope["raw_path"] != _FIGURES:
        raise not_found("address")
    metrics: Metrics = request.scope["state"]["metrics"]
    return Response(metrics.exposition(), media_type=FIGURES_TYPE)


ROUTES: Final[list[ControllerRouterHandler]] = [
    Router("/health", route_handlers=[is_live, is_ready], tags=["operations"]),
    read_metrics,
]
