"""Bodies of pages that many look at, kept for whoever comes a moment later."""

import hashlib
from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Final

import msgspec
from cachetools import TTLCache

_MOST_BYTES: Final = 16 << 20
_MOST_BYTES_EACH: Final = 1 << 20
_encode: Final = msgspec.json.Encoder().encode
_SECONDS: Final = 60.0
"""A name that is erased should not lie in memory for long either."""


class KnownBodies:
    """Finds a body by all that it is made from, and by nothing else.

    So nothing here ever has to be taken back: where the ledger, a name, the reader's role or
    language, or a file of a page is another, the body is another, too. Threads may share it.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._bodies: TTLCache[bytes, bytes] = TTLCache(
            _MOST_BYTES, _SECONDS, timer=clock, getsizeof=len
        )
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
        if len(made) <= _MOST_BYTES_EACH:
            with self._lock:
                self._bodies[key] = made
        return made
