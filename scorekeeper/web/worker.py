"""The service worker and the web app manifest, each at an address of its own.

A worker controls what lies below its address, so it can't be among the files under their digest.
"""

import json
from importlib.resources import files
from typing import Final

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler

from scorekeeper.web.static_files import STATIC

# What the pad needs to open without a network.
_SHELL: Final = ("sheet.css", "icon.svg", *STATIC.modules("pad/page.js"))
_HEADERS: Final = {"cache-control": "no-cache", "x-content-type-options": "nosniff"}


def _worker() -> bytes:
    source = files("scorekeeper.web").joinpath("worker.js").read_text(encoding="utf-8")
    shell = json.dumps([STATIC.address(name) for name in _SHELL])
    return (
        source.replace('"__DIGEST__"', json.dumps(STATIC.digest))
        .replace('"__SHELL__"', shell)
        .encode()
    )


_WORKER: Final = _worker()
_MANIFEST: Final = {
    "name": "Scorekeeper",
    "short_name": "Scorekeeper",
    "start_url": "/",
    "scope": "/",
    "display": "standalone",
    "background_color": "#fbfaf6",
    "theme_color": "#1f6f5c",
    "icons": [{"src": STATIC.address("icon.svg"), "sizes": "any", "type": "image/svg+xml"}],
}


@get("/sw.js")
async def read_worker() -> Response[bytes]:
    return Response(_WORKER, media_type="text/javascript", headers=_HEADERS)


@get("/manifest.webmanifest")
async def read_manifest() -> Response[bytes]:
    content = json.dumps(_MANIFEST).encode()
    return Response(content, media_type="application/manifest+json", headers=_HEADERS)


ROUTES: list[HTTPRouteHandler] = [read_worker, read_manifest]
