"""A Merkle tree that leaves are appended to, and its tiles."""

from collections.abc import Sequence

from scorekeeper.ledger.hashing.hashes import tree_root
from scorekeeper.ledger.hashing.tiles import TILE_HEIGHT, TILE_WIDTH, root_over


class TreeBuilder:
    """The tree over all leaves added so far; in memory it keeps one hash for some 255 of them."""

    def __init__(self) -> None:
        self.size = 0
        self._leaves: list[bytes] = []
        self._above: list[list[bytes]] = []

    def add(self, leaves: Sequence[bytes]) -> None:
        """Add the next leaves. A tile that they fill is the last one until more are added."""
        self.size += len(leaves)
        at = 0
        while at < len(leaves):
            if len(self._leaves) == TILE_WIDTH:
                self._leaves = []
            begun, at = at, at + TILE_WIDTH - len(self._leaves)
            self._leaves += leaves[begun:at]
            if len(self._leaves) == TILE_WIDTH:
                self._rise(root_over(self._leaves))

    @property
    def last_tile(self) -> Sequence[bytes]:
        """The leaves of the last tile at level 0, full or partial."""
        return self._leaves

    @property
    def levels(self) -> int:
        """How many tile levels have hashes; the leaves are level 0."""
        return 1 + len(self._above) if self.size else 0

    def hashes(self, level: int) -> Sequence[bytes]:
        """All hashes of a level above the leaves; hash n is the root over 256^level leaves."""
        return self._above[level - 1] if level <= len(self._above) else ()

    def frontier(self) -> bytes:
        """The roots of the full subtrees, largest first, as the ledger's head has them."""
        roots: list[bytes] = []
        for level in reversed(range(self.levels)):
            width = (self.size >> TILE_HEIGHT * level) % TILE_WIDTH
            if width:
                loose = (self._above[level - 1] if level else self._leaves)[-width:]
                roots += _full_subtrees(loose)
        return b"".join(roots)

    def root(self) -> bytes:
        return tree_root(self.frontier())

    def _rise(self, root: bytes) -> None:
        for hashes in self._above:
            hashes.append(root)
            if len(hashes) % TILE_WIDTH:
                return
            root = root_over(hashes[-TILE_WIDTH:])
        self._above.append([root])


def _full_subtrees(hashes: Sequence[bytes]) -> list[bytes]:
    """The roots of the largest full subtrees over fewer hashes than make a tile."""
    roots: list[bytes] = []
    start = 0
    for height in reversed(range(TILE_HEIGHT)):
        if len(hashes) >> height & 1:
            roots.append(root_over(hashes[start : start + (1 << height)]))
            start += 1 << height
    return roots
