"""A cache for the bodies of pages that many people look at within a short time."""

import hashlib
from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Final

import msgspec
from cachetools import TTLCache

_SECONDS: Final = 60.0
"""How long a body is kept. A name that was erased should not stay in memory for long either."""

_encode: Final = msgspec.json.Encoder().encode


class KnownBodies:
    """Keeps each body under all the data that it is made from, and under nothing else.

    So no body ever has to be invalidated: if the ledger, a name, or the reader's role or language
    changes, the page is looked up under other data. Threads may share it. At most `most_bytes` are
    kept in all, and no body that is longer than `most_bytes_each`.
    """

    def __init__(
        self,
        clock: Callable[[], float] = monotonic,
        *,
        most_bytes: int = 16 << 20,
        most_bytes_each: int = 1 << 20,
    ) -> None:
        self._bodies: TTLCache[bytes, bytes] = TTLCache(
            most_bytes, _SECONDS, timer=clock, getsizeof=len
        )
        self._most_bytes_each = most_bytes_each
        self._lock = Lock()

    def body(self, made_from: object, make: Callable[[], bytes]) -> bytes:
        """Return the body that is kept for `made_from`, or else the one that `make` returns now.

        `made_from` must be data that msgspec can encode; anything else raises TypeError.
        """
        key = hashlib.blake2b(_encode(made_from), digest_size=32).digest()
        with self._lock:
            known = self._bodies.get(key)
        if known is not None:
            return known
        made = make()
        if len(made) <= self._most_bytes_each:
            with self._lock:
                self._bodies[key] = made
        return made
