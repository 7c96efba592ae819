"""An honest client, in a process of its own: so it waits for the service, and not for the attacker.

The process reads its job from the first line of its standard input, and works until that ends. Then
it writes what it saw to its standard output.
"""

import itertools
import json
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from tests.abuse.wire import Wire, request

_MATCH = "/v1/leagues/home/matches/m"
_PATIENCE_SECONDS = 10.0
_PAUSE_SECONDS = 0.025


class Job(msgspec.Struct):
    """Whom to ask. Nobody else uses the token, since clients with one token share its limits."""

    port: int
    token: str


class Seen(msgspec.Struct):
    """How long each request took, in seconds, and how many of them failed."""

    seconds: list[float]
    failed: int

    def columns(self) -> str:
        """Return the requests, the failures, and the median, p99 and maximum in milliseconds."""
        times = sorted(self.seconds) or [0.0]
        p99 = times[int(len(times) * 0.99)]
        waited = (each * 1000 for each in (statistics.median(times), p99, times[-1]))
        return " | ".join([str(len(times)), str(self.failed), *(f"{each:.0f}" for each in waited)])


class Honest:
    """The client as its parent sees it."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def stop(self) -> Seen:
        """Return what the client saw until now."""
        told, _ = self._process.communicate()
        return msgspec.json.decode(told, type=Seen)


@contextmanager
def honest_client(port: int, token: str) -> Iterator[Honest]:
    """Start a client, and wait until it is at work. At the end it is killed."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.abuse.honest"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(msgspec.json.encode(Job(port, token)) + b"\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"ready\n"
        yield Honest(process)
    finally:
        process.kill()
        process.wait()


def _work(job: Job, over: threading.Event) -> Seen:
    """Read a match and append to it by turns, some forty requests a second.

    A request is given up after ten seconds, which then count as its time.
    """
    authorization = f"Authorization: Bearer {job.token}"
    note = json.dumps({"events": [{"type": "note_added", "text": "tea"}]}).encode()
    asked = itertools.cycle(
        [
            request("GET", _MATCH, authorization),
            request(
                "POST",
                f"{_MATCH}/events",
                "Content-Type: application/json",
                authorization,
                body=note,
            ),
        ]
    )
    seen = Seen([], 0)
    wire: Wire | None = None
    while not over.wait(_PAUSE_SECONDS):
        begun = time.perf_counter()
        try:
            wire = wire or Wire(job.port, patience=_PATIENCE_SECONDS)
            if wire.send(next(asked)).answer()[0] not in (200, 201):
                seen.failed += 1
        except (OSError, AssertionError):
            seen.failed += 1
            wire = None
        seen.seconds.append(time.perf_counter() - begun)
    return seen


def main() -> None:
    job = msgspec.json.decode(sys.stdin.buffer.readline(), type=Job)
    over = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.buffer.read(), over.set()), daemon=True).start()
    sys.stdout.buffer.write(b"ready\n")
    sys.stdout.buffer.flush()
    sys.stdout.buffer.write(msgspec.json.encode(_work(job, over)))


if __name__ == "__main__":
    main()
