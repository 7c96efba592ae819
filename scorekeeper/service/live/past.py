"""What a follower has missed, read from the log in parts."""

from collections.abc import Sequence
from typing import Protocol

from scorekeeper.ledger.entry import Entry
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.live.frames import Batch, Frames, Kind, last_versions
from scorekeeper.service.reading import match_stream

READ_AT_ONCE = 500

# Whoever comes back to a league after long gets the entries of all its matches, but the states of
# so many only: each of them is a fold, and it can be asked for.
_STATES_AT_THE_END = 100


class Past(Protocol):
    """The entries after `cursor`, up to where the feed stood when this was made."""

    @property
    def cursor(self) -> int:
        """The position up to which everything was handed out."""
        ...

    @property
    def done(self) -> bool: ...

    async def next(self) -> bytes:
        """The frames of the next entries, with the states of their matches once it is done."""
        ...


class RecordedPast:
    """The past as the ledger has it. Raises LedgerUnavailable, and can be asked again then."""

    def __init__(
        self, ledger: Ledger, frames: Frames, league: str, kind: Kind, cursor: int, until: int
    ) -> None:
        self.cursor = cursor
        self.done = cursor >= until
        self._ledger = ledger
        self._frames = frames
        self._league = league
        self._kind = kind
        self._until = until
        self._version: int | None = None
        self._told: dict[str, int] = {}

    async def next(self) -> bytes:
        read = await self._read()
        entries = [entry for entry in read if entry.position <= self._until]
        done = len(read) < READ_AT_ONCE or len(entries) < len(read)
        told = self._told | last_versions(entries)
        of_states = dict(list(told.items())[-_STATES_AT_THE_END:]) if done else {}
        batch = Batch(self._frames, self._league, entries, of_states)
        part = await batch.part(self._kind)
        # From here on nothing can fail.
        self._told = told
        self.cursor = self._until if done else entries[-1].position
        if entries:
            self._version = entries[-1].version
        self.done = done
        return part.whole

    async def _read(self) -> Sequence[Entry]:
        if self._kind.match is None:
            return await self._ledger.entries(self._league, self.cursor, READ_AT_ONCE)
        # By version and not by position: a league may have gone far since the match's last entry.
        stream = match_stream(self._kind.match)
        if self._version is None:
            self._version = await self._ledger.version(self._league, stream, self.cursor)
        return await self._ledger.stream(
            self._league, stream, after=self._version, limit=READ_AT_ONCE
        )
