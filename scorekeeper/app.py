"""The composition root: the only module that connects settings, services, API and pages.

It also has the service react to the signal to stop before the server has finished its answers.
"""

import asyncio
import signal
import threading
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from types import FrameType
from typing import Any

from granian.utils import proxies
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from scorekeeper.api.append import FastAppend
from scorekeeper.api.application import application
from scorekeeper.api.layers.input_validation import InputValidation, Timeouts
from scorekeeper.api.layers.rate_limits import FAILURES_PER_MINUTE, Limits, TokenBuckets
from scorekeeper.api.layers.representation import Conditional
from scorekeeper.api.layers.request_log import Metrics, RequestLog, RequestLogLayer
from scorekeeper.api.layers.session_cookies import SessionCookies
from scorekeeper.api.lifespan import Lifespan
from scorekeeper.api.problems import refusal_and_status
from scorekeeper.api.structured_log import configure_logging
from scorekeeper.service.identity.access import token_digest
from scorekeeper.service.interpreter import tune_interpreter
from scorekeeper.service.live.followers import Pace
from scorekeeper.service.services import open_services
from scorekeeper.service.worker_start import end_with_parent
from scorekeeper.settings import Settings, shared_metrics
from scorekeeper.web.application import pages_application
from scorekeeper.web.static_files import STATIC

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_PAGES = frozenset({"/", "/join", "/offline", "/sw.js", "/manifest.webmanifest"})
_BEGINNINGS_OF_PAGES = ("/l/", "/e/")
_NO_PAGES = frozenset({"v1", "health", "metrics", "openapi.json", "docs", "problems", "static"})
"""The first parts of paths below which there are no pages."""


@contextmanager
def on_stop_signal(stop: Callable[[], None]) -> Generator[None]:
    """Have `stop` called on the running loop as soon as a signal asks the process to end.

    The signal's former handler is called, too. Alone it is not enough: a server ends the
    application's lifespan only after all answers were sent, and a stream never ends by itself.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in _SIGNALS}

    def handle(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(stop)
        then = before[signal.Signals(number)]
        if callable(then):
            then(number, frame)

    # A signal without a handler ends the process, and must still do so.
    handled = [number for number, then in before.items() if callable(then)]
    for number in handled:
        signal.signal(number, handle)
    try:
        yield
    finally:
        for number in handled:
            if signal.getsignal(number) is handle:
                signal.signal(number, before[number])


def from_environment() -> ASGIApp:
    """Return the application by the settings in the environment. Each server worker calls this."""
    configure_logging()
    end_with_parent()
    return create(Settings.load(), started=tune_interpreter)


def is_page(path: str) -> bool:
    """Return whether a path belongs to the pages, and not to the API.

    The path of a static file that does not exist counts as one of the API, which answers that
    nothing is there.
    """
    return path in _PAGES or path.startswith(_BEGINNINGS_OF_PAGES) or STATIC.has(path)


def is_lost(method: str, path: str, accept: bytes) -> bool:
    """Return whether a browser asks for a page that is not there. `path` must not be a page's."""
    beginning = path.strip("/").partition("/")[0]
    return method in {"GET", "HEAD"} and beginning not in _NO_PAGES and b"text/html" in accept


def _by_address(api: ASGIApp, pages: ASGIApp) -> ASGIApp:
    def of_pages(scope: Scope) -> bool:
        if scope["type"] != ScopeType.HTTP:
            return False
        accept = dict(scope["headers"]).get(b"accept", b"")
        return is_page(scope["path"]) or is_lost(scope["method"], scope["path"], accept)

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        await (pages if of_pages(scope) else api)(scope, receive, send)

    return answer


def create(
    settings: Settings,
    *,
    started: Callable[[], None] = lambda: None,
    pace: Pace | None = None,
    offload: bool = True,
) -> ASGIApp:
    """Return the whole service: proxies, fast appends, request log, input validation, limits, API.

    `started` is called once the database is open. `pace` is the pace of live followers. `offload`:
    long computations are made in processes of their own.
    """
    metrics = Metrics(shared_metrics())

    @asynccontextmanager
    async def opened() -> AsyncGenerator[Mapping[str, object]]:
        given = settings.admin_token
        async with open_services(
            settings.url,
            evidence_files=settings.evidence_files,
            admin_token=None if given is None else token_digest(given),
            notify_url=settings.waking_url,
            pace=pace,
            offload=offload,
        ) as services:
            started()
            with on_stop_signal(services.followers.stop):
                yield {
                    "services": services,
                    "public_url": settings.public_url,
                    "time_zone": settings.time_zone,
                    "metrics": metrics,
                }

    per_token = None if settings.rate_limit is None else TokenBuckets(settings.rate_limit)
    pages = pages_application(refusal_and_status)
    asked = _by_address(Conditional(application()), Conditional(pages))
    limits = Limits(asked, TokenBuckets(FAILURES_PER_MINUTE), per_token)
    request_log = RequestLog(metrics)
    answered = RequestLogLayer(Timeouts(InputValidation(SessionCookies(limits))), request_log)
    app: ASGIApp = FastAppend(answered, limits, request_log)
    if settings.trusted_proxies is not None:
        named: Any = proxies  # which has no types
        app = named.wrap_asgi_with_proxy_headers(app, settings.trusted_proxies)
    return Lifespan(app, opened)
