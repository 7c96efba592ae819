"""One follower: where it stands, what waits to be sent to it, and what it has missed.

What was missed is read from the log in parts.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Protocol

from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.reading import EntryPage as LedgerPart
from scorekeeper.service.live.frames import (
    BEAT,
    Batch,
    FramePart,
    Frames,
    Kind,
    last_versions,
    resync_frame,
)
from scorekeeper.service.reading.matches import match_stream

PART_SIZE = 1 << 16
"""Bytes that are made for a follower before the last ones are sent; one frame may be longer."""

_READ_AT_ONCE = 64

# Whoever comes back to a league after long gets the entries of all its matches, but the states of
# so many only: each of them is a fold, and it can be asked for.
_STATES_AT_THE_END = 100

MOST_WAITING = 1 << 20
"""Bytes. What is beyond them is not kept in memory but read again, once it is its turn."""
_TRY_AGAIN_SECONDS = 1.0
_MISSED_BEATS = 4


class CatchUp(Protocol):
    """The entries after `cursor`, up to where the feed stood when this was made."""

    @property
    def cursor(self) -> int:
        """The position up to which everything was handed out."""
        ...

    @property
    def done(self) -> bool: ...

    async def next(self) -> bytes:
        """The frames of the next entries; at the end those of the states of their matches."""
        ...


class LedgerCatchUp:
    """The past as the ledger has it. Raises LedgerUnavailable, and can be asked again then.

    `turns` is shared by all who catch up: each part is read in a turn, so that what they are made
    of is in memory a few times over and not for each of them.
    """

    def __init__(
        self,
        ledger: Ledger,
        frames: Frames,
        league: str,
        kind: Kind,
        cursor: int,
        *,
        until: int,
        turns: asyncio.Semaphore,
    ) -> None:
        self.cursor = cursor
        self.done = cursor >= until
        self._ledger = ledger
        self._frames = frames
        self._league = league
        self._kind = kind
        self._until = until
        self._turns = turns
        self._version: int | None = None
        self._told: dict[str, int] = {}

    async def next(self) -> bytes:
        async with self._turns:
            if self.cursor < self._until:
                return await self._entries()
            return await self._states()

    async def _entries(self) -> bytes:
        read, more = await self._read()
        entries = [entry for entry in read if entry.position <= self._until]
        more = more and len(entries) == len(read)
        part = await Batch(self._frames, self._league, entries, {}).part(self._kind)
        frames = _as_many_as_fit([frame for _, frame in part.entries])
        # From here on nothing can fail.
        handed_out = entries[: len(frames)]
        self._told |= last_versions(handed_out)
        if handed_out:
            self.cursor, self._version = handed_out[-1].position, handed_out[-1].version
        if len(handed_out) == len(entries) and not more:
            self.cursor = self._until
        if self.cursor == self._until:
            self._told = dict(list(self._told.items())[-_STATES_AT_THE_END:])
            self.done = not self._told
        return b"".join(frames)

    async def _states(self) -> bytes:
        """Those that fit, and at least one."""
        frames: list[bytes] = []
        for match, version in list(self._told.items()):
            batch = Batch(self._frames, self._league, (), {match: version})
            frames.append((await batch.part(self._kind)).states)
            if sum(map(len, frames)) >= PART_SIZE:
                break
        for match in list(self._told)[: len(frames)]:
            del self._told[match]
        self.done = not self._told
        return b"".join(frames)

    async def _read(self) -> LedgerPart:
        if self._kind.match is None:
            return await self._ledger.part(self._league, self.cursor, _READ_AT_ONCE)
        # By version and not by position: a league may have gone far since the match's last entry.
        stream = match_stream(self._kind.match)
        if self._version is None:
            self._version = await self._ledger.version(self._league, stream, self.cursor)
        return await self._ledger.stream_part(
            self._league, stream, after=self._version, limit=_READ_AT_ONCE
        )


def _as_many_as_fit(frames: Sequence[bytes]) -> Sequence[bytes]:
    """The first ones, up to the one with which they reach the size of a part."""
    size = 0
    for count, frame in enumerate(frames, 1):
        size += len(frame)
        if size >= PART_SIZE:
            return frames[:count]
    return frames


class Follower:
    """The queue between a feed and one client.

    `opening` is sent first. After it the client has everything up to the position `cursor`. `past`
    makes the CatchUp from there to the feed's position. `token_id`: the token that the client came
    with. Whoever sends to the client calls `next` until that is None, and then `leave`.
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
        """Called by the feed with what was just recorded."""
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
        """Have a sign of life sent. A client that did not take the last ones is cut off."""
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
        """End the stream even if the client never takes what was sent last."""
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
        """Leave the feed. A second call does nothing."""
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
