from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.ledger.merkle_tree import (
    EMPTY_ROOT,
    consistency_path,
    full_subtrees,
    inclusion_path,
    join,
    leaf_hash,
    verify_consistency,
    verify_inclusion,
)
from tests.ledger.integrity.published_vectors import (
    PUBLISHED,
    consistencies,
    digest,
    in_hex,
    inclusions,
    path,
    subproof,
    tree,
)

INCLUSIONS, CONSISTENCIES = inclusions(), consistencies()


@pytest.mark.parametrize(
    ("name", "vectors"), [("inclusion", INCLUSIONS), ("consistency", CONSISTENCIES)]
)
def test_the_vectors_are_the_published_ones(name, vectors):
    assert len(vectors) == 98
    assert digest([in_hex(each) for each in vectors]) == PUBLISHED[name]


@pytest.mark.parametrize("vector", INCLUSIONS)
def test_published_inclusion_proofs(vector):
    holds = verify_inclusion(vector.leaf, vector.index, vector.size, vector.proof, vector.root)
    assert holds is vector.holds


@pytest.mark.parametrize("vector", CONSISTENCIES)
def test_published_consistency_proofs(vector):
    holds = verify_consistency(
        vector.first, vector.second, vector.first_root, vector.second_root, vector.proof
    )
    assert holds is vector.holds


def leaves(size):
    return [str(number).encode() for number in range(size)]


def roots(size, ranges):
    """The roots of ranges, each put together from full subtrees."""
    of = leaves(size)
    return [
        join([tree(of[i << height : (i + 1) << height]) for height, i in full_subtrees(*each)])
        for each in ranges
    ]


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n - 1), st.just(n))))
def test_a_path_is_that_of_the_rfc_and_proves_its_leaf_and_no_other(place):
    index, size = place
    proof = roots(size, inclusion_path(index, size))
    assert proof == path(index, leaves(size))
    root = tree(leaves(size))
    for leaf in {0, index, size - 1}:
        of_this = leaf_hash(leaves(size)[leaf])
        assert verify_inclusion(of_this, index, size, proof, root) is (leaf == index)


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(1, n), st.just(n))))
def test_growth_is_proved_as_in_the_rfc(sizes):
    first, second = sizes
    proof = roots(second, consistency_path(first, second))
    assert proof == subproof(first, leaves(second), known=True)
    before, after = tree(leaves(first)), tree(leaves(second))
    assert verify_consistency(first, second, before, after, proof)
    other = sha256(before).digest()
    assert not verify_consistency(first, second, other, after, proof)
    assert not verify_consistency(first, second, before, other, proof)


@given(st.integers(0, 2**62))
def test_everything_has_grown_from_nothing_which_needs_no_proof(size):
    assert consistency_path(0, size) == consistency_path(size, size) == []
    assert not verify_consistency(0, size, EMPTY_ROOT, EMPTY_ROOT, [])


def test_there_is_no_path_to_a_leaf_beyond_the_tree():
    for index, size in [(0, 0), (1, 1), (-1, 4), (5, 4)]:
        with pytest.raises(ValueError, match="has no leaf"):
            inclusion_path(index, size)


def test_no_tree_shrinks():
    for first, second in [(1, 0), (5, 4), (-1, 4)]:
        with pytest.raises(ValueError, match="does not grow"):
            consistency_path(first, second)


@given(st.integers(1, 2**40))
def test_a_tree_is_made_of_one_full_subtree_for_each_bit_of_its_size(size):
    subtrees = list(full_subtrees(0, size))
    assert sum(1 << height for height, _ in subtrees) == size
    assert len(subtrees) == size.bit_count()
    at = 0
    for height, index in subtrees:
        assert index << height == at
        at += 1 << height
