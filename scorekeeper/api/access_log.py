"""One line of JSON for each request, with a request id and without anything that is secret."""

import asyncio
import json
import logging
import sys
import time
from collections.abc import Callable
from typing import BinaryIO

import msgspec
import structlog
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from scorekeeper.api.metrics import Metrics
from scorekeeper.api.problems import Code, log_bug, send_problem
from scorekeeper.api.trace import Trace, begin, request_id
from scorekeeper.ledger.clock import as_text, wall_clock

NO_ANSWER = 499
"""In place of a status, where the client left before there was one."""

_encode = msgspec.json.Encoder(enc_hook=str).encode


class _Line(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Names and order of the fields are what operators search for."""

    method: str
    path: str
    status: int
    duration_ms: float
    request_id: str
    time: str
    level: str
    event: str
    token_id: str | None = None


class Lines:
    """Collects the lines of one turn of the event loop and writes them with one call."""

    def __init__(self) -> None:
        self.file: BinaryIO | None = None
        self._waiting: list[bytes] = []
        # The loop that is going to flush; one that was closed before its turn never will.
        self._due: asyncio.AbstractEventLoop | None = None

    def add(self, line: bytes) -> None:
        loop = asyncio.get_running_loop()
        if self._due is not loop:
            self._due = loop
            loop.call_soon(self.flush)
        self._waiting.append(line)

    def flush(self) -> None:
        """Write what waits; also for the end, when no turn comes any more."""
        self._due = None
        if not self._waiting:
            return
        lines, self._waiting = self._waiting, []
        file = self.file or sys.stderr.buffer
        file.write(b"\n".join([*lines, b""]))
        file.flush()


_lines = Lines()


def configure_logging(file: BinaryIO | None = None) -> None:
    """JSON lines to standard error, or to `file`; tracebacks as text, without local variables.

    What libraries have to say, from a warning on, becomes such lines, too.
    """
    _lines.file = file
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(serializer=_to_bytes),
        ],
        wrapper_class=structlog.make_filtering_bound_logger("info"),
        logger_factory=structlog.BytesLoggerFactory(file or sys.stderr.buffer),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(handlers=[_OfLibraries()], level=logging.WARNING)
    # It warns of what can't be read as HTTP; the connection has a line of its own for that.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)


class _OfLibraries(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        log = structlog.get_logger()
        log.log(record.levelno, record.getMessage(), logger=record.name, exc_info=record.exc_info)


def _to_bytes(line: object, **_settings: object) -> bytes:
    try:
        return _encode(line)
    except UnicodeEncodeError:
        # Half a surrogate pair: json writes it as an escape.
        return json.dumps(msgspec.to_builtins(line, enc_hook=str), default=str).encode()


class Journal:
    """What is kept of each request: a line in the log, and the figures. `clock` is in seconds."""

    def __init__(self, metrics: Metrics, clock: Callable[[], float] = time.perf_counter) -> None:
        self._metrics = metrics
        self._clock = clock

    def begin(self) -> float:
        """The moment from which the request's time counts."""
        started = self._clock()
        self._metrics.begun()
        return started

    def end(
        self, started: float, method: str, path: str, route: str | None, status: int, trace: Trace
    ) -> None:
        """`route`: its template, None for an address that no route has."""
        seconds = self._clock() - started
        self._metrics.ended(method, route, status, seconds)
        line = _Line(
            method=method,
            path=path,
            status=status,
            duration_ms=round(seconds * 1000, 3),
            request_id=trace.request_id,
            time=as_text(wall_clock()),
            level="info",
            event="request",
            token_id=trace.token_id,
        )
        _lines.add(_to_bytes(line))


class AccessLog:
    """The outermost layer: it sees every answer, and lets no exception go unanswered.

    Each answer has a request id, the client's own where that is a sane one.
    """

    def __init__(self, app: ASGIApp, journal: Journal) -> None:
        self._app = app
        self._journal = journal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            # The service stops; there may be no further turn of the loop.
            _lines.flush()
            return
        started = self._journal.begin()
        method, path = scope["method"], scope["path"]
        given = (value for name, value in scope["headers"] if name == b"x-request-id")
        trace = Trace(request_id(next(given, None)))
        echo = (b"x-request-id", trace.request_id.encode())
        begin(scope, trace)
        status = 0

        async def send_and_note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], echo]
            await send(message)

        try:
            await self._app(scope, receive, send_and_note)
        except Exception as error:
            log_bug(scope, error)
            if status:
                # Half an answer is out: only the server can break it off.
                raise
            await send_problem(scope, send_and_note, Code.INTERNAL, "The log has the cause.")
        finally:
            self._journal.end(started, method, path, _route(scope), status or NO_ANSWER, trace)


def _route(scope: Scope) -> str | None:
    # Litestar writes it; a request that was turned away further out has none.
    try:
        return scope["path_template"]
    except KeyError:
        return None
