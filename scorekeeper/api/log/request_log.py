"""The request log: what is logged of each request, with its id and without secrets."""

import time
from collections.abc import Callable

import msgspec

from scorekeeper.api.log.metrics import Metrics
from scorekeeper.api.log.request_context import RequestContext
from scorekeeper.api.log.structured_log import LINES
from scorekeeper.ledger.clock import as_text, wall_clock

NO_ANSWER = 499
"""In place of a status, where the client left before there was one."""


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


class RequestLog:
    """Writes a line for each request, and counts it. `clock` is in seconds."""

    def __init__(self, metrics: Metrics, clock: Callable[[], float] = time.perf_counter) -> None:
        self._metrics = metrics
        self._clock = clock

    def begin(self) -> float:
        """The moment from which the request's time counts."""
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
        LINES.add(line)
