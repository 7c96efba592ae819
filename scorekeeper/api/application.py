"""The API as one Litestar application."""

from functools import cache
from typing import Final

from litestar import Litestar
from litestar.types import ControllerRouterHandler

from scorekeeper.api.append import append_events
from scorekeeper.api.document.documentation import committed_document, documentation_routes
from scorekeeper.api.document.openapi import openapi_document
from scorekeeper.api.handler_context import StrictRequest, check_request, guard
from scorekeeper.api.layers.input_validation import BODY_LIMIT
from scorekeeper.api.problems import EXCEPTION_HANDLERS
from scorekeeper.api.routes import (
    amendments,
    devices,
    editions,
    leagues,
    ledger,
    live,
    matches,
    operations,
    past_matches,
    players,
    problems,
    replay,
    standings,
    tournaments,
)

_ROUTES: Final[list[ControllerRouterHandler]] = [
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
    *operations.ROUTES,
]


@cache
def application() -> Litestar:
    """Return the application with all routes. It holds no services: each request brings its own."""
    return Litestar(
        [*_ROUTES, *documentation_routes(committed_document)],
        before_request=check_request,
        debug=False,  # whatever the environment says
        exception_handlers=EXCEPTION_HANDLERS,
        guards=[guard],
        logging_config=None,
        openapi_config=None,
        pdb_on_exception=False,  # as before: a debugger would hold up everybody
        request_class=StrictRequest,
        request_max_body_size=BODY_LIMIT,
    )


def document() -> bytes:
    """Return the OpenAPI document of all routes, the same bytes each time."""
    return openapi_document(_ROUTES)
