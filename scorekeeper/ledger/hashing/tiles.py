"""Tiles of the tree and bundles of its entries, and their addresses (C2SP tlog-tiles)."""

import re
from collections.abc import Iterable, Sequence

import msgspec

from scorekeeper.ledger.hashing.hashes import nodes_over

TILE_HEIGHT = 8
TILE_WIDTH = 1 << TILE_HEIGHT

_ADDRESS = re.compile(
    r"(?P<level>entries|[0-9]|[1-5][0-9]|6[0-3])"
    r"/(?P<above>(?:x[0-9]{3}/)*)(?P<last>[0-9]{3})"
    r"(?:\.p/(?P<width>[1-9][0-9]{0,2}))?",
    re.ASCII,
)
_LONGEST = 64


class TileAddress(msgspec.Struct, frozen=True):
    """A tile, or a bundle of entries where `level` is None.

    `number` counts from 0 within its level; `width` is 256 for a full one.
    """

    level: int | None
    number: int
    width: int = TILE_WIDTH

    @property
    def start(self) -> int:
        """The index of its first hash within its level, or of its first entry."""
        return self.number * TILE_WIDTH

    def path(self) -> str:
        """As in an address: `0/x001/234.p/17`."""
        digits = f"{self.number % 1000:03}"
        above = self.number // 1000
        while above:
            digits = f"x{above % 1000:03}/{digits}"
            above //= 1000
        partial = "" if self.width == TILE_WIDTH else f".p/{self.width}"
        return f"{'entries' if self.level is None else self.level}/{digits}{partial}"


def parse_address(path: str) -> TileAddress | None:
    """The tile that a path names, without `tile/`; None where it names none.

    Every tile has one spelling: no leading groups of zeroes, no width of 256.
    """
    found = _ADDRESS.fullmatch(path) if len(path) <= _LONGEST else None
    if found is None:
        return None
    level = None if found["level"] == "entries" else int(found["level"])
    number = int(found["above"].replace("x", "").replace("/", "") + found["last"])
    address = TileAddress(level, number, int(found["width"] or TILE_WIDTH))
    return address if address.path() == path else None


def width_at(level: int, number: int, size: int) -> int:
    """How many hashes a tile has in a tree of `size` leaves; 0 where it is not there."""
    hashes = size >> TILE_HEIGHT * level
    return max(0, min(TILE_WIDTH, hashes - number * TILE_WIDTH))


def bundle(headers: Iterable[bytes]) -> bytes:
    """Entries one after the other, each behind its length in two bytes, big-endian."""
    return b"".join(len(header).to_bytes(2, "big") + header for header in headers)


def root_over(hashes: Sequence[bytes]) -> bytes:
    """The root of a full subtree over its hashes, of which there are a power of two."""
    while len(hashes) > 1:
        hashes = nodes_over(hashes)
    return hashes[0]
