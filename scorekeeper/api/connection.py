"""A client's connection: HTTP/1.1 as uvicorn speaks it, within bounds that uvicorn leaves open."""

import asyncio

import structlog
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import STATUS_LINE
from uvicorn.server import ServerState

from scorekeeper.api.problems import Code, parting_problem
from scorekeeper.api.short_ways import ShortWays
from scorekeeper.api.trace import new_request_id
from scorekeeper.service.live.followers import MOST_FOLLOWERS

HEAD_SECONDS = 10.0
BODY_SECONDS = 30.0
HEAD_LIMIT = 1 << 16
"""Bytes, give or take what arrives at once."""

# In each process. Followers stay, all others come and go.
MOST_CONNECTIONS = 2 * MOST_FOLLOWERS

_log = structlog.get_logger()


class Connection(ShortWays):
    """Ends a connection whose request is not whole in time, or begins with too much.

    The request line and the headers have ten seconds, the body has thirty from there on. What can't
    be read as HTTP and a connection too many are answered by a problem, as everything is.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, object],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._awaits_head = True
        self._awaits_body = False
        self._head_size = 0
        self._due: asyncio.TimerHandle | None = None
        self._answered_at = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            self._end(Code.UNAVAILABLE, "Too many are connected already.")
        else:
            self._await_more(0)

    def connection_lost(self, exc: Exception | None) -> None:
        self._await_nothing()
        self._unset_keepalive_if_required()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._awaits_head or self._awaits_body:
            self._await_more(len(data))

    def on_message_begin(self) -> None:
        self._awaits_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._await_nothing()
        self._awaits_body = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._await_nothing()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """As uvicorn has it, but for its timer: one is set for many answers, not for each."""
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        if self.pipeline:
            self._start_asgi_task(*self.pipeline.pop())
            return
        self._answered_at = self.loop.time()
        if self.timeout_keep_alive_task is None:
            self._look_after(self.timeout_keep_alive)

    def timeout_keep_alive_handler(self) -> None:
        """Close the connection if all has been quiet for long enough, else look again later."""
        self.timeout_keep_alive_task = None
        left = self._answered_at + self.timeout_keep_alive - self.loop.time()
        if self.is_busy:
            self._look_after(self.timeout_keep_alive)
        elif left > 0:
            self._look_after(left)
        else:
            self.transport.close()

    def _look_after(self, seconds: float) -> None:
        self.timeout_keep_alive_task = self.loop.call_later(
            seconds, self.timeout_keep_alive_handler
        )

    def send_400_response(self, msg: str) -> None:
        self._end(Code.MALFORMED, "The request is not HTTP/1.1.", reason="not-http")

    def _await_more(self, size: int) -> None:
        """The request is not whole, though `size` more bytes have come."""
        if self._awaits_head:
            self._head_size += size
        if self._head_size > HEAD_LIMIT:
            detail = f"The request line and the headers have {HEAD_LIMIT} bytes at the most."
            self._end(Code.MALFORMED, detail, reason="headers-too-large")
        elif self._due is None:
            seconds = HEAD_SECONDS if self._awaits_head else BODY_SECONDS
            self._due = self.loop.call_later(seconds, self._give_up)

    def _await_nothing(self) -> None:
        self._awaits_head = self._awaits_body = False
        self._head_size = 0
        if self._due is not None:
            self._due.cancel()
            self._due = None

    def _give_up(self) -> None:
        if self._awaits_body and not self.cycle.response_complete:
            detail = f"The body was not whole after {BODY_SECONDS:g} seconds."
            self._end(Code.REQUEST_TIMEOUT, detail)
        elif self._head_size:
            detail = f"The headers were not whole after {HEAD_SECONDS:g} seconds."
            self._end(Code.REQUEST_TIMEOUT, detail)
        else:
            self.transport.close()

    def _end(self, code: Code, detail: str, *, reason: str | None = None) -> None:
        """Answer, unless another answer is half out, and close."""
        self._await_nothing()
        self.hand_on()
        if self.transport.is_closing():
            return
        half_out = any(cycle.response_started for cycle in self.unanswered)
        # Nothing of another answer may follow what is said now.
        self.abandon()
        if not half_out:
            self.transport.write(self._parting(code, detail, reason))
        self.transport.close()

    def _parting(self, code: Code, detail: str, reason: str | None) -> bytes:
        request_id = new_request_id()
        _log.warning("connection", code=code.value, detail=detail, request_id=request_id)
        headers, body = parting_problem(code, detail, request_id=request_id, reason=reason)
        pairs = (*self.server_state.default_headers, *headers)
        lines = [b"%b: %b\r\n" % pair for pair in pairs]
        return b"".join((STATUS_LINE[code.status], *lines, b"\r\n", body))
