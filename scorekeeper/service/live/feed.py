"""A league followed live: its log is read once, for all who follow it in this process."""

import asyncio
from collections.abc import Sequence
from itertools import islice

import structlog

from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.ledger.entry import Entry
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.live.erased import erased_in, league_events
from scorekeeper.service.live.follower import CatchUp, Follower
from scorekeeper.service.live.frames import Batch, FramePart, Frames, Kind, last_versions
from scorekeeper.service.streams import TokenRevoked

_READ_AT_ONCE = 500
# After an import of thousands of matches, their states come in parts of so many.
_STATES_AT_ONCE = 100


class Feed:
    """Reads on whenever it is woken, and gives what it reads to its followers.

    `position` is the position up to which everything was given. The log is always read from there,
    so a lost wake-up only costs time. `run` lasts until `close`.
    """

    def __init__(
        self,
        league: str,
        position: int,
        ledger: Ledger,
        frames: Frames,
        catching_up: asyncio.Semaphore,
    ) -> None:
        self.league = league
        self.position = position
        self.closed = False
        self._ledger = ledger
        self._frames = frames
        self._catching_up = catching_up
        self._followers: dict[Kind, set[Follower]] = {}
        self._owed_states: dict[str, int] = {}
        self._wake = asyncio.Event()
        # Somebody may have appended between the reading of `position` and now.
        self._wake.set()

    def past(self, kind: Kind, cursor: int) -> CatchUp:
        """Return the catch-up of a follower at `cursor`, up to the position of this feed."""
        return CatchUp(
            self._ledger,
            self._frames,
            self.league,
            kind,
            cursor,
            until=self.position,
            turns=self._catching_up,
        )

    def join(self, follower: Follower) -> None:
        self._followers.setdefault(follower.kind, set()).add(follower)

    def leave(self, follower: Follower) -> None:
        """Remove a follower. A second call does nothing."""
        followers = self._followers.get(follower.kind, set())
        followers.discard(follower)
        if not followers:
            self._followers.pop(follower.kind, None)

    @property
    def followers(self) -> list[Follower]:
        return [follower for same in self._followers.values() for follower in same]

    def wake(self, size: int) -> None:
        """Note the ledger's size, and read on if that is beyond this feed's position.

        States that could not be read last time are read now.
        """
        if size > self.position or self._owed_states:
            self._wake.set()

    def close(self) -> None:
        """Read no further."""
        self.closed = True
        self._wake.set()

    async def run(self) -> None:
        try:
            while not self.closed:
                await self._wake.wait()
                self._wake.clear()
                while not self.closed and await self._read_on():
                    pass
        except Exception as error:  # noqa: BLE001 - nobody awaits this, and they would wait for ever
            structlog.get_logger().error("feed failed", league=self.league, exc_info=error)
            self.closed = True
            for follower in self.followers:
                follower.end()

    async def _read_on(self) -> bool:
        """Give the next part of the log to all followers. Return whether there may be more."""
        try:
            entries, more = await self._ledger.part(self.league, self.position, _READ_AT_ONCE)
            reached = entries[-1].position if entries else self.position
            erased = await erased_in(self._ledger, self.league, entries)
            owed = self._owed_states | erased | last_versions(entries)
            sent = {} if more else dict(islice(owed.items(), _STATES_AT_ONCE))
            parts = await self._parts(entries, sent, reached)
        except LedgerUnavailable:
            return False  # the next poll wakes it
        # Nothing is awaited from here on, so that a follower that joins gets all of this part, or
        # nothing of it.
        self._owed_states = {each: owed[each] for each in owed if each not in sent}
        self.position = reached
        # These are ended first, since a part that is given may be sent at once.
        self._end_revoked(entries)
        for kind, part in parts.items():
            for follower in self._followers.get(kind, ()):
                follower.give(part)
        return more or bool(self._owed_states)

    async def _parts(
        self, entries: Sequence[Entry], changed_matches: dict[str, int], reached: int
    ) -> dict[Kind, FramePart]:
        """Return a part for each kind of follower. Kinds that join during this are included."""
        batch = Batch(self._frames, self.league, entries, changed_matches, reached=reached)
        batch.fold_on()
        parts: dict[Kind, FramePart] = {}
        while lacking := [
            kind for kind in self._followers if kind not in parts and batch.concerns(kind)
        ]:
            for kind in lacking:
                parts[kind] = await batch.part(kind)
        return parts

    def _end_revoked(self, entries: Sequence[Entry]) -> None:
        revoked = {
            event.token_id for event in league_events(entries) if isinstance(event, TokenRevoked)
        }
        if revoked:
            for follower in self.followers:
                if follower.token_id in revoked:
                    follower.end()
