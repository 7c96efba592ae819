"""All who follow leagues live in this process."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

import msgspec
import structlog

from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.identity.access import ADMIN_ID, Access, Caller, audience
from scorekeeper.service.live.feed import Feed
from scorekeeper.service.live.follower import Follower
from scorekeeper.service.live.frames import GREETING, Frames, Kind, resync_frame, state_frame
from scorekeeper.service.reading.matches import Reading
from scorekeeper.service.refused import Refused, not_found

K = TypeVar("K")

HEARTBEAT_SECONDS = 15.0
POLL_SECONDS = 1.0
MOST_FOLLOWERS = 5_000
"""The most followers in one process."""

# How many followers may read at the same time what they missed.
_CATCHING_UP = 8
_COME_BACK_SECONDS = 30

# How long a follower has to take what was sent before the service stops.
_GRACE_SECONDS = 2.0


class Pace(msgspec.Struct, frozen=True):
    """How often followers hear a sign of life, and how often the database is asked; in seconds."""

    heartbeat: float = HEARTBEAT_SECONDS
    poll: float = POLL_SECONDS


class Places(msgspec.Struct, frozen=True):
    """How many may follow at once: all of them, those of one league, and those with one token.

    So neither a token that many people have, nor one league, can take the places of all others.
    """

    process: int = MOST_FOLLOWERS
    league: int = MOST_FOLLOWERS // 2
    token: int = MOST_FOLLOWERS // 4


class Followers:
    """Keeps a feed for each league that somebody follows, and none for the others.

    `clock` returns seconds that never go backwards. `tended` calls `beat` and `poll` periodically.
    Without it the caller has to call them.
    """

    def __init__(
        self,
        ledger: Ledger,
        reading: Reading,
        access: Access,
        *,
        pace: Pace | None,
        clock: Callable[[], float] = time.monotonic,
        places: Places | None = None,
    ) -> None:
        self._ledger = ledger
        self._reading = reading
        self._access = access
        self._pace = pace or Pace()
        self._clock = clock
        self._places = places or Places()
        self._of_league: Counter[str] = Counter()
        self._of_token: Counter[tuple[str | None, str]] = Counter()
        self._catching_up = asyncio.Semaphore(_CATCHING_UP)
        self._frames = Frames(reading)
        self._feeds: dict[str, Feed] = {}
        self._beat_at: dict[Follower, float] = {}
        self._admins: dict[Follower, str | None] = {}
        self._running: set[asyncio.Task[None]] = set()
        self._stopped = False

    def __len__(self) -> int:
        return len(self._beat_at)

    def wake(self, league: str, size: int) -> None:
        """Note that a league has grown to this size. This returns at once."""
        feed = self._feeds.get(league)
        if feed is not None:
            feed.wake(size)

    async def follow(
        self,
        caller: Caller,
        authorization: str | None,
        league: str,
        match: str | None,
        after: int | None,
    ) -> Follower:
        """Return a new follower of a league, or of one match of it.

        `after`: the position up to which the client has everything; None if it only wants what
        comes from now on. Raises Refused (`not-found`, `unauthorized`, `too-many-followers`,
        `unavailable`).
        """
        kind = Kind(audience(caller), match)
        token = caller.league, caller.token_id
        self._check_places(league, token)
        size, cursor, opening = await self._start(league, kind, after)
        # Other followers may have come meanwhile.
        self._check_places(league, token)
        feed = self._feed(league, size)
        follower = Follower(
            kind,
            cursor,
            opening=GREETING + opening,
            token_id=caller.token_id,
            past=feed.past,
            left=lambda follower: self._leave(feed, follower, token),
        )
        self._of_league[league] += 1
        self._of_token[token] += 1
        feed.join(follower)
        self._beat_at[follower] = self._clock() + self._pace.heartbeat
        if caller.token_id == ADMIN_ID:
            self._admins[follower] = authorization
        try:
            # A token that is revoked from now on is found in the log; until now it may have been
            # in the memory of this process only.
            await self._access.confirm(authorization)
        except BaseException:
            follower.leave()
            raise
        return follower

    def stop(self) -> None:
        """End all streams, and take no more followers.

        A client that has not taken what was sent after two seconds is cut off.
        """
        self._stopped = True
        for follower in self._beat_at:
            follower.end()
        asyncio.get_running_loop().call_later(_GRACE_SECONDS, self._cut)

    def beat(self) -> None:
        """Send a sign of life to the followers that are due for one."""
        now = self._clock()
        for follower, at in self._beat_at.items():
            if now >= at:
                self._beat_at[follower] = now + self._pace.heartbeat
                follower.beat()

    async def poll(self) -> None:
        """Look in the database for what wake-ups may have missed, and for a renewed admin token."""
        try:
            if self._feeds:
                for league, size in (await self._ledger.sizes(list(self._feeds))).items():
                    self.wake(league, size)
            for authorization in set(self._admins.values()):
                await self._check_admin(authorization)
        except LedgerUnavailable as error:
            structlog.get_logger().warning("poll failed", error=str(error))

    @asynccontextmanager
    async def tended(self) -> AsyncGenerator[None]:
        """Call `beat` and `poll` periodically within this context. End all followers at its end."""

        async def beat() -> None:
            self.beat()

        tasks = [
            asyncio.create_task(_again_and_again(beat, self._pace.heartbeat / 60)),
            asyncio.create_task(_again_and_again(self.poll, self._pace.poll)),
        ]
        try:
            yield
        finally:
            self.stop()
            for task in tasks:
                task.cancel()
            for feed in self._feeds.values():
                feed.close()
            await asyncio.wait([*tasks, *self._running])

    async def _start(self, league: str, kind: Kind, after: int | None) -> tuple[int, int, bytes]:
        """Return the ledger's size, the position a follower begins after, and its first frames."""
        head = await self._ledger.head(league)
        if head is None:
            raise not_found("league")
        size = head.size
        if kind.match is None:
            if after is None:
                return size, size, b""
            return (size, after, b"") if after <= size else (size, size, resync_frame(size))
        _, board = await self._reading.scoreboard(kind.audience, league, kind.match, None)
        # The match may have grown since the size was read.
        position = max(size, board.position)
        if after is None:
            return size, position, state_frame(board)
        if after > position:
            # The database was replaced by an older copy than the one that the follower knew.
            return size, position, resync_frame(position) + state_frame(board)
        return size, after, b""

    def _feed(self, league: str, size: int) -> Feed:
        feed = self._feeds.get(league)
        if feed is None or feed.closed:
            # While nobody followed, nobody heard of erasures.
            self._frames.forget(league)
            feed = self._feeds[league] = Feed(
                league, size, self._ledger, self._frames, self._catching_up
            )
            task = asyncio.create_task(feed.run())
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        return feed

    def _check_places(self, league: str, token: tuple[str | None, str]) -> None:
        places = self._places
        if self._of_token[token] >= places.token:
            raise _too_many("token", places.token)
        if self._of_league[league] >= places.league:
            raise _too_many("league", places.league)
        if self._stopped or len(self) >= places.process:
            raise Refused("unavailable", reason="followers")

    def _leave(self, feed: Feed, follower: Follower, token: tuple[str | None, str]) -> None:
        feed.leave(follower)
        if self._beat_at.pop(follower, None) is not None:
            _give_back(self._of_league, feed.league)
            _give_back(self._of_token, token)
        self._admins.pop(follower, None)
        if not feed.followers:
            feed.close()
            if self._feeds.get(feed.league) is feed:
                del self._feeds[feed.league]

    async def _check_admin(self, authorization: str | None) -> None:
        try:
            await self._access.confirm(authorization)
        except Refused:
            for follower, theirs in self._admins.items():
                if theirs == authorization:
                    follower.end()

    def _cut(self) -> None:
        for follower in list(self._beat_at):
            follower.cut()


def _too_many(whose: str, most: int) -> Refused:
    return Refused(
        "too-many-followers", reason=whose, facts={"most": most}, retry_after=_COME_BACK_SECONDS
    )


def _give_back(counted: Counter[K], key: K) -> None:
    counted[key] -= 1
    if not counted[key]:
        del counted[key]


async def _again_and_again(work: Callable[[], Awaitable[None]], seconds: float) -> None:
    while True:
        await asyncio.sleep(seconds)
        try:
            await work()
        except Exception as error:  # noqa: BLE001 - nobody awaits this, and nothing would be tended
            structlog.get_logger().error("tending failed", exc_info=error)
