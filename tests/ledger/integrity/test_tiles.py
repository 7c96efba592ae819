import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.ledger.merkle_tree import TileAddress, bundle, parse_address, width_at


@pytest.mark.parametrize(
    ("path", "address"),
    [
        ("0/000", TileAddress(0, 0)),
        ("0/x001/x234/067", TileAddress(0, 1234067)),
        ("63/x001/000.p/1", TileAddress(63, 1000, 1)),
        ("entries/273.p/112", TileAddress(None, 273, 112)),
        ("entries/999", TileAddress(None, 999)),
    ],
)
def test_addresses_as_the_specification_spells_them(path, address):
    assert parse_address(path) == address
    assert address.path() == path


@pytest.mark.parametrize(
    "path",
    [
        "",
        "0",
        "0/",
        "0/0",
        "0/00",
        "0/0000",
        "00/000",
        "64/000",
        "-1/000",
        "x/000",
        "0/x000/001",
        "0/001/001",
        "0/x001",
        "0/000.p/0",
        "0/000.p/01",
        "0/000.p/256",
        "0/000.p/",
        "0/000.p",
        "/0/000",
        "0/000/",
        "0/٠٠٠",
        "Entries/000",
        "0/" + "x001/" * 40 + "000",
    ],
)
def test_what_is_no_address(path):
    assert parse_address(path) is None


@given(st.none() | st.integers(0, 63), st.integers(0, 2**40), st.integers(1, 256))
def test_every_tile_has_one_address(level, number, width):
    address = TileAddress(level, number, width)
    assert parse_address(address.path()) == address


def test_the_tiles_of_a_tree_of_70000():
    assert [width_at(0, number, 70_000) for number in (0, 272, 273, 274)] == [256, 256, 112, 0]
    assert [width_at(1, number, 70_000) for number in (0, 1, 2)] == [256, 17, 0]
    assert [width_at(2, number, 70_000) for number in (0, 1)] == [1, 0]
    assert width_at(3, 0, 70_000) == 0


def test_the_tiles_of_trees_at_the_edge():
    assert width_at(0, 0, 0) == 0
    assert [width_at(0, 0, 256), width_at(0, 1, 256), width_at(1, 0, 256)] == [256, 0, 1]


def test_a_bundle_has_lengths_of_two_bytes():
    assert bundle([b"ab", b"", b"c" * 258]) == b"\x00\x02ab\x00\x00\x01\x02" + b"c" * 258
