"""HTTP/1.1 as uvicorn speaks it, with a short way in for taps, and one out for endless answers."""

import asyncio
from functools import partial
from typing import cast

from httptools import HttpParserError, HttpParserUpgrade
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)
from uvicorn.server import ServerState

from scorekeeper.api.known_head import KnownHead
from scorekeeper.api.taps import TAPS, Answer, Tap, Taps
from scorekeeper.api.until_closed import UntilClosed
from scorekeeper.api.wire import WIRE, Wire
from scorekeeper.ledger.lane import Last

_NOBODY_WAITS = asyncio.Event()


class _TapCycle(RequestResponseCycle):
    """Stands where the protocol looks for the answer that is under way."""

    disconnected = False
    keep_alive = True
    response_started = False
    response_complete = False
    message_event = _NOBODY_WAITS

    def __init__(self) -> None:
        """There is nothing else to it."""


class _Lines:
    """Headers as they go over the wire, put together once for all answers that have them."""

    def __init__(self) -> None:
        self._headers: list[tuple[bytes, bytes]] = []
        self._lines = b""

    def of(self, headers: list[tuple[bytes, bytes]]) -> bytes:
        """A list that was seen before must not have changed since."""
        if headers is not self._headers:
            self._headers = headers
            self._lines = b"".join([b"%b: %b\r\n" % pair for pair in headers])
        return self._lines


_default_lines = _Lines()


class ShortWays(HttpToolsProtocol):
    """Answers what the Taps in the lifespan's state take; uvicorn sees all other requests.

    It sees a head once that is whole, without an offer to speak something else, and a tap where its
    body will never be. Its requests have the connection's Wire, unless they came by HTTP/1.0.
    """

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, object],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._taps = cast("Taps | None", app_state.get(TAPS))
        # Until its body is whole.
        self._tap: Tap | None = None
        self._body: list[bytes] = []
        # Whether part of a request has been parsed, and not all of it.
        self._midway = False
        # The last tap that was parsed, and the head by which the next one may be known.
        self._last: Tap | None = None
        self._known: KnownHead | None = None
        # Whose place a later request took while they were being answered.
        self._overtaken: list[RequestResponseCycle] = []

    @property
    def unanswered(self) -> list[RequestResponseCycle]:
        """The requests whose answers are not whole yet."""
        # None before the first one, whatever the type says.
        last = cast("RequestResponseCycle | None", self.cycle)
        every = self._overtaken if last is None else [*self._overtaken, last]
        return [cycle for cycle in every if not cycle.response_complete]

    @property
    def is_busy(self) -> bool:
        """Whether a request comes in, or is being answered."""
        return self._midway or bool(self.unanswered)

    def abandon(self) -> None:
        """Let nothing more be written of any answer; uvicorn thinks of the last one alone."""
        for cycle in self.unanswered:
            cycle.disconnected = True
            cycle.message_event.set()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._extensions: dict[str, dict[object, object]] = {
            WIRE: {"wire": Wire(transport, self.flow)}
        }

    def connection_lost(self, exc: Exception | None) -> None:
        self.hand_on()
        self.abandon()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._midway:
            self._parse(data)
        elif not self._is_known(data):
            before = self._last
            self._parse(data)
            if self._last is not None and self._last is not before:
                self._known = KnownHead.of(self._last, data)

    def _is_known(self, data: bytes) -> bool:
        """Whether it was a tap with the head of the last one, which is being answered then."""
        known = self._known
        if known is None or not self._is_free():
            return False
        body = known.body_of(data)
        if body is None:
            return False
        assert self._taps is not None
        if not self._taps.admits(known.tap):
            return False
        self.cycle = _TapCycle()
        self._taps.answer(known.tap, body, partial(self._reply, self.cycle))
        return True

    def _parse(self, data: bytes) -> None:
        try:
            self._feed(data)
        except HttpParserError:
            self.send_400_response("")

    def _feed(self, data: bytes) -> None:
        """Have all of it parsed; an offer to speak something else is declined (RFC 9110, 7.8).

        Java's client makes one with its first requests. The parser takes what follows such a head
        for the other protocol, so that it is shown the head once more, without the offer.
        """
        assert self.parser is not None
        while True:
            try:
                self.parser.feed_data(data)
            except HttpParserUpgrade as offer:
                if not self._is_offer():
                    return
                self.parser.feed_data(self._head_without_offer())
                data = data[offer.args[0] :]
            else:
                return

    def _is_offer(self) -> bool:
        """Whether the parser stops behind this head, and would not for one without an Upgrade."""
        parser = self.parser
        assert parser is not None
        return parser.should_upgrade() and parser.get_method() != b"CONNECT"

    def _head_without_offer(self) -> bytes:
        parser = self.parser
        assert parser is not None
        version = parser.get_http_version().encode()
        lines = [b"%b %b HTTP/%b" % (parser.get_method(), self.url, version)]
        lines += [b"%b: %b" % pair for pair in self.headers if pair[0] != b"upgrade"]
        return b"\r\n".join([*lines, b"", b""])

    def on_message_begin(self) -> None:
        self._midway = True
        self.url = b""
        self.headers = []

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        if self._is_offer():
            return
        self._tap = self._taken()
        if self._tap is None:
            self._begin_request()
        else:
            self.cycle = _TapCycle()
            self._body = []

    def on_body(self, body: bytes) -> None:
        if self._tap is None:
            super().on_body(body)
        else:
            self._body.append(body)

    def on_message_complete(self) -> None:
        self._midway = False
        tap, self._tap = self._tap, None
        if tap is not None:
            assert self._taps is not None
            self._last = tap
            self._taps.answer(tap, b"".join(self._body), partial(self._reply, self.cycle))
        elif not self._is_offer():
            super().on_message_complete()

    def hand_on(self) -> None:
        """Give up a tap whose body will never be whole, to those who know what to say of it."""
        if self._tap is None:
            return
        self._tap = None
        self.cycle = cast("RequestResponseCycle", None)
        self._begin_request()
        super().on_body(b"".join(self._body))

    def _taken(self) -> Tap | None:
        """The request as a tap, if it is one and nothing before it is being answered still."""
        parser = self.parser
        assert parser is not None
        if (
            self._taps is None
            or parser.get_method() != b"POST"
            or not self._is_free()
            or parser.get_http_version() != "1.1"
            or not parser.should_keep_alive()
        ):
            return None
        return self._taps.taken(self.url, self.headers)

    def _is_free(self) -> bool:
        """Whether all that was asked before is answered."""
        cycle = cast("RequestResponseCycle | None", self.cycle)
        return cycle is None or cycle.response_complete

    def _begin_request(self) -> None:
        """Let uvicorn see the head, as if it were coming in only now."""
        self._overtaken = self.unanswered
        url, headers = self.url, self.headers
        super().on_message_begin()
        unchunked = self._speaks_1_0()
        self.scope["extensions"] = {} if unchunked else self._extensions
        self.url = url
        for name, value in headers:
            super().on_header(name, value)
        super().on_headers_complete()
        if unchunked:
            # Before the cycle's task has begun.
            self.cycle.send = UntilClosed(self.cycle).send  # type: ignore[method-assign]

    def _speaks_1_0(self) -> bool:
        assert self.parser is not None
        return self.parser.get_http_version() == "1.0"

    def _reply(self, cycle: RequestResponseCycle, answer: Answer) -> Last:
        """What writes the answer, or nothing where it is not to be written now."""
        if cycle.disconnected:
            return None
        if self.flow.write_paused:
            task = self.loop.create_task(self._reply_later(cycle, answer))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
            return None
        return partial(self._write, cycle, answer)

    def _write(self, cycle: RequestResponseCycle, answer: Answer) -> None:
        cycle.response_started = cycle.response_complete = True
        lines = _default_lines.of(self.server_state.default_headers)
        if not cycle.keep_alive:
            lines += b"connection: close\r\n"
        pieces = (STATUS_LINE[answer.status], lines, answer.head, b"\r\n", answer.body)
        self.transport.write(b"".join(pieces))
        if not cycle.keep_alive:
            self.transport.close()
        self.on_response_complete()

    async def _reply_later(self, cycle: RequestResponseCycle, answer: Answer) -> None:
        """Once the client has taken more of what was written before."""
        await self.flow.drain()
        write = self._reply(cycle, answer)
        if write is not None:
            write()
