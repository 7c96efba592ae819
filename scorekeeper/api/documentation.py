"""The OpenAPI document, and a page to read and try it that needs nothing from elsewhere."""

import hashlib
from collections.abc import Callable
from functools import cache
from importlib.resources import files

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from scorekeeper.api.calls import RIGHT
from scorekeeper.service.access import Right
from scorekeeper.service.refused import not_found

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}
_ASSETS = {
    "swagger-ui-bundle.js": "text/javascript",
    "swagger-ui.css": "text/css",
    "docs.css": "text/css",
    "docs.js": "text/javascript",
}


@cache
def _file(name: str) -> tuple[bytes, str]:
    """A file of the folder `static`, with its strong ETag."""
    content = files("scorekeeper.api").joinpath("static", name).read_bytes()
    return content, f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def _answer(name: str, media_type: str) -> Response[bytes]:
    content, tag = _file(name)
    return Response(content, media_type=media_type, headers={**_HEADERS, "etag": tag})


def documentation_routes(document: Callable[[], bytes]) -> list[HTTPRouteHandler]:
    """`document` gives the OpenAPI document; it is asked once, when somebody first reads it."""
    kept = cache(document)
    public = {RIGHT: Right.PUBLIC}

    @get("/openapi.json", include_in_schema=False, opt=public)
    async def read_document() -> Response[bytes]:
        headers = {"x-content-type-options": "nosniff", "cache-control": "no-cache"}
        return Response(kept(), media_type="application/json", headers=headers)

    @get("/docs", include_in_schema=False, opt=public)
    async def read_page() -> Response[bytes]:
        return _answer("docs.html", "text/html")

    @get("/docs/{name:str}", include_in_schema=False, opt=public)
    async def read_asset(name: FromPath[str]) -> Response[bytes]:
        if name not in _ASSETS:
            raise not_found("file")
        return _answer(name, _ASSETS[name])

    return [read_document, read_page, read_asset]
