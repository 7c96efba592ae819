"""The API as one Litestar application."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from litestar import Litestar, MediaType, Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.types import ControllerRouterHandler

from scorekeeper.api.appends.append import append_events
from scorekeeper.api.document.documentation import committed_document, documentation_routes
from scorekeeper.api.document.openapi import openapi_document
from scorekeeper.api.handler_context import RIGHT, StrictRequest, guard
from scorekeeper.api.health import Ready, health_router
from scorekeeper.api.layers.input_validation import BODY_LIMIT, check_body
from scorekeeper.api.log.metrics import CONTENT_TYPE, Metrics
from scorekeeper.api.problems.problems import EXCEPTION_HANDLERS
from scorekeeper.api.routes import (
    amendments,
    audits,
    editions,
    erasures,
    imports,
    invitations,
    leagues,
    live,
    log,
    matches,
    past_matches,
    players,
    problems,
    rebuilds,
    replay,
    sessions,
    standings,
    tournaments,
)
from scorekeeper.service.identity.access import Right
from scorekeeper.service.services import Services

Lifespan = Callable[[Litestar], AbstractAsyncContextManager[None]]


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
        *invitations.ROUTES,
        *sessions.ROUTES,
        *players.ROUTES,
        *erasures.ROUTES,
        *rebuilds.ROUTES,
        *matches.ROUTES,
        *past_matches.ROUTES,
        *imports.ROUTES,
        *audits.ROUTES,
        *replay.ROUTES,
        *amendments.ROUTES,
        *log.ROUTES,
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
        return Response(metrics.exposition(), media_type=CONTENT_TYPE)

    return read_metrics
