"""The API as one Litestar application, with the routes for those who run its process.

These routes are liveness, readiness, and the figures for Prometheus.
"""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Literal

import msgspec
from litestar import Litestar, MediaType, Response, Router, get
from litestar.handlers import HTTPRouteHandler
from litestar.types import ControllerRouterHandler

from scorekeeper.api.append import append_events
from scorekeeper.api.document.documentation import committed_document, documentation_routes
from scorekeeper.api.document.openapi import openapi_document
from scorekeeper.api.handler_context import RIGHT, StrictRequest, guard
from scorekeeper.api.layers.input_validation import BODY_LIMIT, check_body
from scorekeeper.api.layers.request_log import FIGURES_TYPE, Metrics
from scorekeeper.api.problems import EXCEPTION_HANDLERS
from scorekeeper.api.routes import (
    amendments,
    devices,
    editions,
    leagues,
    ledger,
    live,
    matches,
    past_matches,
    players,
    problems,
    replay,
    standings,
    tournaments,
)
from scorekeeper.service.identity.access import Right
from scorekeeper.service.services import Services

Ready = Callable[[], Awaitable[None]]

Lifespan = Callable[[Litestar], AbstractAsyncContextManager[None]]


class Health(msgspec.Struct, frozen=True):
    """The only good answer; a bad one is a problem, or none."""

    status: Literal["ok"] = "ok"


def health_router(ready: Ready) -> Router:
    """`ready` checks that everything can be reached that an answer needs.

    It raises Refused (`unavailable`) if not. It has to be quick: the load balancer waits for it.
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


def application(metrics: Metrics, lifespan: Lifespan) -> Litestar:
    """All routes; `lifespan` puts the services into the application's state."""

    async def ready() -> None:
        services: Services = app.state.services
        await services.check_ready()

    app = Litestar(
        [*_routes(metrics, ready), *documentation_routes(committed_document)],
        before_request=check_body,
        exception_handlers=EXCEPTION_HANDLERS,
        guards=[guard],
        lifespan=[lifespan],
        logging_config=None,
        openapi_config=None,
        request_class=StrictRequest,
        request_max_body_size=BODY_LIMIT,
    )
    return app


def document() -> bytes:
    """The OpenAPI document of all routes, the same bytes each time."""

    async def ready() -> None:
        """Only the operation is described; nobody asks it."""

    return openapi_document(_routes(Metrics(), ready))


def _routes(metrics: Metrics, ready: Ready) -> list[ControllerRouterHandler]:
    return [
        *editions.ROUTES,
        *leagues.ROUTES,
        *devices.ROUTES,
        *players.ROUTES,
        *matches.ROUTES,
        *past_matches.ROUTES,
        *replay.ROUTES,
        *amendments.ROUTES,
        *ledger.ROUTES,
        *tournaments.ROUTES,
        *standings.ROUTES,
        *live.ROUTES,
        *problems.ROUTES,
        append_events,
        health_router(ready),
        _metrics_route(metrics),
    ]


def _metrics_route(metrics: Metrics) -> HTTPRouteHandler:
    @get(
        "/metrics",
        operation_id="readMetrics",
        summary="Figures for Prometheus",
        description="Counts and times of requests, and the process's own figures.",
        tags=["operations"],
        media_type=MediaType.TEXT,
        opt={RIGHT: Right.PUBLIC},
    )
    async def read_metrics() -> Response[bytes]:
        return Response(metrics.exposition(), media_type=FIGURES_TYPE)

    return read_metrics
