"""How often somebody may ask: token buckets in memory, one set for each process."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from scorekeeper.api.problems import send_error
from scorekeeper.api.trace import trace_of
from scorekeeper.service.refused import Refused

FAILURES_PER_MINUTE = 60

_REMEMBERED = 10_000
_GUARDED = "/v1/"


class Buckets:
    """A bucket for each key: full at first, refilled evenly, as large as one minute's worth.

    `clock` is in seconds and never goes back. The keys seen longest ago are forgotten beyond
    10,000: who is forgotten starts with a full bucket.
    """

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._size = float(per_minute)
        self._per_second = per_minute / 60
        self._clock = clock
        self._levels: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def _level(self, key: Hashable) -> float:
        level, seen = self._levels.get(key, (self._size, 0.0))
        return min(self._size, level + (self._clock() - seen) * self._per_second)

    def wait(self, key: Hashable) -> int:
        """Whole seconds until the bucket holds one again; 0 where it does."""
        missing = 1 - self._level(key)
        # Rounded first, so that a sliver of floating point is not a second.
        return max(0, math.ceil(round(missing / self._per_second, 6)))

    def take(self, key: Hashable) -> int:
        """Take one out where there is one; the same answer as `wait` before that."""
        if seconds := self.wait(key):
            return seconds
        self._levels[key] = (self._level(key) - 1, self._clock())
        self._levels.move_to_end(key)
        if len(self._levels) > _REMEMBERED:
            self._levels.popitem(last=False)
        return 0


class _Visit(msgspec.Struct, frozen=True, gc=False):
    """A request that was let in: from where, with which token, and whether that is known here."""

    address: str
    token: int
    recognised: bool


class Limits:
    """429 for a token that asks too often, and for an address whose tokens keep failing.

    A token that was recognised before, or issued here, is still let in from such an address: one
    stranger can't shut out everybody behind the same router or proxy.
    """

    def __init__(self, app: ASGIApp, failures: Buckets, tokens: Buckets | None = None) -> None:
        self._app = app
        self._failures = failures
        self._tokens = tokens
        self._recognised: OrderedDict[int, None] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or not scope["path"].startswith(_GUARDED):
            await self._app(scope, receive, send)
            return
        token = next((text for name, text in scope["headers"] if name == b"authorization"), b"")
        try:
            visit = self._admit(scope, token)
        except Refused as refused:
            await send_error(scope, send, refused)
            return
        await self._app(scope, receive, self._counting(visit, scope, send))

    def admits(self, authorization: bytes) -> bool:
        """Let a request in whose token is a good one, unless it has asked too often."""
        return self._tokens is None or not self._tokens.take(hash(authorization))

    def _admit(self, scope: Scope, authorization: bytes) -> _Visit:
        client = scope["client"]
        address = client[0] if client else ""
        # A hash, so that no token lies about in memory.
        token = hash(authorization)
        recognised = token in self._recognised
        if not recognised:
            seconds = self._failures.wait(address)
            reason = "address"
        else:
            seconds = self._tokens.take(token) if self._tokens else 0
            reason = "token"
        if seconds:
            facts = {"seconds": seconds}
            raise Refused("too-many-requests", reason=reason, facts=facts, retry_after=seconds)
        return _Visit(address, token, recognised)

    def _counting(self, visit: _Visit, scope: Scope, send: Send) -> Send:
        """`send`, which learns from the answer before it goes out."""

        async def send_and_count(message: Message) -> None:
            if message["type"] == "http.response.start":
                if message["status"] == 401:
                    self._recognised.pop(visit.token, None)
                    self._failures.take(visit.address)
                elif trace_of(scope).token_id is not None and not visit.recognised:
                    self._remember(visit.token)
                if (issued := trace_of(scope).issued) is not None:
                    self._remember(hash(b"Bearer " + issued.encode()))
            await send(message)

        return send_and_count

    def _remember(self, token: int) -> None:
        self._recognised[token] = None
        if len(self._recognised) > _REMEMBERED:
            self._recognised.popitem(last=False)
