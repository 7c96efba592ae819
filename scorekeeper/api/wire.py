"""A short way for answers that have no end: each piece goes straight to the connection."""

import asyncio
from typing import Final, cast

from litestar.types import Scope
from uvicorn.protocols.http.flow_control import FlowControl

WIRE: Final = "scorekeeper.wire"
"""The name of the extension in a scope, where the server has one."""


class Wire:
    """Writes pieces of the body past all that `send` goes through.

    It is for an answer without a Content-Length, which is sent in chunks. `send` begins it, up to
    the first piece, and ends it.
    """

    def __init__(self, transport: asyncio.Transport, flow: FlowControl) -> None:
        self._transport = transport
        self._flow = flow

    def write(self, piece: bytes) -> bool:
        """Whether it was written. Else `send` it: that waits until the client takes more."""
        if self._flow.write_paused or self._transport.is_closing():
            return False
        self._transport.write(b"%x\r\n%b\r\n" % (len(piece), piece))
        return True


def wire_of(scope: Scope) -> Wire | None:
    """None under a server that offers no such way."""
    try:
        extension = (scope["extensions"] or {})[WIRE]
    except KeyError:
        return None
    return cast("Wire", extension["wire"])
