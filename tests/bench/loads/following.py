"""Followers that time each entry on a stream, from the moment at which it was sent.

One client appends entries at an even pace. The run ends with an error if a follower misses an
entry, gets it twice, or gets entries in another order than the recorded one.
"""

import asyncio
import re
import resource
import sys
import time
from collections.abc import Callable
from typing import cast

import msgspec
import uvloop

from tests.bench.loads.load import HEAD_ENDS, answered
from tests.bench.measuring.children import answer, job_told
from tests.bench.measuring.samples import Sample, sample

_ID = re.compile(rb"\nid: (\d+)\n")
_SPARE_FILES = 200
_PATIENCE_SECONDS = 60


class Following(msgspec.Struct):
    """A job. With `whole_ticks`, the time is measured until the last follower has an entry."""

    port: int
    live: str
    tell: str
    headers: dict[str, str]
    body: str
    followers: int
    per_second: float
    seconds: float
    warm_up: float
    whole_ticks: bool


class Run:
    """The state that all followers share. Entries are counted in the order of their sending."""

    def __init__(self, job: Following) -> None:
        self.job = job
        self.opened = 0
        self.begun: list[float] = []
        self.arrived: list[list[float]] = []
        self.over = False
        self.wrong: str | None = None
        self._changed = asyncio.Event()

    def arrive(self, nth: int, now: float) -> None:
        self.arrived[nth].append(now)
        if len(self.arrived[nth]) == self.job.followers:
            self._changed.set()

    def open(self) -> None:
        self.opened += 1
        self._changed.set()

    def fail(self, wrong: str) -> None:
        self.wrong = self.wrong or wrong
        self._changed.set()

    async def until(self, reached: Callable[[], bool]) -> None:
        while not reached():
            self._changed.clear()
            async with asyncio.timeout(_PATIENCE_SECONDS):
                await self._changed.wait()
            if self.wrong:
                raise RuntimeError(self.wrong)


class Follower(asyncio.Protocol):
    def __init__(self, run: Run) -> None:
        self._run = run
        self._last: int | None = None
        self._count = 0
        self._rest = b""
        self._open = False
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.transport.write(request("GET", self._run.job.live, self._run.job))

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        received = self._rest + data
        if not self._open:
            if not received.startswith(b"HTTP/1.1 200"):
                self._run.fail(received.decode())
            if received.find(HEAD_ENDS) < 0 or not received.endswith(b"\n\n\r\n"):
                self._rest = received
                return
            self._open = True
            self._run.open()
        # Only the ids matter; the end of the received bytes may cut one in two.
        end = 0
        for found in _ID.finditer(received):
            end = found.end()
            position = int(found[1])
            if self._last is not None and position != self._last + 1:
                self._run.fail(f"{position} came after {self._last}")
                return
            self._last = position
            self._run.arrive(self._count, now)
            self._count += 1
        self._rest = received[max(end, len(received) - 24) :]

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._run.over:
            self._run.fail("a stream was cut off")


class Teller(asyncio.Protocol):
    """Posts on one connection, one request after the other."""

    def __init__(self) -> None:
        self._received = b""
        self.answer: asyncio.Future[bytes]
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self._received += data
        if answered(self._received):
            received, self._received = self._received, b""
            self.answer.set_result(received)

    async def tell(self, job: Following) -> bytes:
        self.answer = asyncio.get_running_loop().create_future()
        self.transport.write(request("POST", job.tell, job, job.body.encode()))
        return await self.answer


def request(method: str, path: str, job: Following, body: bytes = b"") -> bytes:
    named = {"Host": "127.0.0.1", **job.headers}
    if body:
        named |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
    head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
    return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body


async def measure(job: Following) -> Sample:
    """Return a sample; raise RuntimeError if an entry was lost, doubled or refused."""
    loop = asyncio.get_running_loop()
    run = Run(job)
    for _ in range(job.followers):
        await loop.create_connection(lambda: Follower(run), "127.0.0.1", job.port)
    await run.until(lambda: run.opened == job.followers)
    _, teller = await loop.create_connection(Teller, "127.0.0.1", job.port)
    counted_from = time.perf_counter() + job.warm_up
    until = counted_from + job.seconds
    due = time.perf_counter()
    while (now := time.perf_counter()) < until:
        run.begun.append(now)
        run.arrived.append([])
        told = await teller.tell(job)
        if not told.startswith(b"HTTP/1.1 201"):
            raise RuntimeError(told.decode())
        due = max(due + 1 / job.per_second, time.perf_counter())
        await asyncio.sleep(due - time.perf_counter())
    await run.until(lambda: len(run.arrived[-1]) == job.followers)
    run.over = True
    if any(len(arrived) != job.followers for arrived in run.arrived):
        raise RuntimeError("an entry did not reach everybody")
    return taken(run, counted_from)


def taken(run: Run, counted_from: float) -> Sample:
    milliseconds: list[float] = []
    entries = 0
    for begun, arrived in zip(run.begun, run.arrived, strict=True):
        if begun >= counted_from:
            entries += 1
            counted = [max(arrived)] if run.job.whole_ticks else arrived
            milliseconds += [(at - begun) * 1000 for at in counted]
    return sample(entries / run.job.seconds, milliseconds)


if __name__ == "__main__":
    job = job_told(Following)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (job.followers + _SPARE_FILES, most))
    try:
        answer(uvloop.run(measure(job)))
    except RuntimeError as wrong:
        sys.exit(str(wrong))
