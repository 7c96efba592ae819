from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.ledger.merkle_tree import EMPTY_ROOT, body_digest, grow, leaf_hash, tree_root
from tests.ledger.asking import merkle_root
from tests.ledger.integrity.published_vectors import LEAVES, ROOTS


def test_the_tree_of_nothing_has_the_hash_of_nothing():
    assert tree_root(b"") == EMPTY_ROOT == sha256(b"").digest()


@pytest.mark.parametrize("size", range(1, 9))
def test_published_roots(size):
    leaves = [leaf_hash(leaf) for leaf in LEAVES[:size]]
    assert tree_root(grow(b"", 0, leaves)).hex() == ROOTS[size - 1]


@given(st.integers(0, 200), st.integers(0, 200))
def test_a_frontier_grows_in_any_steps_to_the_tree_of_the_rfc(first, more):
    leaves = [leaf_hash(number.to_bytes(2, "big")) for number in range(first + more)]
    frontier = grow(grow(b"", 0, leaves[:first]), first, leaves[first:])
    assert len(frontier) == 32 * (first + more).bit_count()
    assert tree_root(frontier) == merkle_root(leaves)


def test_a_digest_is_salted():
    assert body_digest(b"salt", b"body") == sha256(b"saltbody").digest()
