"""One follower: its position, what waits to be sent to it, and what it has missed.

What was missed is read from the log in parts.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.ledger.entry import Entry
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.reading import EntryPage
from scorekeeper.service.live.erased import erased_in
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

# A client that comes back to a league after a long time gets the entries of all its matches, but
# the states of only so many. Each state costs a fold, and the client can ask for it.
_STATES_AT_THE_END = 100

MOST_WAITING = 1 << 20
"""Bytes that may wait for a client. Beyond that, nothing is kept, but read again later."""
_TRY_AGAIN_SECONDS = 1.0
_MISSED_BEATS = 4


class CatchUp:
    """Reads from the ledger what a follower at `cursor` has missed, up to the position `until`.

    `cursor` then tells up to which position everything was handed out. `turns` is shared by all
    followers that catch up. It limits how many parts are read at once, and so how many entries are
    in memory.
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
        self._owed_states: dict[str, int] = {}

    async def next(self) -> bytes:
        """Return the frames of the next entries; at the end, those of their matches' states.

        Raises LedgerUnavailable, and may be called again then.
        """
        async with self._turns:
            if self.cursor < self._until:
                return await self._entries()
            return await self._states()

    async def _entries(self) -> bytes:
        read, more = await self._read()
        entries = [entry for entry in read if entry.position <= self._until]
        more = more and len(entries) == len(read)
        batch = Batch(self._frames, self._league, entries, {}, reached=self._until)
        frames = _as_many_as_fit([frame for _, frame in (await batch.part(self._kind)).entries])
        handed_out = entries[: len(frames)]
        at_end = len(handed_out) == len(entries) and not more
        erased = await self._erased_in(handed_out, at_end=at_end)
        # From here on nothing can fail.
        self._owed_states |= erased | last_versions(handed_out)
        if handed_out:
            self.cursor, self._version = handed_out[-1].position, handed_out[-1].version
        if at_end:
            self.cursor = self._until
        if self.cursor == self._until:
            self._owed_states = dict(list(self._owed_states.items())[-_STATES_AT_THE_END:])
            self.done = not self._owed_states
        return b"".join(frames)

    async def _erased_in(self, handed_out: Sequence[Entry], *, at_end: bool) -> dict[str, int]:
        """Return matches that lost content without any other entry, each with its version."""
        match = self._kind.match
        if match is None:
            return await erased_in(self._ledger, self._league, handed_out)
        if not at_end or handed_out or self._owed_states or not self._version:
            return {}
        # Nobody knows whether that was before or after the follower's cursor.
        stream = match_stream(match)
        erased, _ = await self._ledger.since(self._league, stream, self._version)
        return {match: self._version} if erased else {}

    async def _states(self) -> bytes:
        """Return the frames of the next states: as many as fit into a part, and at least one."""
        frames: list[bytes] = []
        for match, version in list(self._owed_states.items()):
            changed = {match: version}
            batch = Batch(self._frames, self._league, (), changed, reached=self._until)
            frames.append((await batch.part(self._kind)).states)
            if sum(map(len, frames)) >= PART_SIZE:
                break
        for match in list(self._owed_states)[: len(frames)]:
            del self._owed_states[match]
        self.done = not self._owed_states
        return b"".join(frames)

    async def _read(self) -> EntryPage:
        if self._kind.match is None:
            return await self._ledger.part(self._league, self.cursor, _READ_AT_ONCE)
        # Read by version, not by position: there may be many other entries since the match's last.
        stream = match_stream(self._kind.match)
        if self._version is None:
            self._version = await self._ledger.version(self._league, stream, self.cursor)
        return await self._ledger.stream_part(
            self._league, stream, after=self._version, limit=_READ_AT_ONCE
        )


def _as_many_as_fit(frames: Sequence[bytes]) -> Sequence[bytes]:
    """Return the first frames, up to the one with which they reach the size of a part."""
    size = 0
    for count, frame in enumerate(frames, 1):
        size += len(frame)
        if size >= PART_SIZE:
            return frames[:count]
    return frames


class Follower:
    """The queue between a feed and one client.

    `opening` is sent first. After it the client has everything up to the position `cursor`. `past`
    makes the CatchUp from there to the feed's position. `token_id`: the client's token. `left` is
    called when the follower leaves. The task that sends to the client calls `next` until it returns
    None, and then `leave`.
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
        self._sender: asyncio.Task[Any] | None = None
        self._cut = False

    def give(self, part: FramePart) -> None:
        """Queue what was just recorded. The feed calls this."""
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
        """End the stream: `next` returns None from now on."""
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

    def sent_by(self, task: "asyncio.Task[Any] | None") -> None:
        """Note the task that sends to the client, which `cut` cancels."""
        self._sender = task

    def leave(self) -> None:
        """Leave the feed. A second call does nothing."""
        self.end()
        self._left(self)

    async def next(self) -> bytes | None:
        """Wait for what is to be sent next, and return it; None at the end."""
        while not self._ended:
            if chunk := self._ready():
                return chunk
            if self._past is None:
                await self._stirred()
            elif chunk := await self._read_past(self._past):
                return chunk
        return None

    def _ready(self) -> bytes:
        """Return what can be sent at once. If this is empty, only the past may be left to send."""
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
        # Nothing is awaited between the two, so that all that is recorded from now on is queued.
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
                # The queue overflowed while the client was still catching up. It catches up again,
                # without a resync frame, since it has missed nothing.
                self._begin_past()
        return chunk

    async def _pause(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(_TRY_AGAIN_SECONDS):
                await self._stirred()

    def _take(self) -> bytes:
        """Return the parts that waited longest, until they reach the size of a part."""
        chunk = self._new_in(self._parts.popleft())
        while self._parts and len(chunk) < PART_SIZE:
            chunk += self._new_in(self._parts.popleft())
        return chunk

    def _new_in(self, part: FramePart) -> bytes:
        self._waiting -= len(part.whole)
        new = part.after(self._cursor)
        self._cursor = max(self._cursor, part.position)
        return new
