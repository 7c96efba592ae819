"""The composition root: the only module that connects settings, services, API and pages."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any, cast

from granian.utils import proxies
from litestar import Litestar
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from scorekeeper.api.appends.fast_append import FastAppend
from scorekeeper.api.application import application
from scorekeeper.api.layers.conditional import Conditional
from scorekeeper.api.layers.input_validation import InputValidation
from scorekeeper.api.layers.rate_limits import FAILURES_PER_MINUTE, Limits, TokenBuckets
from scorekeeper.api.layers.request_log_layer import RequestLogLayer
from scorekeeper.api.layers.session_cookies import SessionCookies
from scorekeeper.api.layers.timeouts import Timeouts
from scorekeeper.api.log.metrics import Metrics
from scorekeeper.api.log.request_log import RequestLog
from scorekeeper.api.log.structured_log import configure_logging
from scorekeeper.api.shutdown import on_stop_signal
from scorekeeper.service.identity.access import token_digest
from scorekeeper.service.interpreter import tune_interpreter
from scorekeeper.service.live.followers import Pace
from scorekeeper.service.question_pool import end_with_parent
from scorekeeper.service.services import open_services
from scorekeeper.settings import Settings, shared_metrics
from scorekeeper.web.application import is_page, pages_application


def from_environment() -> ASGIApp:
    """What the server loads in each of its workers."""
    configure_logging()
    end_with_parent()
    return create(Settings.load(), started=tune_interpreter)


def _by_address(api: ASGIApp, pages: ASGIApp) -> ASGIApp:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        of_pages = scope["type"] == ScopeType.HTTP and is_page(scope["path"])
        await (pages if of_pages else api)(scope, receive, send)

    return answer


def create(
    settings: Settings,
    *,
    started: Callable[[], None] = lambda: None,
    pace: Pace | None = None,
    offload: bool = True,
) -> ASGIApp:
    """The whole service: proxies, fast appends, request log, input validation, limits, the API.

    `started` is called once the database is open. `pace` is that of those who follow live.
    `offload`: what computes for long is left to processes of their own.
    """
    metrics = Metrics(shared_metrics())

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncGenerator[None]:
        given = settings.admin_token
        async with open_services(
            settings.url,
            evidence=settings.evidence,
            admin_token=None if given is None else token_digest(given),
            notify_url=settings.waking_url,
            pace=pace,
            offload=offload,
        ) as services:
            app.state.services = pages.state.services = fast_append.services = services
            app.state.public_url = pages.state.public_url = settings.public_url
            cookies.access = services.access
            started()
            with on_stop_signal(services.followers.stop):
                yield

    litestar = application(metrics, lifespan)
    per_token = None if settings.rate_limit is None else TokenBuckets(settings.rate_limit)
    pages = pages_application()
    asked = _by_address(Conditional(litestar), Conditional(pages))
    limits = Limits(asked, TokenBuckets(FAILURES_PER_MINUTE), per_token)
    request_log = RequestLog(metrics)
    cookies = SessionCookies(limits, public_url=settings.public_url)
    fast_append = FastAppend(
        RequestLogLayer(Timeouts(InputValidation(cookies)), request_log), limits, request_log
    )
    if settings.trusted_proxies is None:
        return fast_append
    named: Any = proxies  # which has no types
    return cast(
        "ASGIApp", named.wrap_asgi_with_proxy_headers(fast_append, settings.trusted_proxies)
    )
