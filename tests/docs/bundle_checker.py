"""Checks a bundle as docs/evidence.md describes it, without any code of the product."""

import io
import json
import re
import sys
import tarfile
from base64 import b64decode, b64encode
from hashlib import sha256
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

FORMAT = "scorekeeper-bundle/2"
HEADER = "actor digest id inferred log position prev schema stream time told_by type version"


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def parsed(line, keys):
    value = json.loads(line)
    assert canonical(value) + b"\n" == line and sorted(value) == keys.split(), "not canonical"
    return value


def number(n):
    return f"{n:03}" if n < 1000 else f"x{number(n // 1000).replace('/', '/x')}/{n % 1000:03}"


def members(bundle):
    with tarfile.open(fileobj=io.BytesIO(bundle)) as archive:
        found = {each.name: archive.extractfile(each).read() for each in archive}
    whole = b""
    for name, content in found.items():
        header = tarfile.TarInfo(name)
        header.size = len(content)
        whole += header.tobuf(tarfile.USTAR_FORMAT) + content + bytes(-len(content) % 512)
    assert whole + bytes(1024) == bundle, "the archive has other bytes than its members"
    return found


def tree(leaves, index=0):
    """The root, and the proof of inclusion of the leaf with this index."""
    if len(leaves) == 1:
        return leaves[0], []
    half = 1 << (len(leaves) - 1).bit_length() - 1
    left, of_left = tree(leaves[:half], index)
    right, of_right = tree(leaves[half:], index - half)
    proof = [*of_left, right] if index < half else [*of_right, left]
    return sha256(b"\x01" + left + right).digest(), proof


def opened(note, log, key):
    text, signature = note.decode().rsplit("\n\n", 1)
    signed = b64decode(signature.split(" ")[2])
    assert f"{text}\n\n— {log} {b64encode(signed).decode()}\n".encode() == note
    assert signed[:4] == sha256(f"{log}\n".encode() + key).digest()[:4], "signed with another key"
    Ed25519PublicKey.from_public_bytes(key[1:]).verify(signed[4:], f"{text}\n".encode())
    return f"{text}\n"


def check(bundle, noted=None):
    """Check a bundle and return its manifest; raise an exception at any flaw."""
    found = members(bundle)

    def digests(names):
        return "".join(f"{sha256(found[name]).hexdigest()}  {name}\n" for name in names)

    *digested, _, _, _, _ = found
    assert found["digests"].decode() == digests(digested)
    manifest = parsed(found["manifest.json"], "format league log root size")
    size, log = manifest["size"], manifest["log"]
    assert (manifest["format"], log.split("/")[1]) == (FORMAT, manifest["league"])
    names = [f"entries/{number(part)}.ndjson" for part in range(-(-size // 256))]
    lines = [line for name in names for line in found[name].splitlines(keepends=True)]

    leaves, ends, time, erased, told = [], {}, "", set(), {}
    for position, line in enumerate(lines, start=1):
        body, header, salt = parsed(line, "body header salt").values()
        stream, written = header["stream"], canonical(header)
        version, prev, _ = ends.get(stream, (0, None, 0))
        placed = (header["log"], header["position"], header["version"], header["prev"])
        assert placed == (log, position, version + 1, prev) and sorted(header) == HEADER.split()
        assert header["time"] >= time, "recorded before the entry before it"
        time, leaf = header["time"], sha256(b"\x00" + written).digest()
        leaves.append(leaf)
        ends[stream] = (version + 1, leaf.hex(), position)
        if body is None and salt is None:
            erased.add(position)
            continue
        assert sha256(bytes.fromhex(salt) + canonical(body)).hexdigest() == header["digest"]
        assert body["type"] == header["type"] and re.fullmatch("[0-9a-f]{32}", salt)
        if stream == "league":
            told.setdefault(body["type"], []).append(body)
    assert erased == {each for body in told.get("content_erased", ()) for each in body["positions"]}
    assert (len(lines), tree(leaves)[0].hex()) == (size, manifest["root"])

    named = parsed(found["names.json"], "league players tokens")
    nameless = {body["player"] for body in told.get("name_erased", ())}
    assert {player for player, name in named["players"].items() if name is None} <= nameless
    assert set(named["players"]) == {body["player"] for body in told.get("player_registered", ())}
    assert set(named["tokens"]) == {body["token_id"] for body in told.get("token_made", ())}

    expected, level, row = {"manifest.json": None, "names.json": None}, 0, leaves
    while row:
        for at in range(0, len(row), 256):
            tile = row[at : at + 256]
            expected |= {names[at // 256]: None} if level == 0 else {}
            width = "" if len(tile) == 256 else f".p/{len(tile)}"
            expected[f"tile/{level}/{number(at // 256)}{width}"] = b"".join(tile)
        row = [tree(row[at - 256 : at])[0] for at in range(256, len(row) + 1, 256)]
        level += 1
    last = sorted((position, stream, *end) for stream, (*end, position) in ends.items())
    proofs = [
        canonical({"leaf": leaf, "position": position, "stream": stream, "version": version,
                   "proof": [each.hex() for each in tree(leaves, position - 1)[1]]}) + b"\n"
        for position, stream, version, leaf in last
    ]  # fmt: skip
    for at in range(0, len(proofs), 256):
        expected[f"proofs/{number(at // 256)}.ndjson"] = b"".join(proofs[at : at + 256])

    key = b64decode(found["key"].decode().rstrip("\n").split("+", 2)[2])
    key_id = sha256(f"{log}\n".encode() + key).hexdigest()[:8]
    expected["digests"] = None
    expected["key"] = f"{log}+{key_id}+{b64encode(key).decode()}\n".encode()
    assert noted is None or found["key"].decode() == f"{noted}\n", "another key than was noted"
    assert list(found) == [*expected, "checkpoint", "seal"], "other members, or in another order"
    assert all(content in {None, found[name]} for name, content in expected.items())
    root = b64encode(bytes.fromhex(manifest["root"])).decode()
    assert opened(found["checkpoint"], log, key) == f"{log}\n{size}\n{root}\n"
    sealed = digests(["digests", "key", "checkpoint"])
    assert opened(found["seal"], log, key) == f"{FORMAT}\n{log}\n{sealed}"
    return manifest


if __name__ == "__main__":
    print("All of it holds:", check(Path(sys.argv[1]).read_bytes(), *sys.argv[2:3]))
