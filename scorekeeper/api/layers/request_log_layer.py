"""The ASGI layer that writes the request log: one line for each request, however it ends."""

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from scorekeeper.api.log.request_context import RequestContext, begin, request_id
from scorekeeper.api.log.request_log import NO_ANSWER, RequestLog
from scorekeeper.api.log.structured_log import LINES
from scorekeeper.api.problems.problems import log_bug, send_error
from scorekeeper.service.refused import Refused

NO_SNIFFING = (b"x-content-type-options", b"nosniff")
"""No browser takes an answer for something else than its Content-Type says."""


class RequestLogLayer:
    """The outermost layer but for appends: it sees every answer, and none is left to an exception.

    Each answer has a request id, the client's own where that is a sane one.
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
            log_bug(scope, error)
            if status:
                # Part of the answer was sent. Only the server can abort it.
                raise
            await send_error(scope, send_and_note, Refused("internal"))
        finally:
            self._request_log.end(started, method, path, _route(scope), status or NO_ANSWER, trace)


def _route(scope: Scope) -> str | None:
    # Litestar writes it; a request that was turned away further out has none.
    try:
        return scope["path_template"]
    except KeyError:
        return None
