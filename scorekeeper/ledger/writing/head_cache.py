"""The cache of ledger heads and stream ends that a commit queue keeps between two groups."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import msgspec
from cachetools import LRUCache

from scorekeeper.ledger.entry import Entry

MOST_BYTES: Final = 128 << 20
"""About how many bytes of streams a commit queue caches."""

# A stream with more entries than this after its carried state is not cached, but read again.
_KEPT_ENTRIES = 256
_LEDGERS = 1_024
# For each version. Measured with matches whose rounds are tallies; other matches take less.
_CARRIED_BYTES = 1_024
_BYTES = 4_096


class LedgerHead(msgspec.Struct, frozen=True):
    """The head row of a ledger. Cached streams are used only if they have the same `epoch`."""

    log: str
    size: int
    frontier: bytes
    recorded_at: str
    epoch: int


class StreamHead(msgspec.Struct, frozen=True):
    """The end of a stream: its version, and `link`, the leaf hash of its last header.

    `carried` is the value that a decision left for the next one, None if there is none. `entries`
    are the entries after that decision, or all of them.
    """

    version: int
    link: str | None
    carried: object | None
    entries: tuple[Entry, ...]

    def extended(self, entries: Sequence[Entry]) -> "StreamHead":
        """Return the head after more entries of the stream, which must be in order."""
        last = entries[-1]
        return StreamHead(last.version, last.hash, self.carried, (*self.entries, *entries))


UNWRITTEN = StreamHead(0, None, None, ())


class HeadCache:
    """The heads of the ledgers and streams that were used last, all of them committed.

    They are known through one connection. A new one may lead to another server, which lacks what no
    standby had when the former one failed.
    """

    def __init__(self) -> None:
        self._connection: object = None
        self._ledgers: LRUCache[str, LedgerHead] = LRUCache(_LEDGERS)
        self._streams: LRUCache[tuple[str, str], tuple[int, StreamHead]] = LRUCache(
            MOST_BYTES, getsizeof=_weight
        )
        self._epoch = 0
        self._contested: set[str] = set()

    def known_through(self, connection: object) -> None:
        """Forget everything if this is another connection than the one before."""
        if connection is not self._connection:
            self._connection = connection
            self._ledgers.clear()
            self._streams.clear()
            self._contested.clear()

    def next_epoch(self) -> int:
        """Return the epoch for a head that was read again. No cached stream belongs to it."""
        self._epoch += 1
        return self._epoch

    def ledger(self, league: str) -> LedgerHead | None:
        return self._ledgers.get(league)

    def stream(self, league: str, stream: str, epoch: int) -> StreamHead | None:
        epoch_and_head = self._streams.get((league, stream))
        if epoch_and_head is None or epoch_and_head[0] != epoch:
            return None
        return epoch_and_head[1]

    def streams(
        self, league: str, epoch: int, names: Collection[str]
    ) -> tuple[dict[str, StreamHead], list[str]]:
        """Return the named streams that are cached, and the names of the others."""
        remembered: dict[str, StreamHead] = {}
        cold: list[str] = []
        for name in names:
            end = self.stream(league, name, epoch)
            if end is None:
                cold.append(name)
            else:
                remembered[name] = end
        return remembered, cold

    def keep(self, league: str, head: LedgerHead, streams: Mapping[str, StreamHead]) -> None:
        """Remember a committed head, and the streams as they are at it."""
        self._ledgers[league] = head
        for stream, end in streams.items():
            key = (league, stream)
            if len(end.entries) > _KEPT_ENTRIES:
                self._streams.pop(key, None)
            else:
                self._streams[key] = (head.epoch, end)

    def forget(self, league: str) -> None:
        """Drop a ledger's head. The next one has a new epoch, so its cached streams go, too."""
        self._ledgers.pop(league, None)

    def mark_contested(self, league: str) -> None:
        """Note that another process has appended: what is cached of this ledger may be outdated."""
        self._contested.add(league)

    def clear_contested(self, league: str) -> None:
        """Note that no other process has appended since the head was read."""
        self._contested.discard(league)

    def is_contested(self, league: str) -> bool:
        return league in self._contested


def _weight(epoch_and_head: tuple[int, StreamHead]) -> int:
    """Return the approximate size in bytes, but never more than MOST_BYTES."""
    head = epoch_and_head[1]
    weight = _BYTES if head.carried is None else _BYTES + _CARRIED_BYTES * head.version
    for entry in head.entries:
        weight += len(entry.header) + len(entry.body or b"")
    return min(weight, MOST_BYTES)
