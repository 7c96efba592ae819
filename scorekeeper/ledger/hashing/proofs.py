"""Proofs over the tree of a ledger, as in RFC 9162, section 2.1: which hashes, and how to check.

Leaves are counted from 0 here, as the RFC does: the leaf of position p has the index p - 1. A
proof is a list of hashes in the RFC's order. A range is a pair of leaf indices, the end excluded.
"""

from collections.abc import Iterator, Sequence

from scorekeeper.ledger.hashing.hashes import HASH_SIZE, node_hash

Range = tuple[int, int]


def inclusion_path(index: int, size: int) -> list[Range]:
    """The ranges whose roots prove that the leaf `index` is in the tree of `size` (2.1.3.1)."""
    if not 0 <= index < size:
        raise ValueError(f"a tree of {size} leaves has no leaf {index}")
    path: list[Range] = []
    start, end = 0, size
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            path.append((middle, end))
            end = middle
        else:
            path.append((start, middle))
            start = middle
    return path[::-1]


def consistency_path(first: int, second: int) -> list[Range]:
    """The ranges whose roots prove that a tree grew from size `first` to `second` (2.1.4.1).

    Empty where the sizes are equal, and from size 0, which every tree has grown from.
    """
    if not 0 <= first <= second:
        raise ValueError(f"a tree does not grow from {first} to {second} leaves")
    path: list[Range] = []
    if first == 0:
        return path
    start, end = 0, second
    while first != end:
        middle = start + _split(end - start)
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
    """The full subtrees that a range of a tree is made of, as height and index, from the left.

    The range must be one of a proof, or begin at 0: then the sizes shrink from left to right.
    """
    while start < end:
        height = (end - start).bit_length() - 1
        yield height, start >> height
        start += 1 << height


def join(roots: Sequence[bytes]) -> bytes:
    """The root over neighbouring subtrees of shrinking sizes; at least one."""
    root = roots[-1]
    for left in reversed(roots[:-1]):
        root = node_hash(left, root)
    return root


def verify_inclusion(
    leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes
) -> bool:
    """Whether the proof shows that `leaf` has this index under `root` (2.1.3.2)."""
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
    """Whether the proof shows that the tree of `second` leaves extends that of `first` (2.1.4.2).

    Never for a first size of 0: such a tree has one root, and there is nothing to prove.
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


def _split(size: int) -> int:
    """The largest power of two below `size`."""
    return 1 << (size - 1).bit_length() - 1
