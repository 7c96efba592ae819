"""The tree of a stored ledger: its roots, proofs and tiles at every size that it had."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import delete, func, insert, select

from scorekeeper.ledger.integrity.tree import LedgerIncomplete, Tree, Trees, stored_nodes
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.ledger.merkle_tree import (
    EMPTY_ROOT,
    TreeBuilder,
    grow,
    leaf_hash,
    root_over,
    verify_consistency,
    verify_inclusion,
    width_at,
)
from scorekeeper.ledger.tables import events, tree_nodes
from tests.ledger.asking import LEAGUE, merkle_root, noting, opening, whole

SIZE = 1_100


@pytest.fixture
def long(ledger, run):
    """A ledger of SIZE entries, and their leaf hashes."""
    run(ledger.append(noting("match:a", SIZE - 1)))
    return ledger, [leaf_hash(entry.header) for entry in run(whole(ledger))]


def test_roots_at_past_sizes_are_those_of_the_rfc(long, run):
    ledger, leaves = long
    trees = Trees(ledger)
    for size in (0, 1, 2, 255, 256, 257, 511, 512, 1000, SIZE):
        assert run(trees.read(LEAGUE, size, lambda tree: tree.root())) == merkle_root(leaves[:size])


def test_every_proof_verifies(long, run):
    ledger, leaves = long

    def check(tree):
        for size in (1, 255, 256, 700, SIZE):
            at = Tree(tree._connection, LEAGUE, size)
            root = merkle_root(leaves[:size])
            for index in {0, 1, 254, 255, 256, 511, size // 2, size - 1} & set(range(size)):
                assert at.leaf(index) == leaves[index]
                assert verify_inclusion(leaves[index], index, size, at.inclusion(index), root)
            for first in {1, 128, 255, 256, 257, size} & set(range(1, size + 1)):
                before = merkle_root(leaves[:first])
                proof = at.consistency(first)
                assert verify_consistency(first, size, before, root, proof)

    run(Trees(ledger).read(LEAGUE, SIZE, check))


def test_an_empty_tree_has_the_empty_root_and_no_tiles(long, run):
    ledger, _ = long
    root, tile = run(Trees(ledger).read(LEAGUE, 0, lambda tree: (tree.root(), tree.tile(0, 0))))
    assert root == EMPTY_ROOT
    assert list(tile) == []


def test_tiles_hold_the_hashes_of_their_level(long, run):
    ledger, leaves = long

    def tiles(tree):
        return {at: list(tree.tile(*at)) for at in [(0, 0), (0, 4), (1, 0)]}

    found = run(Trees(ledger).read(LEAGUE, SIZE, tiles))
    assert found[0, 0] == leaves[:256]
    assert found[0, 4] == leaves[1024:]
    assert found[1, 0] == [merkle_root(leaves[at : at + 256]) for at in range(0, 1024, 256)]


def test_nodes_are_kept_once_asked_for_and_read_from_then_on(long, run):
    ledger, leaves = long

    def count(connection):
        return connection.execute(select(func.count()).select_from(tree_nodes)).scalar()

    assert run(ledger.read(count)) == 0  # appending writes none
    run(Trees(ledger).read(LEAGUE, 600, lambda tree: tree.root()))
    assert run(ledger.read(count)) == 2
    run(Trees(ledger).read(LEAGUE, SIZE, lambda tree: tree.root()))
    kept = run(ledger.read(lambda connection: list(stored_nodes(connection, LEAGUE))))
    assert kept == [
        (1, number, merkle_root(leaves[number * 256 : (number + 1) * 256])) for number in range(4)
    ]
    # What lies below a kept node is not read again.
    gone = delete(events).where(events.c.league == LEAGUE, events.c.position <= 1024)
    run(ledger.transact(LEAGUE, lambda connection: connection.execute(gone)))
    assert run(Trees(ledger).read(LEAGUE, SIZE, lambda tree: tree.root())) == merkle_root(leaves)


def test_reading_alone_needs_no_kept_nodes(long, run, database_url):
    _, leaves = long
    beside = run(Ledger.open_to_read(database_url))
    try:
        root = run(beside.read(lambda connection: Tree(connection, LEAGUE, SIZE).root()))
        assert root == merkle_root(leaves)
    finally:
        run(beside.close())


def test_a_node_that_got_lost_is_worked_out(long, run):
    ledger, leaves = long
    run(Trees(ledger).read(LEAGUE, SIZE, lambda tree: tree.root()))
    gone = delete(tree_nodes).where(tree_nodes.c.number == 1)
    run(ledger.transact(LEAGUE, lambda connection: connection.execute(gone)))
    assert run(Trees(ledger).read(LEAGUE, SIZE, lambda tree: tree.root())) == merkle_root(leaves)


def test_entries_that_are_not_there_are_told(long, run):
    ledger, _ = long
    gone = delete(events).where(events.c.position == 1_090)
    run(ledger.transact(LEAGUE, lambda connection: connection.execute(gone)))
    with pytest.raises(LedgerIncomplete, match="75 of the 76 entries from position 1025 to 1100"):
        run(Trees(ledger).read(LEAGUE, SIZE, lambda tree: tree.root()))


def test_two_processes_may_keep_the_same_nodes(long, run):
    ledger, leaves = long
    rows = {"league": LEAGUE, "level": 1, "number": 0, "hash": merkle_root(leaves[:256])}
    one, other = Trees(ledger), Trees(ledger)

    async def both():
        await ledger.transact(
            LEAGUE, lambda connection: connection.execute(insert(tree_nodes), rows)
        )
        return [await trees.read(LEAGUE, SIZE, lambda tree: tree.root()) for trees in (one, other)]

    assert run(both()) == [merkle_root(leaves)] * 2


def test_leagues_have_trees_of_their_own(long, run):
    ledger, _ = long
    run(ledger.append(opening("saturday")))
    run(ledger.append(noting("match:a", 300, league="saturday")))
    leaves = [leaf_hash(entry.header) for entry in run(whole(ledger, "saturday"))]
    root = run(Trees(ledger).read("saturday", 301, lambda tree: tree.root()))
    assert root == merkle_root(leaves)


def grown(leaves, at_once=100):
    tree = TreeBuilder()
    for at in range(0, len(leaves), at_once):
        tree.add(leaves[at : at + at_once])
    return tree


@given(st.integers(0, 1_500), st.integers(1, 600))
def test_a_grown_tree_has_the_frontier_that_the_ledgers_head_has(size, at_once):
    leaves = [leaf_hash(str(number).encode()) for number in range(size)]
    tree = grown(leaves, at_once)
    assert tree.size == size
    assert tree.frontier() == grow(b"", 0, leaves)
    assert list(tree.hashes(1)) == [
        root_over(leaves[at : at + 256]) for at in range(0, size - 255, 256)
    ]
    last = (size - 1) // 256 if size else 0
    assert list(tree.last_tile) == leaves[last * 256 :]


@pytest.mark.slow
@pytest.mark.parametrize("size", [65_535, 65_536, 65_537, 131_400])
def test_a_grown_tree_of_several_levels(size):
    leaves = [leaf_hash(number.to_bytes(4, "big")) for number in range(size)]
    tree = grown(leaves)
    assert tree.frontier() == grow(b"", 0, leaves)
    assert [len(tree.hashes(level)) for level in (1, 2, 3)] == [
        size >> 8 * level for level in (1, 2, 3)
    ]


@pytest.mark.slow
def test_a_stored_tree_of_several_levels(ledger, run):
    for _ in range(70):
        run(ledger.append(noting("match:a", 1_000)))
    leaves = [leaf_hash(entry.header) for entry in run(whole(ledger))]
    size, root = len(leaves), merkle_root(leaves)

    def check(tree):
        assert tree.root() == root
        assert [len(tree.tile(level, 0)) for level in range(3)] == [256, 256, 1]
        assert len(tree.tile(1, 1)) == width_at(1, 1, size)
        for index in (0, 65_535, 65_536, size - 1):
            assert verify_inclusion(leaves[index], index, size, tree.inclusion(index), root)
        before = merkle_root(leaves[:65_537])
        assert verify_consistency(65_537, size, before, root, tree.consistency(65_537))

    run(Trees(ledger).read(LEAGUE, size, check))
