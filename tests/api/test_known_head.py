"""A head that came before is known by its bytes: nobody can tell that it was not parsed."""

import asyncio
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quick_taps import TAP, Quick
from sockets import GET, answering, bodies
from uvicorn.config import Config
from uvicorn.server import ServerState

from scorekeeper.api.connection import Connection
from scorekeeper.api.door import BODY_LIMIT
from scorekeeper.api.known_head import KnownHead
from scorekeeper.api.taps import TAPS


def head(*lines):
    return b"\r\n".join([b"POST /tap HTTP/1.1", b"Host: x", *lines, b"", b""])


def known(*lines):
    return KnownHead.of("tap", head(*lines, b"Content-Length: 3") + b"abc")


@pytest.mark.parametrize("body", [b"", b"abc", b"a" * 999_999, b"\r\n\r\n", b"POST / HTTP/1.1\r\n"])
@pytest.mark.parametrize("behind", [(), (b"Accept: */*",)], ids=["last", "in the midst"])
def test_only_the_length_may_differ(body, behind):
    first = KnownHead.of("tap", head(b"content-length:  3", *behind) + b"abc")
    message = head(b"content-length:  %d" % len(body), *behind) + body
    assert first.body_of(message) == body


@pytest.mark.parametrize(
    "message",
    [
        head(b"Content-Length: 4") + b"abc",
        head(b"Content-Length: 3") + b"abcPOST",
        head(b"Content-Length: 03") + b"abc",
        head(b"Content-Length: 3 ") + b"abc",
        head(b"Content-Length: 3", b"Expect: 100-continue") + b"abc",
        head(b"Content-Length: 3", b"Transfer-Encoding: chunked") + b"abc",
        head(b"Content-length: 3") + b"abc",
        head(b"Content-Length: ") + b"abc",
        head(b"Content-Length: 3")[:-2],
        head(b"Content-Length: %d" % BODY_LIMIT) + b"a" * BODY_LIMIT,
        b"\r\n" + head(b"Content-Length: 3") + b"abc",
    ],
)
def test_anything_else_is_left_to_the_parser(message):
    assert known().body_of(message) is None


@pytest.mark.parametrize(
    "line",
    [b'If-Match: "7"', b"x-request-id: a", b"IDEMPOTENCY-KEY: k", b"Cookie: " + b"c" * 4_096],
)
def test_a_head_that_will_not_come_again_or_is_long_is_not_kept(line):
    assert known(b"Accept: */*") is not None
    assert known(line) is None


def test_only_a_message_that_stands_alone_is_kept():
    whole = head(b"Content-Length: 3") + b"abc"
    assert KnownHead.of("tap", whole + whole) is None
    assert KnownHead.of("tap", whole[:-1]) is None
    assert KnownHead.of("tap", GET + b"\r\n" + whole) is None


class Written(asyncio.Transport):
    def __init__(self):
        super().__init__({"peername": ("10.0.0.1", 5)})
        self.data = b""

    def write(self, data):
        self.data += data

    def is_closing(self):
        return False

    def pause_reading(self):
        """All is there."""

    def resume_reading(self):
        """The same."""


class Counting(Quick):
    """Notes which heads were parsed; `holds`: whether a token is still known."""

    def __init__(self, holds=True):
        super().__init__()
        self.parsed = []
        self.holds = holds

    def taken(self, url, headers):
        self.parsed.append(url)
        return super().taken(url, headers)

    def admits(self, tap):
        return self.holds


async def answers_to(pieces, quick):
    """What is answered to them, each given to the connection by itself."""
    loop = asyncio.get_running_loop()
    config = Config(answering, ws="none", log_config=None, access_log=False, proxy_headers=False)
    connected = Connection(config, ServerState(), {TAPS: quick}, loop)
    transport = Written()
    connected.connection_made(transport)
    for piece in pieces:
        connected.data_received(piece)
        # What is whole is answered in a few turns, and then the next head may be known.
        for _ in range(5):
            await asyncio.sleep(0)
    while connected.tasks:
        await asyncio.gather(*connected.tasks)
        await asyncio.sleep(0)
    connected.connection_lost(ConnectionResetError())
    return transport.data


def posted(body, *lines):
    return head(*lines, b"Content-Length: %d" % len(body)) + body


def test_the_head_of_the_tap_before_is_not_parsed_again():
    quick = Counting()
    asked = [posted(b"abcdef"), posted(b"abc"), posted(b"a" * 1_000)]
    answers = asyncio.run(answers_to(asked, quick))
    assert bodies(answers) == [b"/tap abcdef", b"/tap abc", b"/tap " + b"a" * 1_000]
    assert quick.parsed == [b"/tap"]


def test_a_head_whose_token_is_not_known_any_more_is_parsed():
    quick = Counting(holds=False)
    answers = asyncio.run(answers_to([TAP + b"abcdef"] * 2, quick))
    assert bodies(answers) == [b"/tap abcdef"] * 2
    assert quick.parsed == [b"/tap"] * 2


def test_what_looks_like_a_tap_in_the_head_of_another_is_none():
    inner = TAP + b"abcdef"
    answers = asyncio.run(answers_to([inner, GET + b"X: ", inner], Counting()))
    assert bodies(answers) == [b"/tap abcdef", b"/health/live"]


def test_what_looks_like_a_tap_in_the_body_of_another_is_none():
    inner = TAP + b"abcdef"
    outer = posted(inner)
    answers = asyncio.run(answers_to([inner, outer[: -len(inner)], inner], Counting()))
    assert answers.count(b"HTTP/1.1 201") == 2
    assert answers.endswith(b"/tap " + inner)


REQUESTS = st.one_of(
    st.just(GET + b"\r\n"),
    st.builds(
        posted,
        st.sampled_from([b"", b"abc", b"abcdef", b"\r\n\r\n", GET, TAP]),
        *[st.sampled_from([b"Accept: */*", b"Accept: *", b'If-Match: "1"', b"X: y"])] * 2,
    ),
    st.just(head(b"Transfer-Encoding: chunked") + b"3\r\nabc\r\n0\r\n\r\n"),
)


@settings(max_examples=60)
@given(asked=st.lists(REQUESTS, min_size=1, max_size=6), data=st.data())
def test_however_it_is_cut_it_is_answered_as_if_it_were_parsed(asked, data):
    whole = b"".join(asked)
    ends = [len(b"".join(asked[:count])) for count in range(1, len(asked))]
    cuts = data.draw(
        st.sets(st.sampled_from(ends) | st.integers(0, len(whole)) if ends else st.just(0))
    )
    pieces = [whole[a:b] for a, b in pairwise(sorted({0, *cuts, len(whole)}))]

    async def talk():
        known = Counting()
        unknown = Counting(holds=False)
        return await answers_to(pieces, known), await answers_to(pieces, unknown)

    known_heads, parsed = asyncio.run(talk())
    assert known_heads == parsed
    assert len(bodies(parsed)) == len(asked)
