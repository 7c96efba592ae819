"""The Merkle tree of a ledger as in RFC 9162, section 2.1: its hashes, its proofs, its tiles.

Leaves are counted from 0 here, as the RFC does: the leaf of position p has the index p - 1. A
frontier is the roots of the full subtrees that a tree is made of, largest first. A proof is a list
of hashes in the RFC's order. A range is a pair of leaf indices, the end excluded. Tiles, bundles of
entries and their addresses are those of C2SP tlog-tiles.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

import msgspec

HASH_SIZE = 32
SALT_SIZE = 16
EMPTY_ROOT = sha256(b"").digest()

Range = tuple[int, int]

TILE_HEIGHT = 8
TILE_WIDTH = 1 << TILE_HEIGHT

_ADDRESS = re.compile(
    r"(?P<level>entries|[0-9]|[1-5][0-9]|6[0-3])"
    r"/(?P<above>(?:x[0-9]{3}/)*)(?P<last>[0-9]{3})"
    r"(?:\.p/(?P<width>[1-9][0-9]{0,2}))?",
    re.ASCII,
)
_LONGEST_ADDRESS = 64


def leaf_hash(header: bytes) -> bytes:
    """Return the hash of a header as a leaf, to which the stream's next header links, too."""
    return sha256(b"\x00" + header).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def nodes_over(hashes: Sequence[bytes]) -> list[bytes]:
    """Return the nodes one level above these hashes, whose number must be even."""
    pairs = iter(hashes)
    return [
        sha256(b"\x01" + left + right).digest() for left, right in zip(pairs, pairs, strict=True)
    ]


def body_digest(salt: bytes, body: bytes) -> bytes:
    """Return the digest that a header keeps of its event's content."""
    return sha256(salt + body).digest()


def grow(frontier: bytes, size: int, leaves: Iterable[bytes]) -> bytes:
    """Return the frontier of a tree of `size` leaves after more `leaves`.

    A frontier is the roots of the full subtrees that the tree is made of, largest first: one for
    each bit of the size.
    """
    roots = [frontier[at : at + HASH_SIZE] for at in range(0, len(frontier), HASH_SIZE)]
    for leaf in leaves:
        root, carry = leaf, size
        while carry & 1:
            root = node_hash(roots.pop(), root)
            carry >>= 1
        roots.append(root)
        size += 1
    return b"".join(roots)


def tree_root(frontier: bytes) -> bytes:
    """Return the root of the tree that has this frontier."""
    if not frontier:
        return EMPTY_ROOT
    roots = [frontier[at : at + HASH_SIZE] for at in range(0, len(frontier), HASH_SIZE)]
    root = roots.pop()
    while roots:
        root = node_hash(roots.pop(), root)
    return root


def inclusion_path(index: int, size: int) -> list[Range]:
    """Return the ranges whose roots prove that leaf `index` is in the tree of `size` (2.1.3.1)."""
    if not 0 <= index < size:
        raise ValueError(f"a tree of {size} leaves has no leaf {index}")
    path: list[Range] = []
    start, end = 0, size
    while end - start > 1:
        middle = start + _largest_power_below(end - start)
        if index < middle:
            path.append((middle, end))
            end = middle
        else:
            path.append((start, middle))
            start = middle
    return path[::-1]


def consistency_path(first: int, second: int) -> list[Range]:
    """Return the ranges whose roots prove that a tree grew from size `first` to `second` (2.1.4.1).

    Empty if the sizes are equal, or if `first` is 0: every tree has grown from the empty one.
    """
    if not 0 <= first <= second:
        raise ValueError(f"a tree does not grow from {first} to {second} leaves")
    path: list[Range] = []
    if first == 0:
        return path
    start, end = 0, second
    while first != end:
        middle = start + _largest_power_below(end - start)
        if first <= middle:
            path.append((middle, end))
            end = middle
        else:
            path.append((start, middle))
            start = middle
    if start > 0:  # else this is the whole first tree, whose root the verifier has
        path.append((start, end))
    return path[::-1]


def full_subtrees(start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the full subtrees that make up a range of a tree, as height and index, from the left.

    The range must be one of a proof, or begin at 0: then the sizes shrink from left to right.
    """
    while start < end:
        height = (end - start).bit_length() - 1
        yield height, start >> height
        start += 1 << height


def join(roots: Sequence[bytes]) -> bytes:
    """Return the root over neighbouring subtrees of shrinking sizes. `roots` must not be empty."""
    root = roots[-1]
    for left in reversed(roots[:-1]):
        root = node_hash(left, root)
    return root


def verify_inclusion(
    leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes
) -> bool:
    """Return whether the proof shows that `leaf` has this index under `root` (2.1.3.2)."""
    if not 0 <= index < size or len(leaf) != HASH_SIZE:
        return False
    node, last, hash_ = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return False
        if node & 1 or node == last:
            hash_ = node_hash(sibling, hash_)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            hash_ = node_hash(hash_, sibling)
        node, last = node >> 1, last >> 1
    return last == 0 and hash_ == root


def verify_consistency(
    first: int, second: int, first_root: bytes, second_root: bytes, proof: Sequence[bytes]
) -> bool:
    """Return whether it is proved that a tree of `second` leaves extends one of `first` (2.1.4.2).

    Always False if `first` is 0: all empty trees have the same root, so nothing can be proved.
    """
    if not 0 < first <= second:
        return False
    if first == second:
        return not proof and first_root == second_root
    if not proof:
        return False
    path = [first_root, *proof] if first & (first - 1) == 0 else list(proof)
    node, last = first - 1, second - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    before = after = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if node & 1 or node == last:
            before, after = node_hash(sibling, before), node_hash(sibling, after)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            after = node_hash(after, sibling)
        node, last = node >> 1, last >> 1
    return last == 0 and before == first_root and after == second_root


def _largest_power_below(size: int) -> int:
    """Return the largest power of two below `size`."""
    return 1 << (size - 1).bit_length() - 1


class TileAddress(msgspec.Struct, frozen=True):
    """A tile, or a bundle of entries if `level` is None.

    `number` counts from 0 within the level. `width` is the number of hashes or entries, 256 for a
    full tile or bundle.
    """

    level: int | None
    number: int
    width: int = TILE_WIDTH

    @property
    def start(self) -> int:
        """The index of its first hash within its level, or of its first entry."""
        return self.number * TILE_WIDTH

    def path(self) -> str:
        """Return the tile's path below `tile/`, such as `0/x001/234.p/17`."""
        digits = f"{self.number % 1000:03}"
        above = self.number // 1000
        while above:
            digits = f"x{above % 1000:03}/{digits}"
            above //= 1000
        partial = "" if self.width == TILE_WIDTH else f".p/{self.width}"
        return f"{'entries' if self.level is None else self.level}/{digits}{partial}"


def parse_address(path: str) -> TileAddress | None:
    """Return the tile that a path below `tile/` names, None if it names none.

    Every tile has one spelling: no leading groups of zeroes, no width of 256.
    """
    found = _ADDRESS.fullmatch(path) if len(path) <= _LONGEST_ADDRESS else None
    if found is None:
        return None
    level = None if found["level"] == "entries" else int(found["level"])
    number = int(found["above"].replace("x", "").replace("/", "") + found["last"])
    address = TileAddress(level, number, int(found["width"] or TILE_WIDTH))
    return address if address.path() == path else None


def width_at(level: int, number: int, size: int) -> int:
    """Return how many hashes a tile has in a tree of `size` leaves, 0 if there is no such tile."""
    hashes = size >> TILE_HEIGHT * level
    return max(0, min(TILE_WIDTH, hashes - number * TILE_WIDTH))


def bundle(headers: Iterable[bytes]) -> bytes:
    """Return a bundle: each header is preceded by its length in two bytes, big-endian."""
    return b"".join(len(header).to_bytes(2, "big") + header for header in headers)


def root_over(hashes: Sequence[bytes]) -> bytes:
    """Return the root of a full subtree over its hashes, of which there are a power of two."""
    while len(hashes) > 1:
        hashes = nodes_over(hashes)
    return hashes[0]


class TreeBuilder:
    """The tree over all leaves added so far. It keeps one hash in memory for some 255 leaves."""

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
        """Return all hashes of a level above the leaves; each is the root over 256^level leaves."""
        return self._above[level - 1] if level <= len(self._above) else ()

    def frontier(self) -> bytes:
        """Return the roots of the full subtrees, largest first, as the ledger's head has them."""
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
    """Return the roots of the largest full subtrees over fewer hashes than make a tile."""
    roots: list[bytes] = []
    start = 0
    for height in reversed(range(TILE_HEIGHT)):
        if len(hashes) >> height & 1:
            roots.append(root_over(hashes[start : start + (1 << height)]))
            start += 1 << height
    return roots
