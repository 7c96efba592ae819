"""The OpenAPI document, and a page to read and try it that loads nothing from other hosts."""

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

import scorekeeper
from scorekeeper.api.handler_context import RIGHT, StaticAnswer, static_answer, static_response
from scorekeeper.api.layers.representation import STATIC
from scorekeeper.service.identity.access import Right
from scorekeeper.service.refused import not_found

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {"content-security-policy": POLICY, "referrer-policy": "no-referrer"}
_ALWAYS = {"x-content-type-options": "nosniff", "cache-control": "no-cache"}
_ASSETS = {
    "swagger-ui-bundle.js": "text/javascript",
    "swagger-ui.css": "text/css",
    "docs.css": "text/css",
    "docs.js": "text/javascript",
}


def committed_document() -> bytes:
    """Return the OpenAPI document of this version, as it was committed.

    An installed package contains it; in a checkout it lies beside the package.
    """
    package = Path(scorekeeper.__file__).parent
    installed = package / "openapi"
    folder = installed if installed.is_dir() else package.parent / "openapi"
    return (folder / "openapi.json").read_bytes()


@cache
def _file(name: str) -> StaticAnswer:
    """Return a file of the folder `static`."""
    return static_answer(files("scorekeeper.api").joinpath("static", name).read_bytes())


def _answer(name: str, media_type: str) -> Response[bytes]:
    return static_response(_file(name), bytes, media_type, {**_HEADERS, **_ALWAYS})


def documentation_routes(document: Callable[[], bytes]) -> list[HTTPRouteHandler]:
    """`document` gives the OpenAPI document. It is called once, when somebody first reads it."""

    @cache
    def described() -> StaticAnswer:
        return static_answer(document())

    public = {RIGHT: Right.PUBLIC, STATIC: True}

    @get("/openapi.json", include_in_schema=False, opt=public)
    async def read_document() -> Response[bytes]:
        return static_response(described(), bytes, "application/json", _ALWAYS)

    @get("/docs", include_in_schema=False, opt=public)
    async def read_page() -> Response[bytes]:
        return _answer("docs.html", "text/html")

    @get("/docs/{name:str}", include_in_schema=False, opt=public)
    async def read_asset(name: FromPath[str]) -> Response[bytes]:
        if name not in _ASSETS:
            raise not_found("file")
        return _answer(name, _ASSETS[name])

    return [read_document, read_page, read_asset]
