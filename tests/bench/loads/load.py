"""A load generator that costs little: one process, kept-alive sockets, prepared requests.

Every client posts to one path, and sends its next request once the last one is answered. Requests
that were sent before the end are waited for and counted, over the time that they really took, since
many slow answers may arrive together just after the end. An unexpected answer ends the run, and is
printed on standard error.
"""

import asyncio
import itertools
import os
import sys
import time
from typing import cast

import msgspec
import uvloop

from tests.bench.measuring.children import answer, job_told
from tests.bench.measuring.samples import Sample, sample

PLACE_OF_ID = "00000000-0000-4000-8000-000000000000"
HEAD_ENDS = b"\r\n\r\n"


class Target(msgspec.Struct):
    """Where one client posts, and the token that it sends."""

    path: str
    token: str


class Load(msgspec.Struct):
    """One client for each target. PLACE_OF_ID in bodies and headers is replaced by fresh ids.

    Each client sends the bodies in their order; a single body is sent again and again.
    """

    port: int
    targets: list[Target]
    headers: dict[str, str]
    bodies: list[str]
    seconds: float
    warm_up: float


def fresh_id() -> bytes:
    """A random UUID, version 4, as clients make them; twenty times cheaper than uuid.uuid4."""
    digits = os.urandom(16).hex()
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}".encode()


def parted(text: str) -> list[bytes]:
    """Return a piece of a request, split where ids have to be put."""
    return text.encode().split(PLACE_OF_ID.encode())


def head(load: Load, target: Target) -> list[bytes]:
    """A request up to its Content-Length."""
    named = {
        "Host": "127.0.0.1",
        "Content-Type": "application/json",
        "Authorization": f"Bearer {target.token}",
        **load.headers,
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in named.items())
    return parted(f"POST {target.path} HTTP/1.1\r\n{lines}")


def tail(body: str) -> list[bytes]:
    """The rest of a request."""
    return parted(f"Content-Length: {len(body.encode())}\r\n\r\n{body}")


def filled(*pieces: list[bytes]) -> bytes:
    """Join pieces of a request, and put in fresh ids."""
    whole: list[bytes] = []
    for first, *others in pieces:
        whole.append(first)
        for part in others:
            whole += (fresh_id(), part)
    return b"".join(whole)


def answered(received: bytes) -> bool:
    """Whether the answer is there to its last byte."""
    end = received.find(HEAD_ENDS)
    if end < 0:
        return False
    _, found, rest = received[:end].lower().partition(b"content-length:")
    if not found:
        raise ValueError(f"an answer without Content-Length:\n{received.decode()}")
    return len(received) >= end + len(HEAD_ENDS) + int(rest.split(b"\r\n", 1)[0])


class Run:
    """The state that all clients share: the limits of the measurement, the latencies, the end."""

    def __init__(self, load: Load) -> None:
        self.counted_from = time.perf_counter() + load.warm_up
        self.until = self.counted_from + load.seconds
        self.last = self.until
        self.milliseconds: list[float] = []
        self.clients = len(load.targets)
        self.tails = [tail(body) for body in load.bodies]
        self.wrong: str | None = None
        self.over = asyncio.Event()

    def leave(self, wrong: str | None) -> None:
        """Count a client whose connection is closed; only the first error is kept."""
        self.wrong = self.wrong or wrong
        self.clients -= 1
        if wrong or not self.clients:
            self.over.set()


class Client(asyncio.Protocol):
    def __init__(self, run: Run, head: list[bytes]) -> None:
        self._run = run
        self._head = head
        self._tails = itertools.cycle(run.tails) if len(run.tails) == 1 else iter(run.tails)
        self._received = b""
        self._sent = 0.0
        self._wrong: str | None = "the connection was lost"
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self._send()

    def data_received(self, data: bytes) -> None:
        received = self._received = self._received + data if self._received else data
        if not answered(received):
            return
        now = time.perf_counter()
        if not received.startswith(b"HTTP/1.1 201"):
            self._wrong = received.decode()
            self.transport.close()
            return
        self._received = b""
        if now >= self._run.counted_from:
            self._run.milliseconds.append((now - self._sent) * 1000)
            self._run.last = now
        if now < self._run.until:
            self._send()
        else:
            self._wrong = None
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._run.leave(self._wrong)

    def _send(self) -> None:
        rest = next(self._tails, None)
        if rest is None:
            self._wrong = "a client has nothing more to send: give it more bodies"
            self.transport.close()
            return
        request = filled(self._head, rest)
        self._sent = time.perf_counter()
        self.transport.write(request)


async def generate(load: Load) -> Sample:
    """Return a sample; raise RuntimeError with the answer if one was not a 201."""
    run = Run(load)
    loop = asyncio.get_running_loop()
    clients = [Client(run, head(load, target)) for target in load.targets]
    for client in clients:
        await loop.create_connection(lambda client=client: client, "127.0.0.1", load.port)
    await run.over.wait()
    for client in clients:
        client.transport.abort()
    if run.wrong:
        raise RuntimeError(run.wrong)
    return sample(len(run.milliseconds) / (run.last - run.counted_from), run.milliseconds)


if __name__ == "__main__":
    try:
        answer(uvloop.run(generate(job_told(Load))))
    except RuntimeError as wrong:
        sys.exit(str(wrong))
