"""Reading a bundle from its bytes alone, and checking every one of them."""

from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO, TypeVar

import msgspec

from scorekeeper.ledger.archive import ArchiveDamaged, Member, members
from scorekeeper.ledger.entry import Entry, decode_header, make_entry
from scorekeeper.ledger.integrity.checking import UNREADABLE, Flaw, LedgerCheck, Stored
from scorekeeper.ledger.integrity.checkpoints import Checkpoint
from scorekeeper.ledger.integrity.signing import VerifierKey
from scorekeeper.ledger.merkle_tree import (
    HASH_SIZE,
    SALT_SIZE,
    TILE_WIDTH,
    leaf_hash,
    verify_inclusion,
)
from scorekeeper.service.export.format import (
    MANIFEST,
    NAMES,
    SEAL,
    SEALED,
    BundleSeal,
    EntryLine,
    ProofLine,
    decode_entry,
    decode_manifest,
    decode_names,
    decode_proof,
    is_canonical,
    part_name,
    parts_of,
    tile_name,
)

T = TypeVar("T")

# If everything in a ledger is wrong, not every entry has to be listed.
_MOST_FLAWS = 1_000


class BundleUnreadable(Exception):
    """The file is no bundle, or so damaged at its beginning that nothing in it can be read."""

    def __init__(self, flaw: Flaw) -> None:
        super().__init__(flaw.detail)
        self.flaw = flaw


class _OutOfStep(Exception):
    """The next member is not the one that the format expects."""


class BundleReader:
    """Reads a bundle part by part, and holds one part in memory. Raises BundleUnreadable.

    `flaws`, `key` and `checkpoint` are complete only after `entries` was read to its end. The
    bundle can't prove whose its key is: compare the key with one that was noted elsewhere.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._members = members(file)
        self.flaws: list[Flaw] = []
        manifest, self.manifest = self._first(MANIFEST, decode_manifest)
        names, self.names = self._first(NAMES, decode_names)
        for member in (manifest, names):
            if not (member.content.endswith(b"\n") and is_canonical(member.content[:-1])):
                self._not_canonical(member.name, member.name)
        self._seal = BundleSeal(self.manifest.format)
        self._seal.note(manifest)
        self._seal.note(names)
        self.check = LedgerCheck(self.manifest.league, self.manifest.log)

    @property
    def key(self) -> VerifierKey | None:
        """The key in the bundle."""
        return self._seal.key

    @property
    def checkpoint(self) -> Checkpoint | None:
        """The checkpoint in the bundle, which the key has signed."""
        return self._seal.checkpoint

    @property
    def note(self) -> str | None:
        """The signed note of the checkpoint."""
        return self._seal.note_of_checkpoint

    def entries(self) -> Iterator[list[Entry]]:
        """Yield the entries by position, 256 at a time, then check everything else in the file."""
        try:
            for number in range(parts_of(self.manifest.size)):
                yield self._part(number)
            self._check_manifest()
            self._tiles_above()
            self._proofs()
            for name in (*SEALED, SEAL):
                self._expect(name)
            for member in self._members:
                self._flaw("member-unknown", f"Nobody expects a member {member.name}.", SEAL)
        except _OutOfStep:
            self._drain()
        except ArchiveDamaged as error:
            where = "at the beginning" if error.after is None else f"after {error.after}"
            self._flaw("archive-damaged", f"The archive can't be read on {where}: {error}.", None)
        for flaw in self._seal.check(self.check):
            self._add(flaw)

    def _first(self, name: str, decode: Callable[[bytes], T]) -> tuple[Member, T]:
        """Read one of the members that are needed to read all others. Raises BundleUnreadable."""
        try:
            member = self._named(name, self._next(name))
            return member, decode(member.content)
        except (ArchiveDamaged, _OutOfStep, *UNREADABLE) as error:
            flaw = Flaw("bundle-unreadable", f"{name} can't be read: {error}.", None, name)
            raise BundleUnreadable(flaw) from error

    def _part(self, number: int) -> list[Entry]:
        start = number * TILE_WIDTH
        width = min(TILE_WIDTH, self.manifest.size - start)
        name = part_name("entries", number)
        rows = self._rows(name, self._lines(name))
        if len(rows) != width:
            self._flaw("entries-missing", f"{name} has {len(rows)} entries, not {width}.", name)
        if number == 0 and rows:
            self._name_log(rows[0][0])
        flaws, headers = self.check.take(rows)
        for flaw in flaws:
            self._add(msgspec.structs.replace(flaw, place=name))
        tile = tile_name(0, number, width)
        self._compare_tile(tile, self._expect(tile).content, self.check.tree.last_tile, start)
        return [
            make_entry(self.manifest.league, header, stored, leaf_hash(stored), body, salt)
            for header, (stored, body, salt) in zip(headers, rows, strict=True)
            if header is not None
        ]

    def _lines(self, name: str) -> list[bytes]:
        """Read the next member, and return its lines. A rest that no newline ends is one, too."""
        lines = self._expect(name).content.split(b"\n")
        if not lines[-1]:
            return lines[:-1]
        self._not_canonical(f"The end of {name}", name)
        return lines

    def _rows(self, name: str, lines: list[bytes]) -> list[Stored]:
        rows: list[Stored] = []
        for at, line in enumerate(lines):
            try:
                read = decode_entry(line)
                salt = None if read.salt is None else bytes.fromhex(read.salt)
                canonical = is_canonical(line)
            except (*UNREADABLE, ValueError) as error:
                self._flaw(
                    "line-unreadable", f"Line {at + 1} of {name} can't be read: {error}.", name
                )
                # The line counts as an entry, so that the following ones keep their positions.
                rows.append((line, None, None))
                continue
            if not canonical or not (salt is None or _is_salt(salt, read.salt)):
                self._not_canonical(f"Line {at + 1} of {name}", name)
            rows.append((bytes(read.header), _content(read), salt))
        return rows

    def _name_log(self, header: bytes) -> None:
        """Take the log's name from the first entry, and note a flaw if the manifest differs."""
        try:
            log = decode_header(header).log
        except UNREADABLE:
            return
        league = log.split("/")[1:2]
        if log != self.manifest.log or league != [self.manifest.league]:
            self._flaw("manifest-differs", f"The entries are of the log {log}.", MANIFEST)
            self.check.log = log

    def _compare_tile(
        self, name: str, content: bytes, hashes: Iterable[bytes], start: int | None
    ) -> None:
        """Note a flaw if a tile has other hashes. `start`: the index of the first leaf.

        It is None for a tile above the leaves.
        """
        wanted = b"".join(hashes)
        if content == wanted:
            return
        position = None
        if start is not None:
            for at in range(0, max(len(content), len(wanted)), HASH_SIZE):
                if content[at : at + HASH_SIZE] != wanted[at : at + HASH_SIZE]:
                    position = start + at // HASH_SIZE + 1
                    break
        about = "" if position is None else f"; the first is that of position {position}"
        flaw = Flaw(
            "tile-differs", f"{name} has hashes that the entries lack{about}.", position, name
        )
        self._add(flaw)

    def _check_manifest(self) -> None:
        root = self.check.tree.root().hex()
        if root != self.manifest.root:
            self._flaw("manifest-differs", f"The root over the entries is {root}.", MANIFEST)

    def _tiles_above(self) -> None:
        for level in range(1, self.check.tree.levels):
            hashes = self.check.tree.hashes(level)
            for start in range(0, len(hashes), TILE_WIDTH):
                tile = hashes[start : start + TILE_WIDTH]
                name = tile_name(level, start // TILE_WIDTH, len(tile))
                self._compare_tile(name, self._expect(name).content, tile, None)

    def _proofs(self) -> None:
        ends = sorted(
            (position, stream, version, link)
            for stream, (version, link, position) in self.check.ends.items()
        )
        for number in range(parts_of(len(ends))):
            name = part_name("proofs", number)
            lines = self._lines(name)
            part = ends[number * TILE_WIDTH : (number + 1) * TILE_WIDTH]
            if len(lines) != len(part):
                self._flaw(
                    "proofs-missing", f"{name} has {len(lines)} lines, not {len(part)}.", name
                )
            for line, end in zip(lines, part, strict=False):
                if not self._proves(line, *end):
                    self._flaw(
                        "proof-wrong", f"The proof of {end[1]} in {name} does not hold.", name
                    )

    def _proves(self, line: bytes, position: int, stream: str, version: int, link: str) -> bool:
        try:
            proof_line = decode_proof(line)
            canonical = is_canonical(line)
            proof = [bytes.fromhex(each) for each in proof_line.proof]
        except (*UNREADABLE, ValueError):
            return False
        of = ProofLine(link, position, [each.hex() for each in proof], stream, version)
        tree = self.check.tree
        return (
            canonical
            and proof_line == of
            and verify_inclusion(bytes.fromhex(link), position - 1, tree.size, proof, tree.root())
        )

    def _expect(self, name: str) -> Member:
        member = self._next(name)
        self._seal.note(member)
        return self._named(name, member)

    def _next(self, name: str) -> Member:
        """Return the next member, which should have this name."""
        member = next(self._members, None)
        if member is None:
            self._flaw("member-missing", f"The archive ends before {name}.", name)
            raise _OutOfStep("the archive ends before it")
        return member

    def _named(self, name: str, member: Member) -> Member:
        if member.name != name:
            self._flaw("member-missing", f"{member.name} stands in the place of {name}.", name)
            raise _OutOfStep(f"{member.name} stands in its place")
        return member

    def _drain(self) -> None:
        """Read the other members, only to find those that are not as they were sealed."""
        try:
            for member in self._members:
                self._seal.note(member)
        except ArchiveDamaged as error:
            self._flaw("archive-damaged", f"The archive can't be read on: {error}.", None)

    def _not_canonical(self, what: str, place: str) -> None:
        self._flaw("not-canonical", f"{what} is not written in canonical form.", place)

    def _flaw(self, code: str, detail: str, place: str | None) -> None:
        self._add(Flaw(code, detail, None, place))

    def _add(self, flaw: Flaw) -> None:
        if len(self.flaws) < _MOST_FLAWS:
            self.flaws.append(flaw)


def _is_salt(salt: bytes, text: str | None) -> bool:
    return len(salt) == SALT_SIZE and salt.hex() == text


def _content(line: EntryLine) -> bytes | None:
    body = bytes(line.body)
    return None if body == b"null" else body
