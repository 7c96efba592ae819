"""One follower: what waits to be sent to it, and where it stands."""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from scorekeeper.ledger.databases.database_errors import LedgerUnavailable
from scorekeeper.service.live.catch_up import PART_SIZE, CatchUp
from scorekeeper.service.live.frames import BEAT, FramePart, Kind, resync_frame

MOST_WAITING = 1 << 20
"""Bytes. What is beyond them is not kept in memory but read again, once it is its turn."""

_TRY_AGAIN_SECONDS = 1.0
_MISSED_BEATS = 4


class Follower:
    """Takes what its feed gives, and hands out what is to be sent next.

    `opening` is sent first; after it the follower has everything up to the position `cursor`.
    `past` makes what lies between that and its feed. `token_id` names whose token it follows with.
    Whoever sends asks for `next` until that is None, then says `leave`.
    """

    def __init__(
        self,
        kind: Kind,
        cursor: int,
        *,
        opening: bytes,
        token_id: str,
        past: Callable[[Kind, int], CatchUp],
        left: Callable[["Follower"], None],
    ) -> None:
        self.kind = kind
        self.token_id = token_id
        self._opening = opening
        self._cursor = cursor
        self._make_past = past
        self._left = left
        self._past: CatchUp | None = past(kind, cursor)
        self._parts: deque[FramePart] = deque()
        self._waiting = 0
        self._overflown = False
        self._heartbeat = False
        self._missed = 0
        self._ended = False
        self._waiter: asyncio.Future[None] | None = None
        self._sender: asyncio.Task[None] | None = None
        self._cut = False

    def give(self, part: FramePart) -> None:
        """By the feed: what was just recorded."""
        if self._overflown or not part.after(self._cursor):
            return
        if self._waiting >= MOST_WAITING:
            self._parts.clear()
            self._waiting = 0
            self._overflown = True
        else:
            self._parts.append(part)
            self._waiting += len(part.whole)
        self._stir()

    def beat(self) -> None:
        """A sign of life is due; whoever has not taken the last ones is given up."""
        self._missed = self._missed + 1 if self._heartbeat else 0
        self._heartbeat = True
        self._stir()
        if self._missed >= _MISSED_BEATS:
            self.cut()

    def end(self) -> None:
        """Nothing more is to be sent."""
        self._ended = True
        self._stir()

    def cut(self) -> None:
        """End it even if what was sent last is never taken."""
        self.end()
        if self._sender is not None and not self._cut:
            self._cut = True
            self._sender.cancel()

    @property
    def was_cut(self) -> bool:
        return self._cut

    def sent_by(self, task: "asyncio.Task[None]") -> None:
        """The task that sends, which `cut` cancels."""
        self._sender = task

    def leave(self) -> None:
        """It is given nothing from here on; a second time does nothing."""
        self.end()
        self._left(self)

    async def next(self) -> bytes | None:
        """What is to be sent next, None at the end."""
        while not self._ended:
            if chunk := self._ready():
                return chunk
            if self._past is None:
                await self._stirred()
            elif chunk := await self._read_past(self._past):
                return chunk
        return None

    def _ready(self) -> bytes:
        """What can be sent at once; where that is nothing, nothing waits but the past."""
        if self._heartbeat or self._opening:
            chunk, self._opening = self._opening or BEAT, b""
            self._heartbeat = self._heartbeat and chunk is not BEAT
            return chunk
        if self._past is not None:
            return b""
        if self._overflown:
            self._begin_past()
            return resync_frame(self._cursor)
        return self._take() if self._parts else b""

    async def _stirred(self) -> None:
        self._waiter = asyncio.get_running_loop().create_future()
        await self._waiter

    def _stir(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _begin_past(self) -> None:
        # Nothing is awaited between the two: what is recorded from now on waits in the queue.
        self._overflown = False
        self._past = self._make_past(self.kind, self._cursor)

    async def _read_past(self, past: CatchUp) -> bytes:
        chunk = b""
        if not past.done:
            try:
                chunk = await past.next()
            except LedgerUnavailable:
                await self._pause()
                return b""
            self._cursor = past.cursor
        if past.done:
            self._past = None
            if self._overflown:
                # It is still on its way to where it can be given things: that is no news to it.
                self._begin_past()
        return chunk

    async def _pause(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_TRY_AGAIN_SECONDS):
                await self._stirred()

    def _take(self) -> bytes:
        """The parts that waited longest, up to the one with which they reach the size of a part."""
        chunk = self._new_in(self._parts.popleft())
        while self._parts and len(chunk) < PART_SIZE:
            chunk += self._new_in(self._parts.popleft())
        return chunk

    def _new_in(self, part: FramePart) -> bytes:
        self._waiting -= len(part.whole)
        new = part.after(self._cursor)
        self._cursor = max(self._cursor, part.position)
        return new
