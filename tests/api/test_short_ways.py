"""The short ways: taps in, endless answers out; and clients who speak another dialect of HTTP.

Over real sockets, beside requests that go the ordinary way.
"""

import asyncio
import re
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest
from quick_taps import TAP, Quick
from sockets import GET, answering, bodies, exchanged, listening, problem, said
from uvicorn.config import Config
from uvicorn.server import ServerState

from scorekeeper.api.connection import Connection
from scorekeeper.api.taps import TAPS
from scorekeeper.api.wire import wire_of

SLOW_TAP = TAP.replace(b"/tap", b"/tap/slow")
LAST = b"GET /last HTTP/1.0\r\nHost: x\r\n\r\n"


def test_a_tap_is_answered_once_its_body_is_whole():
    answers = said(TAP, b"abc", b"def", LAST, quick=Quick())
    assert answers.startswith(b"HTTP/1.1 201 Created\r\n")
    assert bodies(answers) == [b"/tap abcdef", b"/last"]


def test_taps_keep_their_place_among_other_requests():
    first = LAST.replace(b"last", b"first").replace(b"1.0", b"1.1")
    answers = said(TAP + b"abcdef" + first + TAP + b"uvwxyz" + LAST, quick=Quick())
    # The second one had to wait for its turn, and went the ordinary way.
    assert bodies(answers) == [b"/tap abcdef", b"/first", b"/tapuvwxyz", b"/last"]


def test_what_may_end_a_connection_is_no_tap():
    asked = TAP.replace(b"Host: x", b"Host: x\r\nConnection: close")
    assert b"/tap abcdef" not in said(asked + b"abcdef", LAST, quick=Quick())


# What java.net.http sends with its first requests, unless it is told not to.
OFFER = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAA\r\n"
BODIES = {
    "long": b"Content-Length: 6\r\n\r\nabcdef",
    "chunked": b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n",
}


@pytest.mark.parametrize("quick", [None, Quick()], ids=["ordinary", "quick"])
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("pieces", ["whole", "after the head", "byte by byte"])
def test_an_offer_of_another_protocol_is_declined_and_the_request_answered(quick, body, pieces):
    head = b"POST /tap HTTP/1.1\r\nHost: x\r\n" + OFFER
    asked = head + BODIES[body] + head + BODIES[body] + LAST
    sizes = {"whole": len(asked), "after the head": asked.index(b"\r\n\r\n") + 4, "byte by byte": 1}
    size = sizes[pieces]
    told = said(*[asked[at : at + size] for at in range(0, len(asked), size)], quick=quick)
    answers = [answer.replace(b" ", b"") for answer in bodies(told)]
    assert answers == [b"/tapabcdef", b"/tapabcdef", b"/last"]


def test_a_tap_may_come_with_an_offer_of_another_protocol():
    asked = TAP.replace(b"Host: x\r\n", b"Host: x\r\n" + OFFER)
    assert bodies(said(asked, b"abcdef", LAST, quick=Quick())) == [b"/tap abcdef", b"/last"]


def test_an_offer_of_another_protocol_with_nothing_behind_it_is_declined():
    asked = GET + OFFER + b"\r\n"
    assert bodies(said(asked * 1_000, LAST)) == [b"/health/live"] * 1_000 + [b"/last"]


@pytest.mark.usefixtures("impatient")
def test_a_tap_whose_body_does_not_come_to_its_end_is_given_up():
    assert problem(said(TAP, b"abc", quick=Quick()))["code"] == "request-timeout"


def test_a_client_that_leaves_in_the_middle_of_a_tap_is_noted():
    seen = asyncio.Queue()

    async def noting(scope, receive, send):
        await seen.put(await receive())

    async def talk():
        config = Config(noting, ws="none", log_config=None, access_log=False, proxy_headers=False)
        connected = Connection(config, ServerState(), {TAPS: Quick()})
        connected.connection_made(asyncio.Transport({"peername": ("10.0.0.1", 5)}))
        connected.data_received(TAP + b"abc")
        assert seen.empty()
        connected.connection_lost(ConnectionResetError())
        return await seen.get()

    assert asyncio.run(talk()) == {"type": "http.disconnect"}


@asynccontextmanager
async def slow_tap(*behind):
    """The client of a tap that is being answered slowly, its connection, and what answers it.

    `behind`: what the client has sent right after it.
    """
    quick, made = Quick(), []
    async with listening(quick=quick, made=made) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"".join([SLOW_TAP, b"abcdef", *behind]))
        await quick.begun.wait()
        yield SimpleNamespace(reader=reader, writer=writer), made[0], quick.slowly
        writer.close()


def test_a_tap_under_way_is_answered_when_the_service_stops():
    async def talk():
        async with slow_tap() as (client, connection, answer):
            connection.shutdown()
            answer()
            return await client.reader.read()

    answer = asyncio.run(talk())
    assert b"\r\nconnection: close\r\n" in answer
    assert bodies(answer) == [b"/tap/slow abcdef"]


def test_an_answer_waits_until_the_client_has_taken_more():
    async def talk():
        async with slow_tap() as (client, connection, answer):
            connection.pause_writing()
            answer()
            [task] = connection.tasks
            assert not connection.cycle.response_started
            connection.resume_writing()
            await task
            client.writer.write(LAST)
            return await client.reader.read()

    assert bodies(asyncio.run(talk())) == [b"/tap/slow abcdef", b"/last"]


def test_a_known_head_waits_for_its_turn():
    async def talk():
        async with slow_tap() as (client, connection, answer):
            connection.data_received(SLOW_TAP + b"uvwxyz")
            answer()
            client.writer.write(LAST)
            return await asyncio.wait_for(client.reader.read(), 10)

    # The second one went the ordinary way.
    answers = [b"/tap/slow abcdef", b"/tap/slowuvwxyz", b"/last"]
    assert bodies(asyncio.run(talk())) == answers


@pytest.mark.parametrize("behind", [[], [GET, b"\r\n"]], ids=["the last", "overtaken"])
def test_an_answer_to_nobody_is_not_written(behind):
    async def talk():
        async with slow_tap(*behind) as (_, connection, answer):
            connection.connection_lost(None)
            written = []
            connection.transport = SimpleNamespace(write=written.append, is_closing=lambda: True)
            answer()
            return written

    assert asyncio.run(talk()) == []


def test_nothing_follows_what_is_said_of_a_request_that_is_none():
    async def talk():
        async with slow_tap(GET, b"\r\n", b"HELO\r\n\r\n") as (client, _, answer):
            said_last = await client.reader.read()
            answer()
            return said_last

    assert problem(asyncio.run(talk()))["reason"] == "not-http"


async def answer_begun(send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"0\n", "more_body": True})


async def over_the_wire(scope, receive, send):
    """To /lines: one a piece, until the client takes no more; then, once it does, the end."""
    if scope["path"] != "/lines":
        await answering(scope, None, send)
        return
    await answer_begun(send)
    wire = wire_of(scope)
    number = 1
    while wire.write(line(number)):
        number += 1
    await send({"type": "http.response.body", "body": line(number), "more_body": True})
    assert wire.write(b"end\n")
    await send({"type": "http.response.body", "body": b"", "more_body": False})


def line(number):
    return b"%d%s\n" % (number, b"." * 10_000)


def test_pieces_over_the_wire_come_in_their_order_and_as_many_as_the_client_takes():
    asked = b"GET /lines HTTP/1.1\r\nHost: x\r\n\r\nGET /next HTTP/1.0\r\n\r\n"
    head, _, rest = said(asked, app=over_the_wire).partition(b"\r\n\r\n")
    assert b"transfer-encoding: chunked" in head
    chunked, _, following = rest.partition(b"\r\n0\r\n\r\n")
    pieces = re.split(rb"(?:^|\r\n)[0-9a-f]+\r\n", chunked)[1:]
    assert pieces == [b"0\n", *(line(number) for number in range(1, len(pieces) - 1)), b"end\n"]
    assert following.endswith(b"/next")


async def in_pieces(scope, receive, send):
    """Answers with /whole at once and with its length, with anything else in three pieces."""
    length = [(b"content-length", b"6")] if scope["path"] == "/whole" else []
    await send({"type": "http.response.start", "status": 200, "headers": length})
    pieces = [b"abcdef"] if length else [b"ab", b"", b"cd", b"ef"]
    wire = wire_of(scope)
    assert (wire is None) == (scope["http_version"] == "1.0")
    for piece in pieces[:-1]:
        await send({"type": "http.response.body", "body": piece, "more_body": True})
    await send({"type": "http.response.body", "body": pieces[-1], "more_body": False})


@pytest.mark.parametrize("path", [b"/whole", b"/pieces"])
@pytest.mark.parametrize("method", [b"GET", b"HEAD"])
def test_a_client_that_knows_no_chunks_gets_none(method, path):
    async def talk():
        async with listening(in_pieces) as port:
            before = b"GET /before HTTP/1.1\r\nHost: x\r\n\r\n"
            return await exchanged(port, before, method + b" " + path + b" HTTP/1.0\r\n\r\n")

    before, found, answer = asyncio.run(talk()).rpartition(b"HTTP/1.1 200 OK\r\n")
    assert before.endswith(b"\r\n0\r\n\r\n")
    head, _, body = (found + answer).partition(b"\r\n\r\n")
    assert body == (b"abcdef" if method == b"GET" else b"")
    assert b"transfer-encoding" not in head
    assert b"connection: close" in head


def test_a_client_who_left_is_written_nothing():
    async def story():
        gone = asyncio.Event()
        wires = []

        async def app(scope, receive, send):
            await answer_begun(send)
            wires.append(wire_of(scope))
            while (await receive())["type"] != "http.disconnect":
                pass
            gone.set()

        async with listening(app) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(GET + b"\r\n")
            await reader.readuntil(b"0\n")
            assert wires[0].write(b"1\n")
            writer.close()
            await gone.wait()
            assert not wires[0].write(b"2\n")

    asyncio.run(story())
