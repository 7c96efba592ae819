"""The static files of pages, the service worker, and the web app manifest.

The files are read and compressed once, with their digest in the address. So browsers may cache
them for ever, and an upgrade is never mixed with cached files. A missing file is never answered by
a page. The worker and the manifest have addresses of their own: a worker controls what lies below
its address, so it can't be among the files under their digest.
"""

import gzip
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

import msgspec
from litestar import Response, get
from litestar.handlers import HTTPRouteHandler

_TYPES: Final = {
    "css": "text/css",
    "js": "text/javascript",
    "json": "application/json",
    "svg": "image/svg+xml",
    "png": "image/png",
}
_PACKED: Final = frozenset({"css", "js", "json", "svg"})
# Comments are a third of our modules' size, and browsers don't need them, nor those of our sheets.
# No text of ours has a line that begins with two slashes, or with a slash and two asterisks.
_OWN_LINES: Final = re.compile(
    r"^[ \t]*(?://[^\n]*|/\*\*(?:(?!\*/).)*\*/)[ \t]*\n", re.DOTALL | re.MULTILINE
)
_BETWEEN: Final = re.compile(r"/\*\*(?:(?!\*/).)*\*/ ?", re.DOTALL)
_IN_SHEETS: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
# A space before a colon stays: it can be the combinator of a descendant.
_AROUND_SIGNS: Final = re.compile(r";?\s*([{};,>])\s*|(?<=:)\s+")
_QUOTED: Final = re.compile(r'(?<==)"([a-z]+)"(?=\])')
# In the templates of htm a line's indentation counts for nothing either.
_INDENTATION: Final = re.compile(r"^\s+", re.MULTILINE)
_AS_IT_IS: Final = "vendor/"
_IMPORT: Final = re.compile(r"""^(?:import|export)\b[^;"']*["'](\.[^"']+)["']""", re.MULTILINE)
# Functions of the pages that import a module when it is needed are given its path.
_LATER: Final = re.compile(r"""\w\(["'](\.[^"']+\.js)["']\)""")

_HEADERS: Final = {"cache-control": "no-cache", "x-content-type-options": "nosniff"}


class StaticFile(msgspec.Struct, frozen=True):
    """A file as it is sent. `packed`: its content as gzip has it, None if that saves nothing."""

    content: bytes
    packed: bytes | None
    media_type: str


class StaticFiles:
    """A folder of files by their names, such as `core/api.js`."""

    def __init__(self, folder: Traversable) -> None:
        found = {name: _sent(name, content) for name, content in sorted(_walk(folder, ""))}
        self.digest = _digest(found)
        self.beginning = f"/static/{self.digest}/"
        self._files = {name: _packed(name, content) for name, content in found.items()}

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def get(self, name: str) -> StaticFile:
        """KeyError for a file that is not there."""
        return self._files[name]

    def address(self, name: str) -> str:
        """KeyError for a file that is not there."""
        if name not in self._files:
            raise KeyError(name)
        return self.beginning + name

    def has(self, address: str) -> bool:
        """Return whether a file is at the address."""
        name = address.removeprefix(self.beginning)
        return name != address and name in self._files

    def text(self, name: str) -> str:
        """KeyError for a file that is not there."""
        return self._files[name].content.decode()

    def modules(self, entry: str, *, later: bool = False) -> list[str]:
        """Return the names of a module and of all that it imports, directly or not, itself first.

        `later`: with those that are imported only when they are needed.
        """
        found = [entry]
        for name in found:
            source = self.text(name)
            for path in [*_IMPORT.findall(source), *(_LATER.findall(source) if later else ())]:
                imported = _resolved(name, path)
                if imported not in found:
                    found.append(imported)
        return found


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for each in folder.iterdir():
        if each.is_dir():
            yield from _walk(each, f"{prefix}{each.name}/")
        elif each.name.rpartition(".")[2] in _TYPES:
            yield f"{prefix}{each.name}", each.read_bytes()


def _digest(found: Mapping[str, bytes]) -> str:
    whole = hashlib.sha256()
    for name, content in found.items():
        whole.update(b"%d %s %d " % (len(name), name.encode(), len(content)))
        whole.update(content)
    return whole.hexdigest()[:16]


def _sent(name: str, content: bytes) -> bytes:
    """Return the file as browsers get it. A file that others wrote keeps its notices."""
    if name.startswith(_AS_IT_IS):
        return content
    if name.endswith(".js"):
        bare = _BETWEEN.sub("", _OWN_LINES.sub("", content.decode()))
    elif name.endswith(".css"):
        bare = _AROUND_SIGNS.sub(r"\1", _IN_SHEETS.sub("", content.decode()))
        bare = _QUOTED.sub(r"\1", bare)
    else:
        return content
    return _INDENTATION.sub("", bare).encode()


def _packed(name: str, content: bytes) -> StaticFile:
    ending = name.rpartition(".")[2]
    packed = gzip.compress(content, 9, mtime=0) if ending in _PACKED else None
    smaller = packed is not None and len(packed) < len(content)
    return StaticFile(content, packed if smaller else None, _TYPES[ending])


def _resolved(module: str, path: str) -> str:
    folder = module.split("/")[:-1]
    for part in path.split("/"):
        if part == "..":
            folder.pop()
        elif part != ".":
            folder.append(part)
    return "/".join(folder)


STATIC: Final = StaticFiles(files("scorekeeper.web").joinpath("static"))


# What the pad and the page `/offline` need without a network. `/offline` then replaces all pages
# but the pads.
_ENTRIES: Final = ("pad/page.js", "offline/page.js")
_SHELL: Final = {
    "sheet.css", "icon.svg",
    *(name for entry in _ENTRIES for name in STATIC.modules(entry, later=True)),
}  # fmt: skip


def _worker() -> bytes:
    source = files("scorekeeper.web").joinpath("worker.js").read_text(encoding="utf-8")
    shell = json.dumps(["/offline", *sorted(map(STATIC.address, _SHELL))])
    return (
        source.replace('"__DIGEST__"', json.dumps(STATIC.digest))
        .replace('"__SHELL__"', shell)
        .encode()
    )


_WORKER: Final = _worker()
_MANIFEST: Final = msgspec.json.encode(
    {
        "name": "Scorekeeper",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#fbfaf6",
        "theme_color": "#1f6f5c",
        # iOS shows no SVG on the home screen.
        "icons": [
            {
                "src": STATIC.address("icon.png"),
                "sizes": "512x512",
                "type": "image/png",
                "purpose": "any maskable",
            }
        ],
    }
)


@get("/sw.js")
async def read_worker() -> Response[bytes]:
    return Response(_WORKER, media_type="text/javascript", headers=_HEADERS)


@get("/manifest.webmanifest")
async def read_manifest() -> Response[bytes]:
    return Response(_MANIFEST, media_type="application/manifest+json", headers=_HEADERS)


ROUTES: list[HTTPRouteHandler] = [read_worker, read_manifest]
