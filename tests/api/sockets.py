"""Connections over real sockets: an application to be asked, and what comes back, to the byte."""

import asyncio
from contextlib import asynccontextmanager

import msgspec
from uvicorn.config import Config
from uvicorn.server import ServerState

from scorekeeper.api.connection import Connection
from scorekeeper.api.taps import TAPS

GET = b"GET /health/live HTTP/1.1\r\nHost: x\r\n"


async def answering(scope, receive, send):
    """Answers with the path, and with the body; /half never comes to the end of its answer."""
    body = scope["path"].encode()
    more = scope["method"] == "POST"
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        body += message["body"]
        more = message["more_body"]
    headers = [(b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    if body == b"/half":
        await send({"type": "http.response.body", "body": b"/", "more_body": True})
        await receive()
        assert (await receive())["type"] == "http.disconnect"
    await send({"type": "http.response.body", "body": body, "more_body": False})


@asynccontextmanager
async def listening(app=answering, *, quick=None, made=None, idle=5):
    """The port at which `app` is served; `quick` takes taps, `made` gets the connections.

    A connection may be idle for so many seconds.
    """
    config = Config(
        app,
        ws="none",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        timeout_keep_alive=idle,
    )
    state = ServerState()
    loop = asyncio.get_running_loop()

    def make():
        connected = Connection(config, state, {} if quick is None else {TAPS: quick})
        if made is not None:
            made.append(connected)
        return connected

    server = await loop.create_server(make, "127.0.0.1")
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


def said(*pieces: bytes, app=answering, quick=None, idle=5) -> bytes:
    """All that is answered to these pieces until the service closes the connection."""

    async def talk():
        async with listening(app, quick=quick, idle=idle) as port:
            return await exchanged(port, *pieces)

    return asyncio.run(talk())


async def exchanged(port, *pieces):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
        return await reader.read()
    except ConnectionResetError:
        return b""
    finally:
        writer.close()


def problem(answer: bytes) -> dict[str, object]:
    """The problem in an answer that closes the connection."""
    head, _, body = answer.partition(b"\r\n\r\n")
    lines = head.lower().split(b"\r\n")
    assert b"content-type: application/problem+json" in lines
    assert b"content-length: %d" % len(body) in lines
    assert b"connection: close" in lines
    told = msgspec.json.decode(body)
    assert lines[0].split()[1] == str(told["status"]).encode()
    assert b"x-request-id: " + told["request_id"].encode() in lines
    return told


def bodies(answers: bytes) -> list[bytes]:
    return [part.rpartition(b"\r\n")[2] for part in answers.split(b"HTTP/1.1 ")[1:]]
