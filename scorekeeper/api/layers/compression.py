"""Gzip compression of answers for clients that accept it (RFC 9110, section 12.5.3).

Answers that hold a secret are not compressed: next to words of an attacker, the compressed length
would reveal it. Such an answer says `no-store` or sets a cookie. Streams are not compressed either,
since a compressor delays what a follower waits for.
"""

import asyncio
import gzip
import re
from functools import lru_cache
from typing import Final

from litestar.types import HTTPResponseStartEvent, Message, Scope, Send

LEAST: Final = 1 << 10
"""Bytes; less is sent as it is."""
STATIC: Final = "static"
"""In `opt` of a reading that never changes while the process runs: it is packed once."""

_LEVEL: Final = 5
_LEVEL_ONCE: Final = 9
_ASIDE: Final = 1 << 15
"""Bytes; so much takes a millisecond, and more is packed in a thread."""

_PACKABLE: Final = re.compile(
    rb"(?:text/(?!event-stream)[a-z.+-]+|application/(?:[a-z.]+\+)?json|image/svg\+xml)(?: *;.*)?"
)
_PROBLEM: Final = b"application/problem+json"
_GZIP: Final = re.compile(
    r"(?:gzip|x-gzip|\*)\s*(?:;\s*q=(?P<quality>[01](?:\.[0-9]{0,3})?)\s*)?", re.IGNORECASE
)

HeaderList = list[tuple[bytes, bytes]]

_once: dict[bytes, bytes] = {}


def may_be_packed(headers: HeaderList) -> bool:
    """Whether an answer is packed for those who accept it; `headers` in lower case."""
    named = dict(headers)
    content_type = named.get(b"content-type", b"")
    return (
        _PACKABLE.fullmatch(content_type) is not None
        and b"set-cookie" not in named
        and b"content-encoding" not in named
        and (named.get(b"cache-control") != b"no-store" or content_type == _PROBLEM)
    )


async def compressed(scope: Scope, headers: HeaderList, body: bytes) -> tuple[HeaderList, bytes]:
    """The whole answer as it goes out; its headers are ones that `may_be_packed`."""
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
    """Whether gzip is among the codings, by name or as any, and not at quality 0."""
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


class Compression:
    """One answer to a request that is no reading: its start is held back for its body."""

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
