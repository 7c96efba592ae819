"""The head of a tap as it came over the wire; the next one that begins alike needs no parser.

A phone sends the same lines with each of its taps, and only the length of the body differs.
"""

import re
from typing import Self

import msgspec

from scorekeeper.api.door import BODY_LIMIT
from scorekeeper.api.taps import Tap

_LENGTH = re.compile(rb"\r\ncontent-length: *([0-9]+)\r\n", re.IGNORECASE)
_EMPTY_LINE = b"\r\n\r\n"
# No body of so few digits is too long.
_MOST_DIGITS = len(str(BODY_LIMIT)) - 1
# Each connection keeps one: no more than this, in bytes.
_LONGEST = 4_096
# What changes with each request is not worth being kept.
_NEVER_TWICE = re.compile(rb"\r\n(if-match|idempotency-key|x-request-id):", re.IGNORECASE)


class KnownHead(msgspec.Struct, frozen=True, gc=False):
    """`start` goes up to the digits of Content-Length, `rest` from there to the empty line."""

    tap: Tap
    start: bytes
    rest: bytes

    @classmethod
    def of(cls, tap: Tap, message: bytes) -> Self | None:
        """The head of `tap`, which was read from the beginning of `message`.

        None where `message` is not the tap alone, and where its head is not to be kept.
        """
        end = message.find(_EMPTY_LINE) + len(_EMPTY_LINE)
        length = _LENGTH.search(message, 0, end)
        if length is None or end > _LONGEST or _NEVER_TWICE.search(message, 0, end):
            return None
        head = cls(tap, message[: length.start(1)], message[length.end(1) : end])
        return None if head.body_of(message) is None else head

    def body_of(self, message: bytes) -> bytes | None:
        """The body, where `message` has this head and all of its body, and nothing behind it."""
        start, rest = self.start, self.rest
        if not message.startswith(start):
            return None
        begun = len(start)
        end = message.find(b"\r", begun, begun + _MOST_DIGITS + 1)
        if end < 0 or not message.startswith(rest, end):
            return None
        body = message[end + len(rest) :]
        return body if message[begun:end] == b"%d" % len(body) else None
