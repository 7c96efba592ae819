"""The pages as a Litestar application beside the API's."""

from typing import Any

from litestar import Litestar, Request, Response, get
from litestar.exceptions import HTTPException
from litestar.params import FromPath

from scorekeeper.service.refused import Refused
from scorekeeper.web.page import page
from scorekeeper.web.pages import (
    booklet,
    hall,
    league,
    match,
    replay,
    standings,
    tournament,
)
from scorekeeper.web.static_files import ROUTES as WORKER_ROUTES
from scorekeeper.web.static_files import STATIC

_BODY_LIMIT = 10_000
_NOT_THERE = {"cache-control": "no-store", "x-content-type-options": "nosniff"}
_FOR_EVER = "public, max-age=31536000, immutable"


def pages_application() -> Litestar:
    """All pages; whoever runs it puts the services into its state."""
    return Litestar(
        [
            read_static,
            *booklet.ROUTES,
            *league.ROUTES,
            *standings.ROUTES,
            *tournament.ROUTES,
            *hall.ROUTES,
            *match.ROUTES,
            *replay.ROUTES,
            *WORKER_ROUTES,
        ],
        exception_handlers={Refused: _refused, HTTPException: _refused_by_litestar},
        logging_config=None,
        openapi_config=None,
        request_max_body_size=_BODY_LIMIT,
    )


@get("/static/{digest:str}/{name:path}")
async def read_static(
    request: Request[Any, Any, Any], digest: FromPath[str], name: FromPath[str]
) -> Response[bytes]:
    found = STATIC.get(name.lstrip("/")) if digest == STATIC.digest else None
    if found is None:
        return Response(b"", status_code=404, headers=_NOT_THERE)
    headers = {
        "cache-control": _FOR_EVER,
        "x-content-type-options": "nosniff",
        "vary": "Accept-Encoding",
    }
    content = found.content
    if found.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        content = found.packed
        headers["content-encoding"] = "gzip"
    return Response(content, media_type=found.media_type, headers=headers)


def _refused(request: Request[Any, Any, Any], error: Refused) -> Response[bytes]:
    if error.code == "forbidden":
        facts = error.facts or {}
        return page(
            request,
            "forbidden.html",
            title="",
            status=403,
            role=facts["role"],
            needed=facts["needed"],
        )
    return page(request, "not_found.html", title="", status=404)


def _refused_by_litestar(request: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
    if error.status_code >= 500:
        raise error
    return page(request, "not_found.html", title="", status=error.status_code)
