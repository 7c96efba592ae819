"""What never becomes a request: garbage, heads and bodies without end, silence.

Over real sockets, with the time limit shortened: who waits here waits for the end of an answer.
"""

import asyncio
from types import SimpleNamespace

import pytest
from quick_taps import TAP, Quick
from sockets import GET, bodies, exchanged, listening, problem, said
from uvicorn.config import Config
from uvicorn.server import ServerState

from scorekeeper.api import connection
from scorekeeper.api.connection import HEAD_LIMIT, Connection
from scorekeeper.api.taps import TAPS


@pytest.mark.parametrize(
    "garbage",
    [
        b"HELO scorekeeper\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost x\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"CONNECT x:443 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
    ],
)
def test_what_is_no_http_is_answered_by_a_problem(garbage):
    told = problem(said(garbage))
    assert (told["code"], told["reason"]) == ("malformed", "not-http")


def test_a_head_that_has_no_end_is_not_read_on():
    long = b"X-Long: " + b"a" * (HEAD_LIMIT // 8) + b"\r\n"
    told = problem(said(GET, *[long] * 9))
    assert (told["code"], told["reason"]) == ("malformed", "headers-too-large")


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("before", [b"", GET + b"\r\n"], ids=["the first", "a later one"])
def test_a_head_that_does_not_come_to_its_end_is_given_up(before):
    answers = said(before, GET)
    _, _, last = answers.rpartition(b"HTTP/1.1")
    assert problem(b"HTTP/1.1" + last)["code"] == "request-timeout"
    assert answers.count(b"HTTP/1.1 200") == (1 if before else 0)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("method", [b"POST", b"GET"])
@pytest.mark.parametrize(
    "body", [b"Content-Length: 9\r\n\r\nabc", b"Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"]
)
def test_a_body_that_does_not_come_to_its_end_is_given_up(method, body):
    answer = said(method + b" / HTTP/1.1\r\nHost: x\r\n" + body)
    if method == b"POST":
        assert problem(answer)["code"] == "request-timeout"
    else:
        # It was answered without its body, and still nobody waits for that for ever.
        assert answer.startswith(b"HTTP/1.1 200")
        assert answer.endswith(b"/")


def test_a_body_in_pieces_that_is_in_time_is_read():
    asked = b"POST / HTTP/1.0\r\nHost: x\r\nContent-Length: 6\r\n\r\n"
    assert said(asked, b"abc", b"def").endswith(b"/abcdef")


@pytest.mark.usefixtures("impatient")
def test_a_connection_on_which_nothing_is_said_is_closed():
    assert said() == b""


def test_garbage_behind_a_request_does_not_get_into_its_answer():
    """One answer at the most goes out, and none behind half of another."""

    async def talk():
        async with listening() as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET /half HTTP/1.1\r\nHost: x\r\n\r\n")
            await reader.readuntil(b"\r\n\r\n/")
            writer.write(b"garbage\r\n\r\n")
            rest = await reader.read()
            writer.close()
            return rest

    assert asyncio.run(talk()) == b""
    at_once = said(b"GET /whole HTTP/1.1\r\nHost: x\r\n\r\ngarbage\r\n\r\n")
    assert problem(at_once)["reason"] == "not-http"


def test_a_connection_too_many_is_told_to_come_again(monkeypatch):
    monkeypatch.setattr(connection, "MOST_CONNECTIONS", 1)

    async def talk():
        async with listening() as port:
            _, first = await asyncio.open_connection("127.0.0.1", port)
            second = await exchanged(port)
            first.close()
            return second

    answer = asyncio.run(talk())
    assert problem(answer)["code"] == "unavailable"
    assert b"\r\nretry-after: " in answer.lower()


def test_requests_in_one_piece_are_answered_in_their_order():
    asked = [b"GET /%d HTTP/1.1\r\nHost: x\r\n" % number for number in range(3)]
    answer = said(b"\r\n".join([*asked, b""]).replace(b"/2 HTTP/1.1", b"/2 HTTP/1.0"))
    assert bodies(answer) == [b"/0", b"/1", b"/2"]


def test_a_connection_that_says_nothing_more_is_closed():
    assert said(GET + b"\r\n", idle=0.01).endswith(b"/health/live")


class Hours:
    """A loop whose time is set by hand."""

    def __init__(self):
        self.now = 0.0
        self.set = []

    def time(self):
        return self.now

    def call_later(self, seconds, look):
        self.set.append(self.now + seconds)
        return SimpleNamespace(look=look, cancel=lambda: None)


class Line(asyncio.Transport):
    closed = False

    def is_closing(self):
        return self.closed

    def write(self, data):
        """Nobody reads it."""

    def close(self):
        self.closed = True


@pytest.fixture
def quiet():
    """A connection on which a request was answered just now; it may be quiet for 75 seconds."""
    config = Config(None, log_config=None, timeout_keep_alive=75, lifespan="off")
    made = Connection(config, ServerState(), {TAPS: Quick()}, Hours())
    made.connection_made(Line())
    made.data_received(TAP + b"abcdef")
    return made


def test_one_timer_does_for_all_answers_of_a_connection(quiet):
    set_first = list(quiet.loop.set)
    quiet.loop.now = 50.0
    quiet.data_received(TAP + b"abcdef")
    assert quiet.loop.set == set_first
    quiet.loop.now = 75.0
    quiet.timeout_keep_alive_task.look()
    assert not quiet.transport.closed
    quiet.loop.now = quiet.loop.set[-1]
    assert quiet.loop.now == 125.0
    quiet.timeout_keep_alive_task.look()
    assert quiet.transport.closed


def test_a_connection_is_not_quiet_while_a_request_is_answered(quiet):
    quiet.data_received(TAP.replace(b"/tap", b"/tap/slow") + b"abcdef")
    quiet.loop.now = 75.0
    quiet.timeout_keep_alive_task.look()
    assert not quiet.transport.closed
    quiet.loop.now = 149.0
    quiet._taps.slowly()
    quiet.loop.now = 150.0
    quiet.timeout_keep_alive_task.look()
    assert not quiet.transport.closed
    quiet.loop.now = quiet.loop.set[-1]
    assert quiet.loop.now == 149.0 + 75.0
    quiet.timeout_keep_alive_task.look()
    assert quiet.transport.closed


def test_a_connection_is_not_quiet_while_a_request_comes_in(quiet):
    quiet.data_received(TAP + b"abc")
    quiet.loop.now = 75.0
    quiet.timeout_keep_alive_task.look()
    assert not quiet.transport.closed
