"""Messages that are cut, joined, or made to be parsed in two ways (RFC 9112)."""

import json
from contextlib import ExitStack
from uuid import uuid4

import pytest

from scorekeeper.api.layers.rate_limits import FAILURES_PER_MINUTE
from tests.abuse.wire import Wire, chunked, request
from tests.api.serving import ADMIN

MANY_GUESSES = 4 * FAILURES_PER_MINUTE
"""Enough on a slow machine too, although guesses are forgiven one by one within a minute."""

TOKEN = f"Authorization: Bearer {ADMIN}"
JSON = "Content-Type: application/json"
NOTE = json.dumps({"events": [{"type": "note_added", "text": "tea"}]}).encode()
OTHER = NOTE.replace(b"tea", b"cake")
# The headers that java.net.http sends with its first requests by default.
OFFER = ("Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAEAAEAA")
WHOLE, BYTE_BY_BYTE = "in one piece", "byte by byte"
cut = pytest.mark.parametrize("size", [None, 1], ids=[WHOLE, BYTE_BY_BYTE])


def pieces(message, size):
    """Return the whole message, or pieces of `size` bytes."""
    size = size or len(message)
    return [message[at : at + size] for at in range(0, len(message), size)]


def told(server, message, size=None):
    with Wire(server.port) as wire:
        return wire.send(*pieces(message, size)).answer()


@cut
def test_a_token_behind_the_body_lets_nobody_in(server, match, size):
    message = chunked("POST", f"{match}/events", JSON, body=NOTE, trailers=[TOKEN])
    assert told(server, message, size)[0] == 401


@cut
@pytest.mark.parametrize("trailer", ['If-Match: "99"', "Idempotency-Key: k", "X-Request-Id: mine"])
def test_what_stands_behind_the_body_is_no_condition_of_it(server, match, size, trailer):
    for body in (NOTE, OTHER):
        message = chunked("POST", f"{match}/events", JSON, TOKEN, body=body, trailers=[trailer])
        status, headers, _ = told(server, message, size)
        assert status == 201
        assert headers["x-request-id"] != "mine"


def test_an_address_behind_the_body_is_not_that_of_the_client(server):
    """A proxy checks a request's headers, but may overlook trailers behind the body."""
    mine = "X-Forwarded-For: 198.51.100.7"
    forged = (f"X-Forwarded-For: 203.0.113.{nth}" for nth in range(MANY_GUESSES))
    messages = (
        chunked("POST", "/v1/leagues", JSON, mine, body=b"{}", trailers=[trailer])
        for trailer in forged
    )
    assert any(told(server, message)[0] == 429 for message in messages)


@pytest.mark.parametrize(
    ("path", "address"),
    [("//v1/leagues", "192.0.2.1"), ("/%2Fv1/leagues", "192.0.2.2"), ("/v1//leagues", "192.0.2.3")],
)
@pytest.mark.usefixtures("scorer")
def test_a_guess_is_counted_however_the_address_is_spelled(server, path, address):
    mine = f"X-Forwarded-For: {address}"
    with Wire(server.port) as wire:
        guesses = (f"Authorization: Bearer sk_home_{nth}" for nth in range(MANY_GUESSES))
        answers = (wire.send(request("GET", path, mine, guess)).answer() for guess in guesses)
        headers = next(headers for status, headers, _ in answers if status == 429)
        assert headers["x-content-type-options"] == "nosniff"
        spelled = f"Authorization: bEARER \t {ADMIN}"
        assert wire.send(request("GET", "/v1/leagues", mine, spelled)).answer()[0] == 200


@cut
@pytest.mark.parametrize("behind", [b"garbage\r\n\r\n", b"GET /\x00", b"\r\n\r\n\r\n\x01\r\n\r\n"])
def test_what_is_recorded_is_answered_whatever_follows_it(server, match, size, behind):
    asked = request("POST", f"{match}/events", JSON, TOKEN, body=NOTE)
    with Wire(server.port) as wire:
        status, _, body = wire.send(*pieces(asked + behind, size)).answer()
        assert (status, json.loads(body)["version"]) == (201, 2)
        # Without the end, the server would wait for the rest of what looks like a request.
        assert wire.no_more().rest()[:12] in (b"", b"HTTP/1.1 400")


@pytest.mark.parametrize(
    "garbage",
    [
        b"HELO scorekeeper\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost x\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n",
    ],
)
def test_what_is_no_http_is_told_so_and_closed(server, garbage):
    with Wire(server.port) as wire:
        assert wire.send(garbage).rest().startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("garbage", [b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\x16\x03\x01\x02\x00"])
def test_another_protocol_is_closed(server, garbage):
    with Wire(server.port) as wire:
        assert wire.send(garbage).rest()[:13] in (b"", b"HTTP/1.1 400 ")


@cut
@pytest.mark.parametrize("frame", ["stated", "chunked"])
def test_an_offer_of_another_protocol_is_declined_and_the_request_answered(
    server, match, size, frame
):
    path, headers = f"{match}/events", (JSON, TOKEN, *OFFER)
    asked = request("POST", path, *headers, body=NOTE)
    if frame == "chunked":
        asked = chunked("POST", path, *headers, body=NOTE, trailers=())
    with Wire(server.port) as wire:
        for version in (2, 3):
            status, _, body = wire.send(*pieces(asked, size)).answer()
            assert (status, json.loads(body)["version"]) == (201, version)


def test_requests_in_one_piece_are_answered_in_their_order(server, match):
    events = f"{match}/events"
    asked = [
        request("POST", events, JSON, TOKEN, body=NOTE),
        request("GET", match, TOKEN),
        request("POST", events, TOKEN, "Content-Type: text/plain", body=NOTE),
        request("POST", events, JSON, TOKEN, body=OTHER),
        request("GET", "/health/live"),
    ]
    with Wire(server.port) as wire:
        wire.send(b"".join(asked))
        answers = [wire.answer() for _ in asked]
    assert [status for status, _, _ in answers] == [201, 200, 415, 201, 200]
    assert [json.loads(answers[nth][2])["version"] for nth in (0, 1, 3)] == [2, 2, 3]


def test_a_client_that_knows_no_chunks_is_sent_none(server, match):
    asked = request("GET", f"{match}/live?after=0", TOKEN).replace(b"HTTP/1.1", b"HTTP/1.0")
    with Wire(server.port) as wire:
        _, status, headers = wire.send(asked).head()
        assert status == 200
        assert "transfer-encoding" not in headers
        assert wire.line() == b"retry: 2000"


def test_a_head_without_an_end_is_not_read_on(server):
    lines = (b"X-%d: %b\r\n" % (nth, b"a" * 1_000) for nth in range(100_000))
    with Wire(server.port) as wire:
        wire.send(b"GET / HTTP/1.1\r\nHost: x\r\n")
        # The system's own buffers take some more before the service can refuse.
        assert wire.send_while_taken(lines) < 20_000_000
        assert wire.rest()[:13] in (b"", b"HTTP/1.1 431 ")


def test_a_request_has_a_hundred_headers_at_the_most(server):
    def asked(count):
        return request("GET", "/health/live", *(f"X-{nth}: a" for nth in range(count - 1)))

    with Wire(server.port) as wire:
        assert wire.send(asked(100)).answer()[0] == 200
        assert wire.send(asked(101)).head()[1] == 431


@pytest.mark.parametrize("query", ["", "?lang=en"], ids=["plain", "by the framework"])
def test_a_body_that_ends_too_early_is_told_so(server, match, query):
    message = request("POST", f"{match}/events{query}", JSON, TOKEN, body=NOTE)
    assert told(server, message)[0] == 201
    with Wire(server.port) as wire:
        status, _, body = wire.send(message[:-5]).no_more().answer()
    assert status == 400
    assert json.loads(body)["reason"] == "body-incomplete"


def test_who_sends_no_more_behind_a_request_is_recorded_once_and_answered_again(server, match):
    """The server takes such a client for disconnected, and need not send the answer."""
    event = {"id": str(uuid4()), "type": "note_added", "text": "tea"}
    body = json.dumps({"events": [event]}).encode()
    message = request("POST", f"{match}/events", JSON, TOKEN, body=body)
    with Wire(server.port) as wire:
        wire.send(message).no_more()
        status, _, _ = told(server, message)
    assert status in (200, 201)
    recorded = told(server, request("GET", f"{match}/events", TOKEN))[2]
    assert [entry["id"] for entry in json.loads(recorded)["items"]].count(event["id"]) == 1


@pytest.mark.slow
def test_who_says_nothing_more_is_not_waited_for(server):
    """All wait at the same time: the service closes a silent connection after half a minute."""
    begun = (b"", b"GET / HTTP/1.1\r\nHo", request("GET", "/health/live"))
    with ExitStack() as stack:
        wires = [stack.enter_context(Wire(server.port)).send(part) for part in begun]
        for part, wire in zip(begun, wires, strict=True):
            assert wire.rest()[:13] in (b"", b"HTTP/1.1 200 "), part
