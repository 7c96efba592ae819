"""Answers of unknown length to clients who know no chunks."""

import sys
from typing import TYPE_CHECKING

from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

if TYPE_CHECKING:
    from uvicorn._types import ASGISendEvent  # named nowhere else


class UntilClosed:
    """Sends to a client of HTTP/1.0, which knows no chunks (RFC 9112, 6.1).

    An answer of unknown length ends with its connection there; uvicorn is told that it has more
    bytes than will ever come, and then how many the last piece has.
    """

    def __init__(self, cycle: RequestResponseCycle) -> None:
        self._cycle = cycle
        self._send = cycle.send
        self._endless = False

    async def send(self, message: "ASGISendEvent") -> None:
        if message["type"] == "http.response.start":
            headers = message.get("headers", ())
            self._endless = all(name != b"content-length" for name, _ in headers)
            if self._endless:
                self._cycle.chunked_encoding = False
                self._cycle.expected_content_length = sys.maxsize
        elif (
            message["type"] == "http.response.body"
            and self._endless
            and not message.get("more_body", False)
        ):
            self._cycle.expected_content_length = len(message["body"])
        await self._send(message)
