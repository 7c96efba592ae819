"""Structured logging: each event is written as one line of JSON.

The outermost layer gives each request a context (`RequestContext`). Inner layers fill it in as the
request reaches them. Problems and rate limits read it, too.
"""

import asyncio
import json
import logging
import random
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import msgspec
import structlog

from scorekeeper.texts.language import Language

if TYPE_CHECKING:
    # `scorekeeper serve` logs too, and starts before the framework is imported.
    from litestar.types import Scope

_TRACE_KEY = "trace"
_REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")

_encoder = msgspec.json.Encoder(enc_hook=str)


def _unlimited() -> int:
    return 0


class RequestContext(msgspec.Struct):
    """What is known of a request so far.

    `token_id` is None until a token was recognised. `language` is None if the answer has no texts.
    `begin_guess` is called before anything is tried that can be guessed, such as the code of an
    invitation. It returns for how many seconds the request's address may not try; 0 if it may now.
    """

    request_id: str
    token_id: str | None = None
    language: Language | None = None
    begin_guess: Callable[[], int] = _unlimited


def new_request_id() -> str:
    # Not a secret, and random bytes from the system would cost more than a microsecond a request.
    return random.getrandbits(64).to_bytes(8, "big").hex()


def request_id(header: bytes | None) -> str:
    """Return the client's X-Request-Id if it is valid, else a new id.

    A valid id has 1 to 64 ASCII letters, digits, dots, dashes and underscores.
    """
    if header is not None and _REQUEST_ID.fullmatch(header):
        return header.decode()
    return new_request_id()


def begin(scope: "Scope", trace: RequestContext) -> None:
    """Put a new context into the scope, where all inner layers find it."""
    _state(scope)[_TRACE_KEY] = trace


def trace_of(scope: "Scope") -> RequestContext:
    """Return the request's context; an empty one if nobody began one, as in a test of one layer."""
    trace = _state(scope).get(_TRACE_KEY)
    if not isinstance(trace, RequestContext):
        begin(scope, trace := RequestContext(request_id=""))
    return trace


def _state(scope: "Scope") -> dict[str, Any]:
    # The key is optional in ASGI, although the type requires it.
    return cast("dict[str, dict[str, Any]]", scope).setdefault("state", {})


class LogFile:
    """A file for the log. Lines that can't be written are lost, as when its disk is full.

    The error would otherwise reach whoever logs: a request, or the event loop, which it ends.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, line: bytes) -> None:
        with suppress(OSError):
            self._file.write(line)

    def flush(self) -> None:
        with suppress(OSError):
            self._file.flush()


class LogBuffer:
    """Collects the lines of one turn of the event loop, and writes them with one call."""

    def __init__(self) -> None:
        self.file: BinaryIO | None = None
        self._waiting: list[object] = []
        # The loop that will flush. A loop that was closed before that never will.
        self._due: asyncio.AbstractEventLoop | None = None

    def add(self, line: object) -> None:
        """Add a line, which is encoded as JSON later: do not change it any more."""
        loop = asyncio.get_running_loop()
        if self._due is not loop:
            self._due = loop
            loop.call_soon(self.flush)
        self._waiting.append(line)

    def flush(self) -> None:
        """Write the collected lines now. Call it at the end, when the loop may not run again."""
        self._due = None
        if not self._waiting:
            return
        lines, self._waiting = self._waiting, []
        file = LogFile(self.file or sys.stderr.buffer)
        file.write(_as_lines(lines))
        file.flush()


LINES = LogBuffer()


def configure_logging(file: BinaryIO | None = None) -> None:
    """Log JSON lines to `file`, by default to standard error.

    Tracebacks are texts without local variables. Warnings and errors that libraries log are
    written as such lines, too.
    """
    LINES.file = file
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(serializer=as_line),
        ],
        wrapper_class=structlog.make_filtering_bound_logger("info"),
        logger_factory=structlog.BytesLoggerFactory(
            cast("BinaryIO", LogFile(file or sys.stderr.buffer))
        ),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(handlers=[_OfLibraries()], level=logging.WARNING)


class _OfLibraries(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        log = structlog.get_logger()
        log.log(record.levelno, record.getMessage(), logger=record.name, exc_info=record.exc_info)


def as_line(line: object, **_settings: object) -> bytes:
    """Return one line of JSON without its line end; structlog passes `_settings`, unused here."""
    try:
        return _encoder.encode(line)
    except UnicodeEncodeError:
        # msgspec can't encode half a surrogate pair. json writes it as an escape.
        return json.dumps(msgspec.to_builtins(line, enc_hook=str), default=str).encode()


def _as_lines(lines: list[object]) -> bytes:
    try:
        return _encoder.encode_lines(lines)
    except UnicodeEncodeError:
        return b"".join([as_line(line) + b"\n" for line in lines])
