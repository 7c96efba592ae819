"""Forged bundles, archived and sealed as docs/evidence.md describes it."""

import json
import re
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.docs.bundle_checker import FORMAT

PAGE = (Path(__file__).resolve().parents[2] / "docs/evidence.md").read_text(encoding="utf-8")
SEALED = ("digests", "key", "checkpoint", "seal")
ENTRIES, NAMES = "entries/000.ndjson", "names.json"

Members = dict[str, bytes]


def archived(found: Members) -> bytes:
    """Return an archive of the members, with the headers that the page's table prescribes."""
    fixed = {
        int(at): text
        for offsets, texts in re.findall(r"^\| ([\d, ]+) \| (`.*) \|$", PAGE, re.MULTILINE)
        for at, text in zip(offsets.split(", "), re.findall(r"`(\w+)`", texts), strict=False)
    }
    assert fixed.keys() == {100, 108, 116, 156, 257, 263}
    whole = b""
    for name, content in found.items():
        fields = fixed | {0: name, 124: f"{len(content):011o}", 136: "0" * 11}
        header = bytearray(512)
        for at, text in (fields | {148: " " * 8}).items():
            header[at : at + len(text)] = text.encode()
        header[148:156] = f"{sum(header):06o}\0 ".encode()
        whole += header + content + bytes(-len(content) % 512)
    return whole + bytes(1_024)


def sealed(
    found: Members, *, key_ends: str = "\n", checkpoint_more: str = "", seal_more: str = ""
) -> bytes:
    """A bundle of these members, sealed by somebody who has another key.

    `checkpoint_more` is signed with the checkpoint, `seal_more` is written below the seal.
    """
    key = Ed25519PrivateKey.generate()
    manifest = json.loads(found["manifest.json"])
    log = manifest["log"]
    public = b"\x01" + key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    key_id = sha256(f"{log}\n".encode() + public).digest()[:4]

    def note(text: str) -> bytes:
        signature = b64encode(key_id + key.sign(text.encode())).decode()
        return f"{text}\n— {log} {signature}\n".encode()

    def digests(names: list[str]) -> str:
        return "".join(f"{sha256(found[name]).hexdigest()}  {name}\n" for name in names)

    found = {name: content for name, content in found.items() if name not in SEALED}
    found["digests"] = digests(list(found)).encode()
    found["key"] = f"{log}+{key_id.hex()}+{b64encode(public).decode()}{key_ends}".encode()
    root = b64encode(bytes.fromhex(manifest["root"])).decode()
    found["checkpoint"] = note(f"{log}\n{manifest['size']}\n{root}\n{checkpoint_more}")
    seal = note(f"{FORMAT}\n{log}\n{digests(['digests', 'key', 'checkpoint'])}")
    found["seal"] = seal + seal_more.encode()
    return archived(found)


def above(found: Members) -> str:
    """Return the name of the tile above the leaves."""
    return next(name for name in found if name.startswith("tile/1/"))


def lines_of(found: Members) -> list[dict]:
    return [json.loads(line) for line in found[ENTRIES].splitlines()]


def with_entry(found: Members, at: int, change: Callable[[dict], object]) -> Members:
    """Return the members with the entry at index `at` changed."""
    entries = lines_of(found)
    change(entries[at])
    return {**found, ENTRIES: b"".join(line(entry) for entry in entries)}


def line(value: object) -> bytes:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"{text}\n".encode()


def swapped(found: Members) -> Members:
    first, second, *others = found[ENTRIES].splitlines(keepends=True)
    return {**found, ENTRIES: b"".join([second, first, *others])}


def shorter(found: Members) -> Members:
    manifest = json.loads(found["manifest.json"])
    return {**found, "manifest.json": line(manifest | {"size": manifest["size"] - 1})}


def named(found: Members, **names: object) -> Members:
    known = json.loads(found[NAMES])
    return {**found, NAMES: line(known | {"players": known["players"] | names})}


def spaced(found: Members, name: str) -> Members:
    """Return the members with one of them rewritten with spaces, which change no value."""
    values = [json.loads(one) for one in found[name].splitlines()]
    return {**found, name: "".join(f"{json.dumps(value)}\n" for value in values).encode()}


def flipped(found: Members, name: str) -> Members:
    content = bytearray(found[name])
    content[len(content) // 2] ^= 1
    return {**found, name: bytes(content)}


def line_as_read(entry: dict) -> bytes:
    """Return an entry's line with the salt first, and header and body as they were hashed."""
    salt = json.dumps(entry.pop("salt")).encode()
    return b'{"salt":' + salt + b"," + line(entry)[1:]


FORGERIES: dict[str, Callable[[Members], Members]] = {
    "what an entry says": lambda m: with_entry(m, 1, lambda e: e["body"].update(role="viewer")),
    "who recorded it": lambda m: with_entry(m, 2, lambda e: e["header"].update(actor="t-0")),
    "when it was recorded": lambda m: with_entry(m, 2, lambda e: e["header"].update(time="2020")),
    "a salt": lambda m: with_entry(m, 1, lambda e: e.update(salt="00" * 16)),
    "an erasure that nobody tells of": lambda m: with_entry(
        m, 1, lambda e: e.update(body=None, salt=None)
    ),
    "a field more": lambda m: with_entry(m, 1, lambda e: e["header"].update(more=1)),
    "the order": swapped,
    "the last entry": shorter,
    "a name of nobody": lambda m: named(m, zoe="Zoe"),
    "a name erased in silence": lambda m: named(m, **{"player-1": None}),
    "a hash in a tile": lambda m: flipped(m, "tile/0/000"),
    "a hash in a tile above": lambda m: flipped(m, above(m)),
    "a proof": lambda m: flipped(m, "proofs/000.ndjson"),
    "a member more": lambda m: {"more": b"", **m},
    "a member less": lambda m: {name: c for name, c in m.items() if name != above(m)},
}

WRITTEN_OTHERWISE: dict[str, Callable[[Members], Members]] = {
    "the manifest": lambda m: spaced(m, "manifest.json"),
    "names": lambda m: spaced(m, NAMES),
    "a name that stands there twice": lambda m: {
        **m,
        NAMES: m[NAMES].replace(b'"players":{', b'"players":{"player-1":"Mallory",'),
    },
    "keys in another order": lambda m: {
        **m,
        ENTRIES: b"".join(line_as_read(one) for one in lines_of(m)),
    },
    "lines that end as on Windows": lambda m: {**m, ENTRIES: m[ENTRIES].replace(b"\n", b"\r\n")},
    "a salt in capitals": lambda m: with_entry(m, 1, lambda e: e.update(salt=e["salt"].upper())),
    "a proof": lambda m: spaced(m, "proofs/000.ndjson"),
    "the last line without its end": lambda m: {**m, ENTRIES: m[ENTRIES][:-1]},
}
"""Other texts of the same values, so that all hashes remain."""

SIGNED_OTHERWISE: dict[str, dict[str, str]] = {
    "the key without its line's end": {"key_ends": ""},
    "a fourth line in the checkpoint": {"checkpoint_more": "a line more\n"},
    "another signature below the seal": {
        "seal_more": f"— somebody {b64encode(bytes(68)).decode()}\n"
    },
}
"""What the parts behind `digests` are sealed with, told to `sealed`."""
