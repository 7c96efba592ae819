import asyncio

import pytest
from litestar.types import Receive, Scope, Send

from scorekeeper.api.door import read_json
from scorekeeper.api.timeouts import Timeouts
from scorekeeper.service.refused import Refused

SCOPE = {
    "type": "http",
    "method": "POST",
    "headers": [(b"content-type", b"application/json")],
}


def serve(app, *messages, method="POST", seconds=0.0):
    """What the application made of these messages, after which nothing more arrives."""
    left = list(messages)

    async def receive():
        return left.pop(0) if left else await asyncio.get_running_loop().create_future()

    return asyncio.run(Timeouts(app, seconds)(SCOPE | {"method": method}, receive, None))


def piece(body, *, more):
    return {"type": "http.request", "body": body, "more_body": more}


@pytest.mark.parametrize("messages", [(), (piece(b"{", more=True),)])
def test_a_body_that_does_not_come_to_an_end_is_given_up(messages):
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        with pytest.raises(Refused) as refused:
            await read_json(scope, receive)
        assert refused.value.code == "request-timeout"

    serve(app, *messages)


def test_a_body_in_pieces_that_is_in_time_is_read():
    read = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        read.append(await read_json(scope, receive))

    serve(app, piece(b"{", more=True), piece(b"}", more=False), seconds=60)
    assert read == [b"{}"]


@pytest.mark.parametrize("method", ["POST", "GET"])
def test_once_the_body_is_whole_a_handler_may_wait_for_the_client_to_leave(method):
    """The wait for the disconnect below ends by the test's own hand, not by the time limit."""
    left = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if method == "POST":
            await receive()
        waiting = asyncio.ensure_future(receive())
        await asyncio.wait([waiting], timeout=0.01)
        left.append(waiting.done())
        waiting.cancel()

    messages = [piece(b"", more=False)] if method == "POST" else []
    serve(app, *messages, method=method)
    assert left == [False]
