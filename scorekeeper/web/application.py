"""The pages as a Litestar application beside the API's. A refusal is answered by a page, too."""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

from litestar import Litestar, Request, Response, get
from litestar.params import FromPath
from litestar.types import Scope

from scorekeeper.service.refused import Refused
from scorekeeper.texts.message import problem_detail, title, wording
from scorekeeper.web.page import language_of, page
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
_FOR_EVER = "public, max-age=31536000, immutable"
_COME_BACK_SECONDS = "1"
_UNKNOWN_TOKEN = 401
_NOT_FOUND = 404
# Answered as not found: for strangers there is no difference between secret and missing pages.
_NOWHERE = frozenset({400, _UNKNOWN_TOKEN, _NOT_FOUND, 405})
_OURS = 500
_AWAY = 503

StatusOf: TypeAlias = Callable[[Scope, Exception], tuple[int, Refused]]
"""Gives the HTTP status of an error, and the refusal that tells of it. It logs bugs."""


@cache
def pages_application(status_of: StatusOf) -> Litestar:
    """Return the application with all pages. It holds no services: each request brings its own."""

    def refused(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
        return _refused(request, *status_of(request.scope, error))

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
        debug=False,  # whatever the environment says
        exception_handlers={Exception: refused},
        logging_config=None,
        openapi_config=None,
        pdb_on_exception=False,  # as before: a debugger would hold up everybody
        request_max_body_size=_BODY_LIMIT,
    )


@get(f"{STATIC.beginning}{{name:path}}")
async def read_static(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
    """Answer with a static file. Only addresses of existing files are routed to these pages."""
    found = STATIC.get(name.lstrip("/"))
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


def _refused(request: Request[Any, Any, Any], status: int, error: Refused) -> Response[bytes]:
    facts = error.facts or {}
    if error.code == "forbidden":
        return page(
            request,
            "forbidden.html",
            status=status,
            # Only readers of the league are answered `forbidden`, so its page may be linked.
            league=request.path_params["league"],
            match=request.path_params.get("match"),
            role=facts["role"],
            needed=facts["needed"],
        )
    if status in _NOWHERE:
        shown = _NOT_FOUND if status == _UNKNOWN_TOKEN else status
        return page(request, "not_found.html", status=shown)
    language = language_of(request)
    detail = problem_detail(wording(error.code, error.reason, facts), facts, language, error.words)
    answer = page(
        request,
        "refused.html",
        status=status,
        heading=title(error.code, language),
        # The details of an outage or a bug are for clients of the API.
        detail="" if status >= _OURS else detail,
    )
    if status == _AWAY:
        answer.headers["retry-after"] = _COME_BACK_SECONDS
    return answer
