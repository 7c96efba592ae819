"""HTTP without a network: what a client would send is fed to a connection."""

import asyncio
from typing import Any

import httptools
import httpx
from uvicorn.config import Config
from uvicorn.server import ServerState

from scorekeeper.api.connection import Connection


class NoNetwork(httpx.AsyncBaseTransport):
    """Each request has a connection of its own to `app`; `state` is that of its lifespan.

    `client` is the address that asks.
    """

    def __init__(self, app: Any, state: dict[str, Any], *, client: str = "10.0.0.1") -> None:
        self.client = client
        self._state = state
        self._server = ServerState()
        self._config = Config(
            app,
            http=Connection,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        connection = Connection(self._config, self._server, self._state, asyncio.get_running_loop())
        answer = _Answer(self.client, head_only=request.method == "HEAD")
        connection.connection_made(answer)
        connection.data_received(_on_the_wire(request, await request.aread()))
        await answer.whole.wait()
        connection.connection_lost(None)
        return httpx.Response(answer.status, headers=answer.headers, content=answer.body)


def _on_the_wire(request: httpx.Request, body: bytes) -> bytes:
    target = request.url.raw_path
    lines = [b"%b %b HTTP/1.1\r\n" % (request.method.encode(), target)]
    lines += [b"%b: %b\r\n" % header for header in request.headers.raw]
    if "transfer-encoding" in request.headers:
        body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body) if body else b"0\r\n\r\n"
    return b"".join([*lines, b"\r\n", body])


class _Answer(asyncio.Transport):
    """Takes an answer in as it is written."""

    def __init__(self, client: str, *, head_only: bool) -> None:
        super().__init__({"peername": (client, 5), "sockname": ("127.0.0.1", 80)})
        self.headers: list[tuple[bytes, bytes]] = []
        self.body = b""
        self.whole = asyncio.Event()
        self._head_only = head_only
        self._closed = False
        self._parser = httptools.HttpResponseParser(self)

    @property
    def status(self) -> int:
        return self._parser.get_status_code()

    def write(self, data: Any) -> None:
        if not self.whole.is_set():
            self._parser.feed_data(bytes(data))

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        if self._head_only:
            self.whole.set()

    def on_body(self, body: bytes) -> None:
        self.body += body

    def on_message_complete(self) -> None:
        self.whole.set()

    def close(self) -> None:
        self._closed = True
        self.whole.set()

    def is_closing(self) -> bool:
        return self._closed

    def pause_reading(self) -> None:
        """All that is sent is there already."""

    def resume_reading(self) -> None:
        """The same."""
