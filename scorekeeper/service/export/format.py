"""How a ledger is written into a bundle: the names of its members, and what stands in each.

A bundle is a tar file. In this order it holds

- `manifest.json`: the league, its log, its size and root;
- `names.json`: the names of people and tokens, which stand in no ledger;
- for every 256 entries `entries/N.ndjson`, an entry a line with header and body as they were
  hashed, and `tile/0/N`, the hashes that they must have;
- the tiles above, `tile/L/N`;
- `proofs/N.ndjson`, a line for each stream: the proof of its last entry, which vouches for all
  before it;
- `digests`: the SHA-256 of every member so far, as `sha256sum --check` reads it;
- `key` and `checkpoint`: the verifier key, and the signed checkpoint;
- `seal`: the SHA-256 of the three before it, signed with the same key.

Two installations write the same bytes of the same ledger up to `key`. Every byte around the members
has one value only (`archive`), so that names and contents make up the whole file. In the first
format the digests were those of the members with their headers and filling; it is read still.
docs/evidence.md describes all of it for those who write a reader of their own.
"""

from hashlib import sha256
from typing import Final, Literal, TypeAlias

import msgspec

from scorekeeper.ledger.archive import Member, framed
from scorekeeper.ledger.hashing.tiles import TILE_WIDTH, TileAddress
from scorekeeper.store.names import StoredNames

Format: TypeAlias = Literal["scorekeeper-bundle/1", "scorekeeper-bundle/2"]

FORMAT: Final = "scorekeeper-bundle/2"
"""The one that is written."""

MANIFEST: Final = "manifest.json"
NAMES: Final = "names.json"
DIGESTS: Final = "digests"
KEY: Final = "key"
CHECKPOINT: Final = "checkpoint"
SEAL: Final = "seal"
SEALED: Final = (DIGESTS, KEY, CHECKPOINT)


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a bundle is of; `root` in lower-case hexadecimal."""

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
decode_proof = msgspec.json.Decoder(ProofLine).decode


def entry_line(header: bytes, body: bytes | None, salt: bytes | None) -> bytes:
    if body is None or salt is None:
        return b'{"body":null,"header":%b,"salt":null}\n' % header
    return b'{"body":%b,"header":%b,"salt":"%b"}\n' % (body, header, salt.hex().encode())


def part_name(folder: str, number: int) -> str:
    """The member that holds the lines of part `number`, from 0."""
    spelled = TileAddress(None, number).path().removeprefix("entries/")
    return f"{folder}/{spelled}.ndjson"


def tile_name(level: int, number: int, width: int) -> str:
    return f"tile/{TileAddress(level, number, width).path()}"


def parts_of(size: int) -> int:
    """How many parts so many lines make."""
    return -(-size // TILE_WIDTH)


def digest(member: Member, of: Format) -> str:
    """What `digests` and the seal have of a member, in lower-case hexadecimal."""
    if of == "scorekeeper-bundle/1":
        return sha256(framed(member.name, member.content)).hexdigest()
    return sha256(member.content).hexdigest()


def digest_line(name: str, digest: str) -> str:
    """As sha256sum writes it."""
    return f"{digest}  {name}\n"


def seal_text(of: Format, log: str, sealed: str) -> str:
    """What is signed: `sealed` has the digest lines of SEALED."""
    return f"{of}\n{log}\n{sealed}"
