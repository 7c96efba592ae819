"""How answers are represented (RFC 9110): compressed, with an ETag, conditionally, and for HEAD.

Answers that hold a secret are not compressed: next to words of an attacker, the compressed length
would reveal it. Such an answer says `no-store` or sets a cookie; that of the language is no secret.
Streams are not compressed either, since a compressor delays what a follower waits for. An ETag
names the content before compression.
"""

import asyncio
import gzip
import hashlib
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, cast

import msgspec
from litestar import Litestar
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException
from litestar.routes import HTTPRoute
from litestar.types import HTTPResponseStartEvent, Message, Receive, Scope, Send
from litestar.utils import normalize_path

from scorekeeper.api.problems import send_error
from scorekeeper.api.structured_log import trace_of
from scorekeeper.service.refused import Refused

LEAST: Final = 1 << 10
"""Bytes; less is sent as it is."""
STATIC: Final = "static"
"""In the `opt` of a route whose answer never changes while the process runs.

Such an answer is compressed once.
"""

_LEVEL: Final = 5
_LEVEL_ONCE: Final = 9
_ASIDE: Final = 1 << 15
"""Bytes. Fewer are compressed within a millisecond; as many or more are compressed on a thread."""

_PACKABLE: Final = re.compile(
    rb"(?:text/(?!event-stream)[a-z.+-]+|application/(?:[a-z.]+\+)?json|image/svg\+xml)(?: *;.*)?"
)
_PROBLEM: Final = b"application/problem+json"
_COOKIE_OF_LANGUAGE: Final = b"lang="
_GZIP: Final = re.compile(
    r"(?:gzip|x-gzip|\*)\s*(?:;\s*q=(?P<quality>[01](?:\.[0-9]{0,3})?)\s*)?", re.IGNORECASE
)

HeaderList = list[tuple[bytes, bytes]]

_once: dict[bytes, bytes] = {}

# A shared cache may keep what a cookie let through, unless it is told not to (RFC 9111, section 3).
_PRIVATE = (b"cache-control", b"private, no-cache")
_VARY = (b"vary", b"Accept-Language, Authorization, Cookie")
_VARY_PACKED = (b"vary", b"Accept-Encoding, Accept-Language, Authorization, Cookie")
# With a cookie: whoever comes back to a page by a choice of its language chooses once more.
_KEPT_WITH_304 = frozenset(
    {b"etag", b"vary", b"cache-control", b"content-location", b"expires", b"set-cookie"}
)
_TAG = re.compile(r'(W/)?"([\x21\x23-\x7e\x80-\xff]*)"')
_TAGS = re.compile(rf"\s*{_TAG.pattern}(\s*,\s*{_TAG.pattern})*\s*")
# In the ETag of a reading a suffix may follow the version: something was left out of the reading,
# or its texts have people's names in place of slugs.
_VERSION = re.compile(r"([1-9][0-9]{0,15})(-[a-zA-Z][a-zA-Z0-9-]*)?")


def may_be_packed(headers: HeaderList) -> bool:
    """Return whether an answer may be compressed; the names of `headers` are in lower case."""
    named = dict(headers)
    content_type = named.get(b"content-type", b"")
    return (
        _PACKABLE.fullmatch(content_type) is not None
        and all(v.startswith(_COOKIE_OF_LANGUAGE) for k, v in headers if k == b"set-cookie")
        and b"content-encoding" not in named
        and (named.get(b"cache-control") != b"no-store" or content_type == _PROBLEM)
    )


async def compressed(scope: Scope, headers: HeaderList, body: bytes) -> tuple[HeaderList, bytes]:
    """Headers and body, compressed if the client accepts that. `may_be_packed` must hold."""
    if len(body) < LEAST or not _is_accepted(scope):
        return headers, body
    if _is_static(scope):
        content = await _packed_once(dict(headers)[b"etag"], body)
    elif len(body) < _ASIDE:
        content = gzip.compress(body, _LEVEL, mtime=0)
    else:
        content = await asyncio.to_thread(gzip.compress, body, _LEVEL, mtime=0)
    kept = [pair for pair in headers if pair[0] != b"content-length"]
    length = (b"content-length", b"%d" % len(content))
    return [*kept, (b"content-encoding", b"gzip"), length], content


async def _packed_once(tag: bytes, body: bytes) -> bytes:
    content = _once.get(tag)
    if content is None:
        content = await asyncio.to_thread(gzip.compress, body, _LEVEL_ONCE, mtime=0)
        _once[tag] = content
    return content


def _is_static(scope: Scope) -> bool:
    return "route_handler" in scope and bool(scope["route_handler"].opt.get(STATIC))


def _is_accepted(scope: Scope) -> bool:
    sent = [value for name, value in scope["headers"] if name == b"accept-encoding"]
    return bool(sent) and _accepts(b",".join(sent))


@lru_cache(maxsize=256)
def _accepts(header: bytes) -> bool:
    """Return whether gzip is among the codings, by name or as `*`, and not at quality 0."""
    found = False
    for part in header.decode("latin-1").split(","):
        named = _GZIP.fullmatch(part.strip())
        if named is None:
            continue
        accepted = float(named["quality"] or 1) > 0
        if not part.strip().startswith("*"):
            return accepted
        found = accepted
    return found


async def send_problem(scope: Scope, send: Send, error: Exception) -> None:
    """Send the problem that answers an error, from a layer in front of `Conditional`."""
    is_reading = scope["type"] == ScopeType.HTTP and scope["method"] in {"GET", "HEAD"}
    await send_error(scope, send, error, headers=(_VARY,) if is_reading else ())


class Compression:
    """Compresses one answer to a request other than GET and HEAD.

    The start of the answer is held back until the first piece of its body, on which headers depend.
    """

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope = scope
        self._send = send
        self._start: HTTPResponseStartEvent | None = None

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._start = message
            return
        if self._start is not None and message["type"] == "http.response.body":
            start, self._start = self._start, None
            headers = list(start["headers"])
            if not message.get("more_body", False) and may_be_packed(headers):
                headers, body = await compressed(self._scope, headers, message.get("body", b""))
                message["body"] = body
            await self._send({**start, "headers": headers})
        await self._send(message)


class IfMatch(msgspec.Struct, frozen=True):
    """The condition of a writing request; `versions` is None for `*`, which any version meets."""

    versions: frozenset[int] | None

    def holds(self, version: int) -> bool:
        return self.versions is None or version in self.versions


def if_match_of(scope: Scope) -> IfMatch | None:
    """Return the request's If-Match, None if it has none. Raises Refused (`malformed`).

    Several lines are one list (RFC 9110, section 5.3), as a proxy may have split it.
    """
    lines = [value for name, value in scope["headers"] if name == b"if-match"]
    return if_match(b", ".join(lines).decode("latin-1")) if lines else None


def if_match(header: str | None) -> IfMatch | None:
    """Return the parsed If-Match header, None if there is none. Raises Refused (`malformed`).

    Weak tags, and tags that are no version, are read and never match (RFC 9110, section 13.1.1).
    """
    if header is None:
        return None
    if header.strip() == "*":
        return IfMatch(None)
    if not _TAGS.fullmatch(header):
        raise Refused("malformed", reason="if-match")
    tags: list[tuple[str, str]] = _TAG.findall(header)
    read = (_VERSION.fullmatch(tag) for weak, tag in tags if not weak)
    return IfMatch(frozenset(int(found[1]) for found in read if found is not None))


def _names(header: bytes, tag: bytes) -> bool:
    """Return whether If-None-Match names the tag; weak and strong are alike (section 13.1.2)."""
    if header.strip() == b"*":
        return True
    return any(name.strip().removeprefix(b"W/") == tag for name in header.split(b","))


class Conditional:
    """Wraps the Litestar application; nothing that sends messages may stand between the two.

    Every answer to a GET gets the Vary header of readings, and is kept by no shared cache unless it
    says otherwise or is the same for everybody. A 200 also gets a strong ETag, unless it
    is sent in several pieces, and Content-Language if it holds texts. If If-None-Match names the
    tag, the answer becomes a 304. Any other answer is compressed for clients that accept that,
    under the same tag. HEAD is answered as GET without its body. OPTIONS lists the methods of the
    address, and needs no token.
    """

    def __init__(self, app: Litestar) -> None:
        self._app = app
        self._methods = {
            route.path_format: _with_head(route.methods)
            for route in app.routes
            if isinstance(route, HTTPRoute)
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        method = scope["method"] if scope["type"] == ScopeType.HTTP else None
        if method == "GET":
            await self._app(scope, receive, _Reading(scope, send).send)
        elif method == "HEAD":
            await self._answer_head(scope, receive, send)
        elif method is None:
            await self._app(scope, receive, send)
        elif method != "OPTIONS" or not await self._answer_options(scope, send):
            await self._app(scope, receive, Compression(scope, send).send)

    async def _answer_head(self, scope: Scope, receive: Receive, send: Send) -> None:
        # The server has to see HEAD in its own scope, to know that no body follows: copy it.
        inner = cast("Scope", {**scope, "method": "GET"})
        reading = _Reading(inner, send, head=True)
        try:
            await self._app(inner, receive, reading.send)
        except Exception:
            if not reading.stopped:
                raise
        finally:
            if "path_template" in inner:
                scope["path_template"] = inner["path_template"]

    async def _answer_options(self, scope: Scope, send: Send) -> bool:
        """Send the methods of this address. Return False, with nothing sent, if it has no route."""
        try:
            _, _, _, _, template = self._app.asgi_router.handle_routing(
                path=normalize_path(scope["path"]), method="OPTIONS"
            )
        except HTTPException:
            return False
        allow = ", ".join(self._methods[template]).encode()
        await send({"type": "http.response.start", "status": 204, "headers": [(b"allow", allow)]})
        await send({"type": "http.response.body", "body": b"", "more_body": False})
        return True


def _with_head(methods: Iterable[str]) -> list[str]:
    named = {str(method) for method in methods}
    return sorted(named | {"HEAD"} if "GET" in named else named)


class _Reading:
    """One answer to a GET: its start is held back until the first piece of its body is known."""

    def __init__(self, scope: Scope, send: Send, *, head: bool = False) -> None:
        self._scope = scope
        self._send = send
        self._head = head
        self._start: HTTPResponseStartEvent | None = None
        self._sent = False
        self.stopped = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._start = message
        elif message["type"] != "http.response.body":
            await self._send(message)
        elif self._start is not None:
            start, self._start = self._start, None
            await self._begin(start, message.get("body", b""), message.get("more_body", False))
        elif not self._sent:
            await self._send(message)

    async def _begin(self, start: HTTPResponseStartEvent, body: bytes, more: bool) -> None:
        status, headers = start["status"], list(start["headers"])
        packable = not more and may_be_packed(headers)
        headers.append(_VARY_PACKED if packable else _VARY)
        if not _is_static(self._scope) and all(name != b"cache-control" for name, _ in headers):
            headers.append(_PRIVATE)
        if status == 200:
            headers += self._language()
            if not more and not any(name == b"etag" for name, _ in headers):
                headers.append((b"etag", _tag_of(body)))
            if self._is_known(headers):
                status, headers = 304, [pair for pair in headers if pair[0] in _KEPT_WITH_304]
        if packable and status != 304:
            headers, body = await compressed(self._scope, headers, body)
        without_body = self._head or status == 304
        self._sent = without_body or not more
        await self._send({"type": "http.response.start", "status": status, "headers": headers})
        await self._send(
            {
                "type": "http.response.body",
                "body": b"" if without_body else body,
                "more_body": not self._sent,
            }
        )
        if self._head and more:
            # Tell a stream that the client has left, since it may never end by itself.
            self.stopped = True
            raise OSError("a HEAD request was answered")

    def _language(self) -> HeaderList:
        language = trace_of(self._scope).language
        return [] if language is None else [(b"content-language", language.encode())]

    def _is_known(self, headers: HeaderList) -> bool:
        """Return whether the client already has this answer, by its If-None-Match."""
        tag = next((value for name, value in headers if name == b"etag"), None)
        condition = b",".join(
            value for name, value in self._scope["headers"] if name == b"if-none-match"
        )
        return tag is not None and bool(condition) and _names(condition, tag)


def _tag_of(body: bytes) -> bytes:
    return b'"%s"' % hashlib.blake2b(body, digest_size=16).hexdigest().encode()
