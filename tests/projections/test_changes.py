"""What differs between two readings."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import astuple

from scorekeeper.projections.changes import changes
from tests.pointers import applied, leaves

NAMES = st.sampled_from(["a", "b", "a/b", "m~n", ""])
LEAVES = st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "x", "0"])
DOCUMENTS = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3)
)


class Hand(Struct, omit_defaults=True):
    known: tuple[str, ...]
    points: int | None = None


def between(before, after):
    return [astuple(change) for change in changes(before, after)]


def test_every_leaf_that_differs_in_the_order_of_the_reading():
    before = {"totals": {"bo": 10, "ann": 5}, "turn": "ann", "round": 2}
    after = {"turn": None, "round": 2, "totals": {"ann": 7, "cy": 0, "bo": 20}}
    assert between(before, after) == [
        ("/totals/bo", 10, 20),
        ("/totals/ann", 5, 7),
        ("/totals/cy", None, 0),
        ("/turn", "ann", None),
    ]


def test_lists_go_by_index():
    assert between({"w": []}, {"w": ["ann", "bo"]}) == [("/w/0", None, "ann"), ("/w/1", None, "bo")]
    assert between({"w": ["ann", "bo"]}, {"w": ["bo"]}) == [
        ("/w/0", "ann", "bo"),
        ("/w/1", "bo", None),
    ]


def test_structs_are_read_as_they_are_sent():
    assert between({"bo": Hand(("red-5",))}, {"bo": Hand((), points=7)}) == [
        ("/bo/known/0", "red-5", None),
        ("/bo/points", None, 7),
    ]


def test_what_takes_the_place_of_a_leaf():
    assert between({"hand": None}, {"hand": {"points": 7}}) == [("/hand/points", None, 7)]
    assert between({"hand": "?"}, {"hand": {"points": 7}}) == [
        ("/hand", "?", None),
        ("/hand/points", None, 7),
    ]


def test_an_empty_list_an_empty_object_and_nothing_have_no_leaves():
    assert between({"a": [], "b": {}, "c": None}, {"d": [[]]}) == []


def test_names_are_escaped():
    assert between({}, {"a/b": {"m~n": 1}}) == [("/a~1b/m~0n", None, 1)]


@given(before=DOCUMENTS, after=DOCUMENTS)
def test_they_lead_from_the_one_to_the_other_and_are_no_more_than_that(before, after):
    found = list(changes(before, after))
    assert applied(leaves(before), found) == leaves(after)
    assert [change for change in found if change.before == change.after] == []
    assert {change.at: change.before for change in found} == {
        change.at: leaves(before).get(change.at) for change in found
    }
    assert len({change.at for change in found}) == len(found)
