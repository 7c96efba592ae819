"""Taps that need no service: what is posted to /tap is answered with its path and its body."""

import asyncio
from functools import partial

from scorekeeper.api.taps import Answer

TAP = b"POST /tap HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\n"


def write(reply, answer):
    if (then := reply(answer)) is not None:
        then()


class Quick:
    """Takes what is posted to /tap, and answers with its path and its body."""

    def __init__(self):
        self.slowly = None
        self.begun = asyncio.Event()

    def taken(self, url, headers):
        assert (b"host", b"x") in headers
        return url if url.startswith(b"/tap") else None

    def admits(self, tap):
        return True

    def answer(self, tap, body, reply):
        whole = b"%b %b" % (tap, body)
        answer = Answer(201, b"content-length: %d\r\n" % len(whole), whole)
        if tap == b"/tap/slow":
            self.slowly = partial(write, reply, answer)
        else:
            write(reply, answer)
        self.begun.set()
