"""Which sums of points a number of cards can have, compared with trying all combinations."""

from itertools import combinations

from hypothesis import given as over
from hypothesis import strategies as st

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.match.knowledge import groups, reach
from scorekeeper.rules.cards import Box

GROUPS = st.dictionaries(
    st.sampled_from([0, 1, 2, 3, 7, 9, 20, 50]), st.integers(1, 3), min_size=1, max_size=4
).map(lambda found: tuple(sorted(found.items())))


@over(GROUPS, st.integers(0, 120), st.integers(0, 13), st.integers(0, 13) | st.none())
def test_as_if_counted_out(cards, points, at_least, at_most):
    laid_out = [value for value, count in cards for _ in range(count)]
    truth = any(
        sum(some) == points
        for size in range(at_least, min(len(laid_out), 99 if at_most is None else at_most) + 1)
        for some in combinations(laid_out, size)
    )
    assert reach(cards).holds(points, at_least=at_least, at_most=at_most) is truth


def test_the_whole_box_and_no_more():
    for edition in EDITIONS.values():
        box = edition.box({})
        whole = groups(box, {})
        assert sum(count for _, count in whole) == box.size
        points = sum(worth * count for worth, count in whole)
        assert reach(whole).holds(points, at_least=1, at_most=None)
        assert not reach(whole).holds(points + 1, at_least=1, at_most=None)
        assert reach(whole).holds(0, at_least=4, at_most=4)
        assert not reach(whole).holds(0, at_least=5, at_most=None)


def test_what_lies_elsewhere_is_not_there():
    box = Box(counts={"red-1": 2, "wild": 1}, points={"red-1": 1, "wild": 50})
    assert groups(box, {"red-1": 1, "wild": 1}) == ((1, 1),)
    assert groups(box, {}) == ((1, 2), (50, 1))


def test_of_what_lies_more_often_than_the_box_has_none_is_left():
    """An amended reading can name more copies of a card than the box has."""
    box = Box(counts={"red-1": 2, "wild": 1}, points={"red-1": 1, "wild": 50})
    assert groups(box, {"red-1": 3}) == groups(box, {"red-1": 2})
    assert reach(groups(box, {"red-1": 3})).holds(50, at_least=1, at_most=1)
