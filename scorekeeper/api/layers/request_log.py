"""The request log: each request is written as a line and counted for Prometheus, however it ends.

The line has the request's id and no secrets. The figures have nothing that identifies who asked
for what.
"""

import asyncio
import time
from bisect import bisect_left
from collections.abc import Callable
from typing import Protocol

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

from scorekeeper.api.layers.representation import send_problem
from scorekeeper.api.problems import log_bug
from scorekeeper.api.structured_log import LINES, RequestContext, begin, request_id
from scorekeeper.ledger.clock import as_text, wall_clock

FIGURES_TYPE = "text/plain; version=0.0.4"
"""Litestar adds the charset to text by itself."""

_METHODS = frozenset({"GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"})
_UNMATCHED = "unmatched"
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


# In seconds. Other workers see figures that are at most this old.
_PUBLISHED_SECONDS = 1.0

NO_ANSWER = 499
"""Logged as the status if the client left before there was an answer."""

NO_SNIFFING = (b"x-content-type-options", b"nosniff")
"""Forbids browsers to guess another type than the Content-Type."""


class _Value(Protocol):
    def inc(self, amount: float, /) -> None: ...


class _Histogram(Histogram):
    _sum: _Value
    _buckets: list[_Value]  # the library has no types for these two

    def add(self, seconds: float, counts: list[int]) -> None:
        """Take in many observations at once: their sum, and how many fell into each bucket."""
        self._sum.inc(seconds)
        for bucket, count in zip(self._buckets, counts, strict=True):
            if count:
                bucket.inc(count)


class _Counts:
    """Requests of one method, route and status that the figures do not show yet."""

    __slots__ = ("counter", "counts", "requests", "seconds", "times")

    def __init__(self, counter: Counter, times: _Histogram) -> None:
        self.counter = counter
        self.times = times
        self.clear()

    def clear(self) -> None:
        self.requests = 0
        self.seconds = 0.0
        self.counts = [0] * (len(_BUCKETS) + 1)


class Metrics:
    """The figures of one process, or of all workers if they share a directory.

    `directory` is the value of PROMETHEUS_MULTIPROC_DIR, which prometheus_client reads when it is
    imported. Each worker writes its figures into it, and each can answer for all of them. A worker
    shows at once what it counted itself; the others show that at most a second later.
    """

    def __init__(self, directory: str | None = None) -> None:
        self._directory = directory
        self._registry = CollectorRegistry()
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=self._registry)
        self._requests = Counter(
            "scorekeeper_http_requests_total",
            "Requests answered, by method, route and status.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self._seconds = _Histogram(
            "scorekeeper_http_request_seconds",
            "Time from the request to the end of its answer, by method and route.",
            ("method", "route"),
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self._in_flight = Gauge(
            "scorekeeper_http_requests_in_flight",
            "Requests that are being answered.",
            multiprocess_mode="livesum",
            registry=self._registry,
        )
        # Counting here costs a tenth of counting in prometheus_client, or less if files are shared.
        self._tallies: dict[tuple[str, str | None, int], _Counts] = {}
        self._begun = 0
        self._timer: asyncio.TimerHandle | None = None

    def begun(self) -> None:
        """Count a request as in flight."""
        self._begun += 1
        if self._directory is not None and self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(_PUBLISHED_SECONDS, self.publish)

    def ended(self, method: str, route: str | None, status: int, seconds: float) -> None:
        """Count the answer. `route` is its template, None for an address that no route has."""
        self._begun -= 1
        tally = self._tallies.get((method, route, status))
        if tally is None:
            tally = self._tally(method, route, status)
        tally.requests += 1
        tally.seconds += seconds
        tally.counts[bisect_left(_BUCKETS, seconds)] += 1

    def publish(self) -> None:
        """Hand over what was counted to prometheus_client, so that all siblings can show it."""
        if self._timer is not None:
            self._timer.cancel()
            # Requests that are in flight now will end later.
            again = self._begun > 0
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(_PUBLISHED_SECONDS, self.publish) if again else None
        self._in_flight.set(self._begun)
        for tally in self._tallies.values():
            if tally.requests:
                tally.counter.inc(tally.requests)
                tally.times.add(tally.seconds, tally.counts)
                tally.clear()

    def _tally(self, method: str, route: str | None, status: int) -> _Counts:
        method = method if method in _METHODS else "other"
        key = (method, route, status)
        if key not in self._tallies:
            shown = route or _UNMATCHED
            self._tallies[key] = _Counts(
                self._requests.labels(method, shown, str(status)),
                self._seconds.labels(method, shown),
            )
        return self._tallies[key]

    def exposition(self) -> bytes:
        """Return the answer to a scrape by Prometheus; its media type is FIGURES_TYPE."""
        self.publish()
        registry = self._registry
        if self._directory is not None:
            registry = CollectorRegistry()
            MultiProcessCollector(registry, path=self._directory)  # type: ignore[no-untyped-call]
        return generate_latest(registry)


class _Line(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One line of the log. Operators search it by the names and the order of the fields."""

    method: str
    path: str
    status: int
    duration_ms: float
    request_id: str
    time: str
    level: str
    event: str
    token_id: str | None = None


class RequestLog:
    """Writes a line for each request, and counts it. `clock` is in seconds."""

    def __init__(self, metrics: Metrics, clock: Callable[[], float] = time.perf_counter) -> None:
        self._metrics = metrics
        self._clock = clock

    def begin(self) -> float:
        """Count a request as in flight. Return the moment from which its time counts."""
        started = self._clock()
        self._metrics.begun()
        return started

    def end(
        self,
        started: float,
        method: str,
        path: str,
        route: str | None,
        status: int,
        trace: RequestContext,
    ) -> None:
        """Write the request's line and count its answer.

        `route`: its template, None for an address that no route has.
        """
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
        LINES.add(line)


class RequestLogLayer:
    """Logs and counts every request that FastAppend does not answer; an exception becomes a 500.

    Each answer carries a request id: the client's own if it is well-formed, else a new one.
    """

    def __init__(self, app: ASGIApp, request_log: RequestLog) -> None:
        self._app = app
        self._request_log = request_log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            # The service stops, and the loop may not run again.
            LINES.flush()
            return
        started = self._request_log.begin()
        method, path = scope["method"], scope["path"]
        given = (value for name, value in scope["headers"] if name == b"x-request-id")
        trace = RequestContext(request_id(next(given, None)))
        echo = (b"x-request-id", trace.request_id.encode())
        begin(scope, trace)
        status = 0

        async def send_and_note(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = [*message["headers"], echo]
                if NO_SNIFFING not in headers:
                    headers.append(NO_SNIFFING)
                message["headers"] = headers
            await send(message)

        try:
            await self._app(scope, receive, send_and_note)
        except Exception as error:
            if status:
                log_bug(scope, error)
                # Part of the answer was sent. Only the server can abort it.
                raise
            await send_problem(scope, send_and_note, error)
        finally:
            self._request_log.end(started, method, path, _route(scope), status or NO_ANSWER, trace)


def _route(scope: Scope) -> str | None:
    # Litestar sets the template. A request that an outer layer has refused has none.
    try:
        return scope["path_template"]
    except KeyError:
        return None
