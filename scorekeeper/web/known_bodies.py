"""The bodies of pages that many look at, kept for whoever comes a moment later."""

import hashlib
from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Final

import msgspec
from cachetools import TTLCache

_SECONDS: Final = 60.0
"""A name that is erased should not lie in memory for long either."""

_encode: Final = msgspec.json.Encoder().encode


class KnownBodies:
    """Finds a body by all that it is made from, and by nothing else.

    So nothing here ever has to be taken back: where the ledger, a name, the reader's role or
    language, or a file of a page is another, the body is another, too. Threads may share it.
    `most_bytes` of them are kept, and none that is longer than `most_bytes_each`.
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
        """What `make` returned for the same before, or returns now.

        `made_from` is data; TypeError where something in it is not.
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
