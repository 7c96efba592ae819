"""Input validation before anything is parsed: it refuses what no honest client sends.

Addresses, headers and bodies are checked. A body that does not arrive in time is refused, too,
since the server limits the time of the head only. Everything here raises Refused, mostly
`malformed`. So no later code meets NUL, text that is not UTF-8, a repeated key, or a number that
other readers of JSON would round.
"""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar
from urllib.parse import unquote_to_bytes, urlsplit

import msgspec
from litestar import Request
from litestar.enums import ScopeType
from litestar.exceptions import InternalServerException
from litestar.types import ASGIApp, Receive, ReceiveMessage, Scope, Send

from scorekeeper.api.layers.representation import send_problem
from scorekeeper.api.validation_errors import body_errors
from scorekeeper.service.refused import Refused

BODY_SECONDS = 30.0

READING_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
"""The methods that have no body and change nothing (RFC 9110, section 9.2.1)."""

BODY_LIMIT = 1 << 20
"""Bytes."""

DEPTH_LIMIT = 32
INTEGER_LIMIT = 1 << 53

_ONE_KIND = bytes.maketrans(b"{}", b"[]")
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_ESCAPE = re.compile(rb"\\.")
_DIGITS_ALIKE = bytes.maketrans(b"123456789.E", b"0000000000e")
_TOKEN = rb"[!#-'*+.^-z|~-]+"
# The media type of JSON has no parameters. All are ignored but a charset that is not UTF-8.
_PARAMETER = rb'(?:charset="?utf-?8"?|(?!charset=)%b=(?:%b|"[^"\\]*"))' % (_TOKEN, _TOKEN)
_CONTENT_TYPE = re.compile(rb"application/json\s*(?:;\s*(?:%b\s*)?)*" % _PARAMETER, re.IGNORECASE)
_ESCAPE_TO_REFUSE = re.compile(rb"%(?![0-9A-Fa-f]{2})|%00")
_HOST = re.compile(r"[A-Za-z0-9._~:\[\]-]{0,255}")

T = TypeVar("T")

_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode

Headers = dict[bytes, bytes]
"""Headers by name. Of several headers with one name, the first counts."""


class Timeouts:
    """Limits the time that a body may take to arrive.

    The time of BODY_SECONDS runs from the first call of `receive` to the last piece of the body. If
    it runs out, `receive` raises Refused (`request-timeout`).
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP and scope["method"] not in READING_METHODS:
            receive = _in_time(receive)
        await self._app(scope, receive, send)


async def whole_body(receive: Receive, length: int) -> bytes:
    """Receive a body of `length` bytes. Raises Refused (`request-timeout`, `malformed`).

    After the last byte the server also sends a message that the body has ended. It comes from
    another thread, and waiting for it would make an append a tenth slower. So nobody waits for it.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + BODY_SECONDS
    pieces: list[bytes] = []
    more = True
    while more:
        message: Any = await _by(deadline, loop, receive)
        if message["type"] == "http.disconnect":
            # A client may have closed only its sending side. It still reads the answer.
            raise _malformed("body-incomplete")
        pieces.append(message["body"])
        length -= len(message["body"])
        more = length > 0 and message.get("more_body", False)
    return b"".join(pieces)


def _in_time(receive: Receive) -> Receive:
    deadline: float | None = None
    over = False

    async def receive_in_time() -> ReceiveMessage:
        nonlocal deadline, over
        if over:
            return await receive()
        loop = asyncio.get_running_loop()
        if deadline is None:
            deadline = loop.time() + BODY_SECONDS
        over = True
        message = await _by(deadline, loop, receive)
        over = not message.get("more_body", False)
        return message

    return receive_in_time


async def _by(
    deadline: float,
    loop: asyncio.AbstractEventLoop,
    receive: Callable[[], Awaitable[ReceiveMessage]],
) -> ReceiveMessage:
    """Do what asyncio.timeout_at does, at a quarter of its cost: every append waits here once.

    Raises Refused (`request-timeout`).
    """
    task = asyncio.current_task(loop)
    assert task is not None
    cancelled_before = task.cancelling()
    late = False

    def give_up() -> None:
        nonlocal late
        late = True
        task.cancel()

    timer = loop.call_at(deadline, give_up)
    try:
        return await receive()
    except asyncio.CancelledError as error:
        if late and task.uncancel() <= cancelled_before:
            raise Refused("request-timeout", facts={"seconds": round(BODY_SECONDS)}) from error
        raise
    finally:
        timer.cancel()


def _malformed(reason: str, **facts: object) -> Refused:
    return Refused("malformed", reason=reason, facts=facts)


def _too_deep() -> Refused:
    return _malformed("too-deep", most=DEPTH_LIMIT)


def check_json(body: bytes) -> None:
    """Raises Refused (`malformed`) unless the body is JSON that every reader takes alike.

    Refused are: text that is no UTF-8, NUL and lone surrogates in any spelling, NaN and infinities,
    numbers beyond 2^53 either way, a key that occurs twice, and more than 32 levels (RFC 7493).
    """
    try:
        value = _decode(body)
    except RecursionError as error:
        raise _too_deep() from error
    except msgspec.ValidationError as error:
        # Any value is accepted here, so only a number can cause an error.
        raise _malformed("number-too-large") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _malformed("not-json") from error
    escapes = b"\\" in body
    # Without escapes every quotation mark begins or ends a string: every other piece lies outside.
    bare = b"".join((_ESCAPE.sub(b"", body) if escapes else body).split(b'"')[::2])
    if _is_deep(bare):
        raise _too_deep()
    if escapes or _has_wide_number(bare):
        _check_closely(body)
    elif body.count(b'"') != _encode(value).count(b'"'):
        # Decoded objects have each key once, so one more string in the body was a repeated key.
        raise _malformed("duplicate-key")


def decoded(decoder: msgspec.json.Decoder[T], body: bytes) -> T:
    """Decode a body that `check_json` has accepted, or that is empty.

    Raises Refused (`malformed`) if it does not fit.

    An integer may be spelled `5.0` or `5e0`: JSON Schema knows integers by their value, and some
    clients have no other numbers than doubles.
    """
    try:
        return decoder.decode(body)
    except msgspec.ValidationError:
        value = json.loads(body, parse_float=_integer_if_whole)
        try:
            return decoder.decode(_encode(value))
        except msgspec.ValidationError as error:
            raise body_errors(decoder.type, value, error) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _malformed("not-json") from error


def _integer_if_whole(digits: str) -> int | float:
    number = float(digits)
    return int(number) if number.is_integer() else number


def _is_deep(bare: bytes) -> bool:
    """Return whether JSON without its strings has more levels than are allowed."""
    brackets = bare.translate(_ONE_KIND, _NOT_BRACKETS)
    if len(brackets) <= 2 * DEPTH_LIMIT:
        return False
    for _ in range(DEPTH_LIMIT):
        # Takes away the innermost level, and that one only.
        brackets = brackets.replace(b"[]", b"")
    return bool(brackets)


def _has_wide_number(bare: bytes) -> bool:
    """Return whether a number has an exponent, or so many digits that it may lie beyond 2^53."""
    alike = bare.translate(_DIGITS_ALIKE)
    return b"0" * 16 in alike or b"0e" in alike


def _check_closely(body: bytes) -> None:
    """Check exactly what the cheap checks can't decide, at half their speed.

    msgspec must have decoded the body before. Raises Refused (`malformed`).
    """
    value = json.loads(body, object_pairs_hook=_object, parse_int=_integer, parse_float=_float)
    left: list[Any] = [value]
    while left:
        item = left.pop()
        if isinstance(item, str):
            if "\0" in item:
                raise _malformed("nul")
        elif isinstance(item, dict):
            left += [*item, *item.values()]
        elif isinstance(item, list):
            left += item


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _malformed("duplicate-key")
    return found


def _integer(digits: str) -> int:
    # More digits than these are beyond the limit, and Python itself stops at 4,300.
    if len(digits) > 17 or abs(int(digits)) > INTEGER_LIMIT:
        raise _malformed("number-too-large")
    return int(digits)


def _float(digits: str) -> float:
    if not abs(number := float(digits)) <= INTEGER_LIMIT:
        raise _malformed("number-too-large")
    return number


def headers_of(scope: Scope) -> Headers:
    return dict(reversed(list(scope["headers"])))


def check_headers(headers: Headers) -> None:
    """Raises Refused for a body that is announced as too large or as something else than JSON."""
    length = headers.get(b"content-length", b"")
    if length.isdigit() and int(length[:20]) > BODY_LIMIT:
        raise Refused("body-too-large", facts={"most": BODY_LIMIT})
    if headers.get(b"content-encoding", b"identity").lower() != b"identity":
        raise Refused("unsupported-media-type", reason="content-encoding")
    content_type = headers.get(b"content-type", b"")
    if content_type != b"application/json" and not _CONTENT_TYPE.fullmatch(content_type):
        raise Refused("unsupported-media-type")


async def check_body(request: Request[Any, Any, Any]) -> None:
    """Check headers and body before a handler runs. Raises Refused.

    The length of a chunked body is not known beforehand: set Litestar's own `request_max_body_size`
    to BODY_LIMIT.
    """
    if request.method in READING_METHODS:
        return
    try:
        body = await request.body()
    except InternalServerException as error:
        raise _malformed("body-incomplete") from error
    if body:
        check_headers(headers_of(request.scope))
        check_json(body)


def _is_text(escaped: bytes) -> bool:
    """Return whether a percent-encoded part of an address stands for UTF-8 text without NUL."""
    if b"%" not in escaped and escaped.isascii():
        return True
    if _ESCAPE_TO_REFUSE.search(escaped):
        return False
    try:
        unquote_to_bytes(escaped).decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_host(header: bytes) -> bool:
    """Return whether a Host header is empty, or a name or an address with or without a port.

    Links begin with it.
    """
    host = header.decode("latin-1")
    if not _HOST.fullmatch(host):
        return False
    try:
        parts = urlsplit(f"//{host}")
        # An invalid port raises only when the attribute is read.
        name, _ = parts.hostname, parts.port
    except ValueError:
        return False
    return name is not None or not host


class InputValidation:
    """Answers 400 if the address can't be read as text, or if the Host header is invalid."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
        elif not (_is_text(scope["raw_path"]) and _is_text(scope["query_string"])):
            await send_problem(scope, send, _malformed("address"))
        elif not all(_is_host(value) for name, value in scope["headers"] if name == b"host"):
            await send_problem(scope, send, _malformed("host"))
        else:
            await self._app(scope, receive, send)
