"""Figures of the requests for Prometheus; what is counted says nothing of who asked for what."""

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

CONTENT_TYPE = "text/plain; version=0.0.4"
"""Litestar adds the charset to text by itself."""

_METHODS = frozenset({"GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"})
_UNMATCHED = "unmatched"
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Metrics:
    """The figures of one process, or of all its siblings where they share a directory.

    `directory` is the value of PROMETHEUS_MULTIPROC_DIR, which prometheus_client reads when it is
    imported: each process writes into it, and whichever is asked answers for all.
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
        self._seconds = Histogram(
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
        # The children are kept, for finding one by its labels costs as much as counting.
        self._kept: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}

    def begun(self) -> None:
        """Count a request as in flight."""
        self._in_flight.inc()

    def ended(self, method: str, route: str | None, status: int, seconds: float) -> None:
        """Count the answer. `route` is its template, None for an address that no route has."""
        self._in_flight.dec()
        key = (method if method in _METHODS else "other", route or _UNMATCHED, status)
        if (kept := self._kept.get(key)) is None:
            kept = self._kept[key] = (
                self._requests.labels(key[0], key[1], str(status)),
                self._seconds.labels(key[0], key[1]),
            )
        kept[0].inc()
        kept[1].observe(seconds)

    def exposition(self) -> bytes:
        """The answer to a scrape, of CONTENT_TYPE."""
        registry = self._registry
        if self._directory is not None:
            registry = CollectorRegistry()
            MultiProcessCollector(registry, path=self._directory)  # type: ignore[no-untyped-call]
        return generate_latest(registry)
