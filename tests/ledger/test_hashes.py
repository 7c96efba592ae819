from hashlib import sha256

import pytest
from asking import merkle_root
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.ledger.hashes import EMPTY_ROOT, body_digest, grow, leaf_hash, tree_root

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
