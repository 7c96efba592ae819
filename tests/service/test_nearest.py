"""What was probably meant by a name that nothing has."""

import pytest

from scorekeeper.editions.registry import latest
from scorekeeper.service.slugs import MOST_COMPARED, near, nearest

BASIC = latest("basic")
assert BASIC is not None
CARDS = list(BASIC.deck.value)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("Red-9", ["red-9"]),
        ("red 9", ["red-9"]),
        ("RED_9", ["red-9"]),
        ("red9", ["red-9"]),
        ("rde-9", ["red-9"]),
        ("grren-skip", ["green-skip"]),
        ("Wild Draw Four", ["wild-draw-four"]),
        ("draw-four", ["wild-draw-four"]),
        ("dragon", []),
        ("", []),
    ],
)
def test_a_card_that_is_spelled_otherwise_is_known(name, meant):
    assert nearest(name, CARDS) == meant


def test_of_names_as_near_as_each_other_all_are_named_three_at_the_most():
    assert nearest("an", ["ann", "ana", "bo"]) == ["ann", "ana"]
    assert len(nearest("cup-t0", [f"cup-t{number}" for number in range(1, 9)])) == 3


def test_nothing_near_is_no_fact():
    assert near("oma-id", ["oma-ida", "bo"]) == {"nearest": ["oma-ida"]}
    assert near("zoe", ["oma-ida", "bo"]) == {}


def test_no_more_names_are_looked_at_than_are_bounded():
    def endless():
        yield from (f"player-{number}" for number in range(MOST_COMPARED))
        raise AssertionError

    assert nearest("player-7", endless()) == ["player-7"]
