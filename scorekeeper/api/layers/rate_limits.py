"""Rate limits: token buckets in memory, one set for each process."""

import asyncio
import math
import time
from collections import Counter
from collections.abc import Callable, Hashable
from ipaddress import ip_address, ip_network

from cachetools import LRUCache
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from scorekeeper.api.layers.input_validation import READING_METHODS, headers_of
from scorekeeper.api.layers.representation import send_problem
from scorekeeper.api.structured_log import trace_of
from scorekeeper.service.identity.access import bearer_digest
from scorekeeper.service.refused import Refused

FAILURES_PER_MINUTE = 60
MOST_AT_ONCE = 12
"""How many answers are made at a time for one token, or for one address without a token."""

_REMEMBERED = 10_000
# The prefix length of IPv6 networks that providers assign to one customer.
_HOUSEHOLD = 64


class TokenBuckets:
    """A bucket for each key: full at first, refilled evenly, as large as one minute's worth.

    `clock` is in seconds and never goes back. At most 10,000 keys are remembered. The key used
    longest ago is forgotten first, and then starts with a full bucket again.
    """

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._size = float(per_minute)
        self._per_second = per_minute / 60
        self._clock = clock
        self._levels: LRUCache[Hashable, tuple[float, float]] = LRUCache(_REMEMBERED)

    def _level(self, key: Hashable) -> float:
        level, seen = self._levels.get(key, (self._size, 0.0))
        return min(self._size, level + (self._clock() - seen) * self._per_second)

    def _seconds(self, level: float) -> int:
        # Rounded first, so that a floating-point error does not add a second.
        return max(0, math.ceil(round((1 - level) / self._per_second, 6)))

    def take(self, key: Hashable) -> int:
        """Take one request out if the bucket holds one.

        Return the whole seconds until the bucket holds one; 0 if one was taken.
        """
        level = self._level(key)
        if seconds := self._seconds(level):
            return seconds
        self._levels[key] = (level - 1, self._clock())
        return 0

    def give_back(self, key: Hashable) -> None:
        """Put one request back in that `take` took out."""
        self._levels[key] = (min(self._size, self._level(key) + 1), self._clock())

    def forget(self, key: Hashable) -> None:
        """Drop the bucket of this key; the next one is full."""
        self._levels.pop(key, None)


class KeyedSemaphore:
    """A semaphore for each key: `most` may be inside at a time, the others wait in their order."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._semaphores: dict[Hashable, asyncio.Semaphore] = {}
        self._users: Counter[Hashable] = Counter()

    def __bool__(self) -> bool:
        """Return whether anybody is inside, or waits."""
        return bool(self._semaphores)

    async def enter(self, key: Hashable) -> None:
        self._users[key] += 1
        semaphore = self._semaphores.setdefault(key, asyncio.Semaphore(self._most))
        try:
            await semaphore.acquire()
        except BaseException:
            self._drop(key)
            raise

    def leave(self, key: Hashable) -> None:
        self._semaphores[key].release()
        self._drop(key)

    def _drop(self, key: Hashable) -> None:
        self._users[key] -= 1
        if not self._users[key]:
            del self._users[key], self._semaphores[key]


class _Attempt:
    """What one request adds to the failures of its address.

    A guess is counted before it is tried. Otherwise any number of guesses that come at once would
    be tried before the first one has failed.
    """

    def __init__(self, failures: TokenBuckets, address: str) -> None:
        self._failures = failures
        self._address = address
        self._counted = False

    def begin_guess(self) -> int:
        """Count a failure. If the address has failed too often, return how long it has to wait."""
        seconds = self._failures.take(self._address)
        self._counted = not seconds
        return seconds

    def failed(self) -> int:
        """Count the failure unless it was counted before; return what `begin_guess` does."""
        return 0 if self._counted else self._failures.take(self._address)

    def succeeded(self) -> None:
        if self._counted:
            self._failures.give_back(self._address)


class Limits:
    """Answers 429 if a token asks too often, or in place of 401 if an address fails too often.

    A valid token is let in from any address. So nobody can shut out others who share their address.
    Of the readings of one token, or of one address without a token, only MOST_AT_ONCE are worked on
    at a time, so that others are answered in between.
    """

    def __init__(
        self, app: ASGIApp, failures: TokenBuckets, tokens: TokenBuckets | None = None
    ) -> None:
        self._app = app
        self._failures = failures
        self._tokens = tokens
        self._turns = KeyedSemaphore(MOST_AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        token = bearer_digest(headers_of(scope).get(b"authorization", b""))
        if token and (seconds := self._asked(token)):
            await send_problem(scope, send, _too_many("token", seconds))
            return
        client = scope["client"]
        address = household_of(client[0] if client else "")
        attempt = _Attempt(self._failures, address)
        trace_of(scope).begin_guess = attempt.begin_guess
        counting = self._counting(scope, token, attempt, send)
        if scope["method"] in READING_METHODS:
            await self._in_turn(token or address, scope, receive, counting)
        else:
            # A body that does not come would keep others of the same token waiting.
            await self._app(scope, receive, counting)

    async def _in_turn(self, who: Hashable, scope: Scope, receive: Receive, send: Send) -> None:
        """Wait for the turn of `who`, then answer.

        The turn ends when the answer begins, since streams and exports last long and cost little.
        """
        made = False

        async def send_made(message: Message) -> None:
            nonlocal made
            if not made:
                made = True
                self._turns.leave(who)
            await send(message)

        await self._turns.enter(who)
        try:
            await self._app(scope, receive, send_made)
        finally:
            if not made:
                self._turns.leave(who)

    def admits(self, token: bytes) -> bool:
        """Return whether a valid token may ask once more, and count the request if so.

        `token` is the token's digest.
        """
        return not self._asked(token)

    def _asked(self, token: bytes) -> int:
        return 0 if self._tokens is None else self._tokens.take(token)

    def _counting(self, scope: Scope, token: bytes, attempt: _Attempt, send: Send) -> Send:
        """Return a `send` that counts each 401 as a failure of the address.

        An address that has failed too often gets 429 in place of the 401.
        """
        refused = False

        async def send_and_count(message: Message) -> None:
            nonlocal refused
            if message["type"] == "http.response.start":
                if message["status"] != 401:
                    attempt.succeeded()
                else:
                    if self._tokens is not None:
                        # Unknown tokens must not evict the buckets of known ones.
                        self._tokens.forget(token)
                    if seconds := attempt.failed():
                        refused = True
                        await send_problem(scope, send, _too_many("address", seconds))
            if not refused:
                await send(message)

        return send_and_count


def refuse_guesses(scope: Scope) -> None:
    """Protect what can be guessed, such as codes: an address that failed too often may not try.

    Raises Refused (`too-many-requests`), even if the guess would be right.
    """
    if seconds := trace_of(scope).begin_guess():
        raise _too_many("address", seconds)


def household_of(client: str) -> str:
    """Return what counts as one address: IPv4 without a port, IPv6 as the network of a household.

    A text that is no IP address is returned as it is.
    """
    host = client.removeprefix("[").partition("]")[0] if client.startswith("[") else client
    if host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        address = ip_address(host)
    except ValueError:
        return client
    if address.version == 4:
        return str(address)
    return str(address.ipv4_mapped or ip_network((address, _HOUSEHOLD), strict=False))


def _too_many(reason: str, seconds: int) -> Refused:
    facts = {"seconds": seconds}
    return Refused("too-many-requests", reason=reason, facts=facts, retry_after=seconds)
