"""How a ledger is written into a bundle: its members, what each contains, and the seal.

A bundle is a tar file. In this order it holds

- `manifest.json`: the league, its log, its size and root;
- `names.json`: the names of people and tokens, which are in no ledger;
- for every 256 entries `entries/N.ndjson`, an entry a line with header and body as they were
  hashed, and `tile/0/N`, the hashes that they must have;
- the tiles above, `tile/L/N`;
- `proofs/N.ndjson`, a line for each stream: the proof of its last entry, which vouches for all
  before it;
- `digests`: the SHA-256 of every member so far, as `sha256sum --check` reads it;
- `key` and `checkpoint`: the verifier key, and the signed checkpoint;
- `seal`: the SHA-256 of the three before it, signed with the same key.

Two installations write the same bytes of the same ledger up to `key`. Every byte around the members
has only one possible value (`archive`), so that names and contents determine the whole file. In the
first format the digests were those of the members with their headers and padding. Bundles in that
format can still be read. docs/evidence.md describes all of it for people who write another reader.

The seal shows whether the members are those that were sealed, and which are not.
"""

from collections.abc import Iterator
from hashlib import sha256
from typing import Final, Literal, TypeAlias

import msgspec

from scorekeeper.ledger.archive import Member, framed
from scorekeeper.ledger.integrity.checking import Flaw, LedgerCheck
from scorekeeper.ledger.integrity.checkpoints import Checkpoint, parse_checkpoint
from scorekeeper.ledger.integrity.signing import (
    NoteInvalid,
    VerifierKey,
    open_note,
    parse_verifier_key,
)
from scorekeeper.ledger.merkle_tree import TILE_WIDTH, TileAddress
from scorekeeper.store.names import StoredNames

Format: TypeAlias = Literal["scorekeeper-bundle/1", "scorekeeper-bundle/2"]

FORMAT: Final = "scorekeeper-bundle/2"
"""The format that is written."""

MANIFEST: Final = "manifest.json"
NAMES: Final = "names.json"
DIGESTS: Final = "digests"
KEY: Final = "key"
CHECKPOINT: Final = "checkpoint"
SEAL: Final = "seal"
SEALED: Final = (DIGESTS, KEY, CHECKPOINT)

# The empty line below a note's text, and the signature.
_LINES_OF_ONE_SIGNATURE = 2


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The ledger that a bundle contains; `root` in lower-case hexadecimal."""

    format: Format
    league: str
    log: str
    size: int
    root: str


class EntryLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry; header and body verbatim, body and salt null where the content was erased."""

    body: msgspec.Raw
    header: msgspec.Raw
    salt: str | None


class ProofLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last entry of a stream, and the proof that it is in the tree; hashes in hexadecimal."""

    leaf: str
    position: int
    proof: list[str]
    stream: str
    version: int


encode = msgspec.json.Encoder(order="sorted").encode
decode_manifest = msgspec.json.Decoder(Manifest).decode
decode_names = msgspec.json.Decoder(StoredNames).decode
decode_entry = msgspec.json.Decoder(EntryLine).decode
_decode = msgspec.json.Decoder().decode
decode_proof = msgspec.json.Decoder(ProofLine).decode


def is_canonical(line: bytes) -> bool:
    """Return whether JSON is canonical. Two readers may read any other form differently."""
    return encode(_decode(line)) == line


def entry_line(header: bytes, body: bytes | None, salt: bytes | None) -> bytes:
    if body is None or salt is None:
        return b'{"body":null,"header":%b,"salt":null}\n' % header
    return b'{"body":%b,"header":%b,"salt":"%b"}\n' % (body, header, salt.hex().encode())


def part_name(folder: str, number: int) -> str:
    """Return the name of the member that holds the lines of part `number`, from 0."""
    spelled = TileAddress(None, number).path().removeprefix("entries/")
    return f"{folder}/{spelled}.ndjson"


def part_with(position: int) -> str | None:
    """Return the name of the member that holds the entry at a position.

    None holds a position below 1, which a forged bundle may tell of.
    """
    return part_name("entries", (position - 1) // TILE_WIDTH) if position > 0 else None


def tile_name(level: int, number: int, width: int) -> str:
    return f"tile/{TileAddress(level, number, width).path()}"


def parts_of(size: int) -> int:
    """Return how many parts `size` lines make, at 256 a part."""
    return -(-size // TILE_WIDTH)


def digest(member: Member, of: Format) -> str:
    """Return the digest of a member for `digests` and the seal, in lower-case hexadecimal."""
    if of == "scorekeeper-bundle/1":
        return sha256(framed(member.name, member.content)).hexdigest()
    return sha256(member.content).hexdigest()


def digest_line(name: str, digest: str) -> str:
    """Return a line as sha256sum writes it."""
    return f"{digest}  {name}\n"


def seal_text(of: Format, log: str, sealed: str) -> str:
    """Return the text that is signed. `sealed`: the digest lines of the members in SEALED."""
    return f"{of}\n{log}\n{sealed}"


class BundleSeal:
    """Notes the members of a bundle as they are read, and then checks its seal.

    `check` sets `key`, `checkpoint`, and `note_of_checkpoint`, the signed note of the checkpoint.
    """

    def __init__(self, of: Format) -> None:
        self._format: Format = of
        self.key: VerifierKey | None = None
        self.checkpoint: Checkpoint | None = None
        self.note_of_checkpoint: str | None = None
        self._digests: dict[str, str] = {}
        self._last: dict[str, Member] = {}

    def note(self, member: Member) -> None:
        if member.name in {*SEALED, SEAL}:
            self._last[member.name] = member
        else:
            self._digests[member.name] = digest(member, self._format)

    def check(self, of: LedgerCheck) -> Iterator[Flaw]:
        """Yield what is wrong, with the member that is to blame, once all members were noted."""
        missing = [name for name in (*SEALED, SEAL) if name not in self._last]
        if missing:
            yield _flaw("member-missing", f"There is no {missing[0]}: is it cut off?", missing[0])
            return
        yield from self._check_members()
        yield from self._check_key(of.log)
        if self.key is not None:
            yield from self._check_checkpoint(self.key, of)
            yield from self._check_seal(self.key, of.log)

    def _check_members(self) -> Iterator[Flaw]:
        content = self._last[DIGESTS].content
        wanted = "".join(digest_line(name, found) for name, found in self._digests.items())
        if content == wanted.encode():
            return
        listed = {
            name: found
            for line in content.decode("ascii", "replace").splitlines()
            for found, _, name in [line.partition("  ")]
        }
        for name, found in self._digests.items():
            if listed.get(name) != found:
                yield _changed(name)
        for name in listed.keys() - self._digests.keys():
            yield _flaw("member-missing", f"{name} is listed and is not there.", name)

    def _check_key(self, log: str) -> Iterator[Flaw]:
        try:
            text = self._last[KEY].content.decode()
            self.key = parse_verifier_key(text.removesuffix("\n"))
        except (NoteInvalid, UnicodeError) as error:
            yield _flaw("key-unreadable", f"The key can't be read: {error}.", KEY)
            return
        if not text.endswith("\n"):
            yield _flaw("not-canonical", "No newline ends the line of the key.", KEY)
        if self.key.name != log:
            yield _flaw("key-differs", f"The key is that of {self.key.name}.", KEY)

    def _check_checkpoint(self, key: VerifierKey, of: LedgerCheck) -> Iterator[Flaw]:
        try:
            text = _opened(self._last[CHECKPOINT].content, key)
            self.checkpoint = parse_checkpoint(text)
        except NoteInvalid as error:
            yield _flaw("checkpoint-broken", f"The checkpoint does not hold: {error}.", CHECKPOINT)
            return
        self.note_of_checkpoint = self._last[CHECKPOINT].content.decode()
        if text != Checkpoint(of.log, of.tree.size, of.tree.root()).text():
            yield _flaw("checkpoint-differs", "The checkpoint is not of these entries.", CHECKPOINT)

    def _check_seal(self, key: VerifierKey, log: str) -> Iterator[Flaw]:
        try:
            sealed = _opened(self._last[SEAL].content, key)
        except NoteInvalid as error:
            yield _flaw("seal-broken", f"The seal does not hold: {error}.", SEAL)
            return
        lines = [digest_line(name, digest(self._last[name], self._format)) for name in SEALED]
        changed = [
            name
            for name, line in zip(SEALED, lines, strict=True)
            if line not in sealed.splitlines(keepends=True)
        ]
        for name in changed:
            yield _changed(name)
        if not changed and sealed != seal_text(self._format, log, "".join(lines)):
            yield _flaw("seal-broken", "The seal is that of another bundle.", SEAL)


def _opened(note: bytes, key: VerifierKey) -> str:
    """Return the text of a note that this key has signed, and no other. Raises NoteInvalid.

    Nothing vouches for the signatures below the seal, so anybody could write one more.
    """
    text = open_note(note, [key])
    if note.removeprefix(text.encode()).count(b"\n") != _LINES_OF_ONE_SIGNATURE:
        raise NoteInvalid("another signature stands beside that of the key")
    return text


def _changed(name: str) -> Flaw:
    return _flaw("member-changed", f"{name} is not as it was sealed.", name)


def _flaw(code: str, detail: str, place: str) -> Flaw:
    return Flaw(code, detail, None, place)
