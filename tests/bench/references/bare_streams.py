"""A minimal streaming server: it writes each request's body to all followers.

It is the reference for followers, and has no ledger, no limits and no tokens. All followers get the
same chunk.
"""

import itertools
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.bench.started.service import answers_on, free_port

FILES = 8_192

followers: list[Any] = []
positions = itertools.count(1)


async def app(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] != "http":
        return
    if scope["method"] == "GET":
        await begin(send, 200, b"text/event-stream")
        await send({"type": "http.response.body", "body": b"retry: 2000\n\n", "more_body": True})
        followers.append(send)
        while (await receive())["type"] != "http.disconnect":
            pass
        followers.remove(send)
        return
    body = (await receive())["body"]
    position = next(positions)
    chunk = b"\nid: %d\ndata: %b\n\n" % (position, body)
    piece = {"type": "http.response.body", "body": chunk, "more_body": True}
    for each in followers:
        await each(piece)
    told = b'{"position":%d}' % position
    await begin(send, 201, b"application/json", (b"content-length", b"%d" % len(told)))
    await send({"type": "http.response.body", "body": told, "more_body": False})


async def begin(send: Any, status: int, media_type: bytes, *headers: tuple[bytes, bytes]) -> None:
    named = [(b"content-type", media_type), *headers]
    await send({"type": "http.response.start", "status": status, "headers": named})


@contextmanager
def running_streams() -> Iterator[int]:
    """Run the bare server, and yield its port."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.references.bare_streams", str(port)]
    )
    try:
        answers_on(port, process)
        yield port
    finally:
        process.terminate()
        process.wait(timeout=30)


if __name__ == "__main__":
    import uvicorn

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(FILES, most), most))
    uvicorn.run(
        "tests.bench.references.bare_streams:app",
        port=int(sys.argv[1]),
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        timeout_graceful_shutdown=1,
    )
