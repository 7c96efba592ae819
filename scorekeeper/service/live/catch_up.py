"""What a follower has missed, read from the log in parts."""

import asyncio
from collections.abc import Sequence
from typing import Protocol

from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.reading.entry_pages import EntryPage as LedgerPart
from scorekeeper.service.live.frames import Batch, Frames, Kind, last_versions
from scorekeeper.service.reading.matches import match_stream

PART_SIZE = 1 << 16
"""Bytes that are made for a follower before the last ones are sent; one frame may be longer."""

_READ_AT_ONCE = 64

# Whoever comes back to a league after long gets the entries of all its matches, but the states of
# so many only: each of them is a fold, and it can be asked for.
_STATES_AT_THE_END = 100


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
