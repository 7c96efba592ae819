"""The hashes of the ledger: leaves and tree as in RFC 9162, section 2.1.1, and salted digests."""

from collections.abc import Iterable, Sequence
from hashlib import sha256

HASH_SIZE = 32
EMPTY_ROOT = sha256(b"").digest()


def leaf_hash(header: bytes) -> bytes:
    """The hash of a header as a leaf, which is also what the stream's next header links to."""
    return sha256(b"\x00" + header).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def nodes_over(hashes: Sequence[bytes]) -> list[bytes]:
    """The nodes right above hashes of one level, of which there is an even number."""
    pairs = iter(hashes)
    return [
        sha256(b"\x01" + left + right).digest() for left, right in zip(pairs, pairs, strict=True)
    ]


def body_digest(salt: bytes, body: bytes) -> bytes:
    """The digest that a header keeps of its event's content."""
    return sha256(salt + body).digest()


def grow(frontier: bytes, size: int, leaves: Iterable[bytes]) -> bytes:
    """The frontier of a tree of `size` leaves after more `leaves`.

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
    """The root of the tree that has this frontier."""
    if not frontier:
        return EMPTY_ROOT
    roots = [frontier[at : at + HASH_SIZE] for at in range(0, len(frontier), HASH_SIZE)]
    root = roots.pop()
    while roots:
        root = node_hash(roots.pop(), root)
    return root
