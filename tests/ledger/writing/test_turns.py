"""Which ledgers are written next: small requests share a turn, large ones have theirs alone."""

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from scorekeeper.ledger.writing.commit_queue import Turns, WaitingRequest, WaitingWork
from tests.ledger.asking import noting

LARGE = 1_000


@dataclass(eq=False)
class Asked:
    """A request that waits for a turn. `weight` 0 stands for other work."""

    league: str
    weight: int
    has_left: bool = False

    def waiting(self):
        if self.weight == 0:
            return WaitingWork(lambda connection: None, lambda outcome: None, self.left)
        request = replace(noting("match:one", league=self.league), weight=self.weight)
        return WaitingRequest(request, lambda outcome: None, self.left)

    def left(self):
        return self.has_left


def waiting_for(turns, *asked):
    by_waiting = {}
    for each in asked:
        waiting = each.waiting()
        by_waiting[id(waiting)] = (each, waiting)
        turns.add(each.league, waiting)
    return by_waiting


def taken(turns, known):
    """Take the next turn, and return who is in it."""
    turn = turns.take()
    if isinstance(turn, WaitingWork):
        return [known[id(turn)][0]]
    assert all(turn.values())
    return [known[id(waiting)][0] for group in turn.values() for waiting in group]


def all_turns(turns, known):
    order = []
    while turns:
        order.append(taken(turns, known))
    return order


def test_small_requests_of_several_ledgers_share_a_turn():
    asked = [Asked(league, 1) for league in "abcabc"]
    turns = Turns()
    [turn] = all_turns(turns, waiting_for(turns, *asked))
    assert sorted(one.league for one in turn) == sorted("abcabc")


def test_a_large_request_has_its_turn_alone_and_then_the_others_come_first():
    large = [Asked(league, LARGE) for league in "abc"]
    small = [Asked("x", 1), Asked("y", 1)]
    turns = Turns()
    known = waiting_for(turns, *large, *small)
    assert taken(turns, known) == [large[0]]
    assert taken(turns, known) == small
    assert taken(turns, known) == [large[1]]
    known |= waiting_for(turns, again := Asked("x", 1))
    assert taken(turns, known) == [again]
    assert all_turns(turns, known) == [[large[2]]]


def test_large_requests_of_one_ledger_are_one_turn_up_to_a_bound():
    asked = [Asked("a", LARGE) for _ in range(5)]
    turns = Turns()
    assert [len(turn) for turn in all_turns(turns, waiting_for(turns, *asked))] == [3, 2]


@given(
    st.lists(
        st.builds(
            Asked,
            st.sampled_from("abcdef"),
            st.sampled_from([0, 1, 1, 1, 63, 64, 65, LARGE]),
            st.booleans(),
        ),
        max_size=60,
    )
)
def test_everybody_has_one_turn_in_the_order_of_their_ledger(asked):
    turns = Turns()
    order = all_turns(turns, waiting_for(turns, *asked))
    assert len(turns) == 0
    served = [one for turn in order for one in turn]
    for league in "abcdef":
        expected = [one for one in asked if one.league == league and not one.has_left]
        assert [one for one in served if one.league == league] == expected
    for turn in order:
        if len({one.league for one in turn}) > 1:
            assert all(0 < one.weight <= 64 for one in turn)
        assert all(one.weight for one in turn) or len(turn) == 1
