"""The proofs that transparency-dev/merkle publishes as test vectors for implementations.

Its folder testdata (Apache-2.0, at commit 417fb0c) holds 98 inclusion proofs and 98 consistency
proofs. They are a few valid proofs over the trees of eight well-known leaves, each of them also
spoiled in every way that a verifier must notice, and some single cases. Here the valid proofs are
computed as the RFC defines them, and then spoiled in the same ways. PUBLISHED has the SHA-256 of
the published files in the form of `digest`, so the vectors tested here are those published.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace

# The leaves that the Certificate Transparency projects test with, and the roots over the first n.
LEAVES = [
    bytes.fromhex(leaf)
    for leaf in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
PUBLISHED = {
    "inclusion": "02180bf53df7e590f18b2680db7d837c65e307ded70a629257e12ad1b800edd6",
    "consistency": "da79b7e1e7786a37c251aafcd99cf1baf429abe0f9025f5775aa727f102199b5",
}

EMPTY = hashlib.sha256(b"").digest()
RANDOM = bytes.fromhex("abacaba000000000000000000000000000000000000000000060061e00123456")
DATA = hashlib.sha256(b"\x00data").digest()
ONE, OTHER = b"don't care 1", b"don't care 2"


@dataclass(frozen=True)
class Inclusion:
    index: int
    size: int
    root: bytes
    leaf: bytes
    proof: list[bytes]
    holds: bool = False


@dataclass(frozen=True)
class Consistency:
    first: int
    second: int
    first_root: bytes
    second_root: bytes
    proof: list[bytes]
    holds: bool = False


def hashed(leaf: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + leaf).digest()


def tree(leaves: list[bytes]) -> bytes:
    """MTH of RFC 9162, section 2.1.1."""
    if len(leaves) < 2:
        return hashed(leaves[0]) if leaves else EMPTY
    k = split(len(leaves))
    return hashlib.sha256(b"\x01" + tree(leaves[:k]) + tree(leaves[k:])).digest()


def path(index: int, leaves: list[bytes]) -> list[bytes]:
    """PATH of section 2.1.3.1."""
    if len(leaves) == 1:
        return []
    k = split(len(leaves))
    if index < k:
        return [*path(index, leaves[:k]), tree(leaves[k:])]
    return [*path(index - k, leaves[k:]), tree(leaves[:k])]


def subproof(first: int, leaves: list[bytes], *, known: bool) -> list[bytes]:
    """SUBPROOF of section 2.1.4.1."""
    if first == len(leaves):
        return [] if known else [tree(leaves)]
    k = split(len(leaves))
    if first <= k:
        return [*subproof(first, leaves[:k], known=known), tree(leaves[k:])]
    return [*subproof(first - k, leaves[k:], known=False), tree(leaves[:k])]


def split(size: int) -> int:
    return 1 << (size - 1).bit_length() - 1


def inclusions() -> list[Inclusion]:
    return [
        *(each for at in [(0, 1), (0, 8), (5, 8), (2, 3), (1, 5)] for each in spoiled_path(*at)),
        *(
            Inclusion(index, size, root, leaf, [])
            for index, size in [(0, 0), (0, 1), (1, 0), (2, 1)]
            for root, leaf in [(EMPTY, b""), (b"", RANDOM), (EMPTY, RANDOM)]
        ),
        *(
            Inclusion(0, 1, root, leaf, [], holds=root == leaf == DATA)
            for root in (DATA, b"")
            for leaf in (DATA, b"")
        ),
    ]


def spoiled_path(index: int, size: int) -> Iterator[Inclusion]:
    """Yield a valid proof, and then every spoiled form of it."""
    proof = path(index, LEAVES[:size])
    root, leaf = tree(LEAVES[:size]), hashed(LEAVES[index])
    good = Inclusion(index, size, root, leaf, proof, holds=True)
    yield good
    bad = replace(good, holds=False)
    for other in (index ^ 2, index + 1, (index - 1) % 2**64):
        yield replace(bad, index=other)
    for other in (size * 2, size // 2):
        yield replace(bad, size=other)
    yield replace(bad, leaf=b"WrongLeaf")
    for other in (EMPTY, RANDOM):
        yield replace(bad, root=other)
    for other in (b"", root):
        yield replace(bad, proof=[other, *proof])
        yield replace(bad, proof=[*proof, other])
    for place in range(len(proof)):
        yield replace(bad, proof=flipped(proof, place, 3))
    if proof:
        yield replace(bad, proof=proof[:-1])
    if len(proof) > 1:
        yield replace(bad, proof=[proof[0], RANDOM, *proof[1:]])


def consistencies() -> list[Consistency]:
    return [
        Consistency(1, 1, tree(LEAVES[:1]), tree(LEAVES[:1]), [], holds=True),
        *(each for at in [(1, 8), (6, 8), (2, 5), (6, 7)] for each in spoiled_growth(*at)),
        Consistency(0, 1, EMPTY, EMPTY, [EMPTY]),
        Consistency(0, 0, EMPTY, OTHER, []),
        Consistency(1, 1, EMPTY, OTHER, []),
        Consistency(2, 1, ONE, OTHER, []),
        Consistency(1, 0, ONE, OTHER, []),
        Consistency(0, 1, ONE, OTHER, []),
        Consistency(0, 1, EMPTY, OTHER, []),
        Consistency(1, 1, OTHER, OTHER, [], holds=True),
        Consistency(1, 1, ONE, OTHER, []),
        Consistency(0, 0, ONE, ONE, []),
        Consistency(0, 0, ONE, OTHER, []),
        Consistency(1, 2, ONE, OTHER, []),
        Consistency(1, 1, EMPTY, EMPTY, [EMPTY]),
        Consistency(0, 0, EMPTY, EMPTY, [EMPTY]),
    ]


def spoiled_growth(first: int, second: int) -> Iterator[Consistency]:
    """Yield a valid proof, and then every spoiled form of it."""
    proof = subproof(first, LEAVES[:second], known=True)
    before, after = tree(LEAVES[:first]), tree(LEAVES[:second])
    good = Consistency(first, second, before, after, proof, holds=True)
    yield good
    bad = replace(good, holds=False)
    for other in (first ^ 2, first + 1, first - 1):
        yield replace(bad, first=other)
    for other in (second * 2, second // 2):
        yield replace(bad, second=other)
    yield replace(bad, first_root=b"WrongRoot")
    yield replace(bad, second_root=b"WrongRoot")
    yield replace(bad, first_root=after, second_root=before)
    for changed in ([], proof[:-1], [b"", *proof], [*proof, b""], [proof[0], *proof]):
        yield replace(bad, proof=changed)
    for root in (before, after):
        yield replace(bad, proof=[root, *proof])
        yield replace(bad, proof=[*proof, root])
    for place in range(len(proof)):
        yield replace(bad, proof=flipped(proof, place, 4))


def flipped(proof: list[bytes], place: int, bit: int) -> list[bytes]:
    hash_ = bytearray(proof[place])
    hash_[0] ^= 1 << bit
    return [*proof[:place], bytes(hash_), *proof[place + 1 :]]


def digest(vectors: list[list[object]]) -> str:
    """Hash all vectors, sorted. Each has its fields in order, with hashes in hexadecimal."""
    lines = sorted(json.dumps(vector) for vector in vectors)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def in_hex(vector: Inclusion | Consistency) -> list[object]:
    """Return the fields in the form that `digest` expects."""
    return [
        value.hex()
        if isinstance(value, bytes)
        else [each.hex() for each in value]
        if isinstance(value, list)
        else value
        for value in vars(vector).values()
    ]
