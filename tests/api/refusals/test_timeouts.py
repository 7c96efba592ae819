"""A request body that never ends is given up, on every path that an append can take."""

import asyncio
import json

import pytest

from tests.api.serving import note

BODY = json.dumps({"events": [note()]}).encode()


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr("scorekeeper.api.layers.input_validation.BODY_SECONDS", 0.0)


def sent(served, path, token, *messages):
    """Return the answer to these pieces of a body, after which nothing more arrives."""
    left, answer = list(messages), []

    async def receive():
        return left.pop(0) if left else await asyncio.get_running_loop().create_future()

    async def send(message):
        answer.append(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path.partition("?")[0],
        "raw_path": path.partition("?")[0].encode(),
        "query_string": path.partition("?")[2].encode(),
        "root_path": "",
        "headers": [
            (b"host", b"test"),
            (b"authorization", f"Bearer {token}".encode()),
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(BODY)),
        ],
        "client": ("10.9.8.7", 1),
        "server": ("127.0.0.1", 2),
    }
    served.together(served.app(scope, receive, send))
    return answer


def piece(body, *, more):
    return {"type": "http.request", "body": body, "more_body": more}


WAYS = pytest.mark.parametrize("query", ["", "?lang=en"], ids=["tap", "ordinary"])


@WAYS
@pytest.mark.parametrize("messages", [(), (piece(BODY[:9], more=True),)], ids=["none", "some"])
@pytest.mark.usefixtures("impatient")
def test_a_body_that_does_not_come_to_an_end_is_given_up(league, query, messages):
    match = league.match()
    path = f"{match.root}/events{query}"
    start, body = sent(league.served, path, match.token, *messages)
    assert start["status"] == 408
    assert (b"connection", b"close") in start["headers"]
    assert json.loads(body["body"])["code"] == "request-timeout"
    assert len(match.log()) == 1


@pytest.mark.usefixtures("impatient")
def test_a_plain_append_waits_for_nothing_behind_its_last_byte(league):
    match = league.match()
    pieces = piece(BODY[:9], more=True), piece(BODY[9:], more=True)
    start, _ = sent(league.served, f"{match.root}/events", match.token, *pieces)
    assert start["status"] == 201


@WAYS
def test_a_body_in_pieces_that_is_in_time_is_read(league, query):
    match = league.match()
    pieces = piece(BODY[:9], more=True), piece(BODY[9:], more=False)
    start, _ = sent(league.served, f"{match.root}/events{query}", match.token, *pieces)
    assert start["status"] == 201


@WAYS
def test_a_body_that_ends_too_early_is_malformed(league, query):
    match = league.match()
    left = piece(BODY[:9], more=True), {"type": "http.disconnect"}
    start, content = sent(league.served, f"{match.root}/events{query}", match.token, *left)
    assert start["status"] == 400
    assert json.loads(content["body"])["reason"] == "body-incomplete"
    assert len(match.log()) == 1
