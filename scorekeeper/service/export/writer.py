"""Writing a bundle, member by member."""

from collections.abc import Callable, Iterable, Sequence

from scorekeeper.ledger.archive import ENDING, Member, framed
from scorekeeper.ledger.hashing.tiles import TILE_WIDTH
from scorekeeper.ledger.reading.checking import LedgerCheck, Stored
from scorekeeper.service.export.format import (
    CHECKPOINT,
    DIGESTS,
    FORMAT,
    KEY,
    MANIFEST,
    NAMES,
    SEAL,
    Manifest,
    ProofLine,
    digest,
    digest_line,
    encode,
    entry_line,
    part_name,
    seal_text,
    tile_name,
)
from scorekeeper.store.names import StoredNames


class LedgerBroken(Exception):
    """The ledger is not sound, so that a bundle of it would prove nothing."""


class BundleWriter:
    """Gives the bytes of a bundle in their order: begin, entries, proofs, end.

    The entries are checked on the way. Raises LedgerBroken.
    """

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self._digests: list[str] = []
        self._proof_parts = 0
        self.check = LedgerCheck(manifest.league, manifest.log)

    def begin(self, names: StoredNames) -> bytes:
        return self._member(MANIFEST, encode(self._manifest) + b"\n") + self._member(
            NAMES, encode(names) + b"\n"
        )

    def entries(self, rows: Sequence[Stored]) -> bytes:
        """The next entries; 256 at a time, or several times as many, but for the last of them."""
        return b"".join(
            self._part(rows[at : at + TILE_WIDTH]) for at in range(0, len(rows), TILE_WIDTH)
        )

    def _part(self, rows: Sequence[Stored]) -> bytes:
        number = self.check.size // TILE_WIDTH
        flaws = self.check.take(rows)
        if flaws:
            raise LedgerBroken(flaws[0].detail)
        lines = b"".join(entry_line(*row) for row in rows)
        hashes = self.check.tree.last_tile
        return self._member(part_name("entries", number), lines) + self._member(
            tile_name(0, number, len(hashes)), b"".join(hashes)
        )

    def tiles_above(self) -> Iterable[bytes]:
        """The tiles above the leaves, after the last entry."""
        if self.check.size != self._manifest.size:
            raise LedgerBroken(
                f"The ledger has {self.check.size} entries, not {self._manifest.size}."
            )
        if self.check.tree.root().hex() != self._manifest.root:
            raise LedgerBroken("The entries do not have the root that the ledger's head gives.")
        for level in range(1, self.check.tree.levels):
            hashes = self.check.tree.hashes(level)
            for start in range(0, len(hashes), TILE_WIDTH):
                tile = hashes[start : start + TILE_WIDTH]
                name = tile_name(level, start // TILE_WIDTH, len(tile))
                yield self._member(name, b"".join(tile))

    def proofs(self, lines: Sequence[ProofLine]) -> bytes:
        """The next proofs, 256 but for the last of them, by position."""
        name = part_name("proofs", self._proof_parts)
        self._proof_parts += 1
        return self._member(name, b"".join(encode(line) + b"\n" for line in lines))

    def end(self, key: str, checkpoint: str, sign: Callable[[str], str]) -> bytes:
        """What is signed, and the archive's end."""
        digests = "".join(self._digests)
        self._digests.clear()
        sealed = (
            self._member(DIGESTS, digests.encode())
            + self._member(KEY, f"{key}\n".encode())
            + self._member(CHECKPOINT, checkpoint.encode())
        )
        seal = sign(seal_text(FORMAT, self._manifest.log, "".join(self._digests)))
        return sealed + framed(SEAL, seal.encode()) + ENDING

    def _member(self, name: str, content: bytes) -> bytes:
        self._digests.append(digest_line(name, digest(Member(name, content), FORMAT)))
        return framed(name, content)
