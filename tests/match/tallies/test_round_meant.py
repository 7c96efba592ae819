"""A tally or a deal may say which round it means, so that no round is counted twice or left out."""

import msgspec
import pytest

from scorekeeper.match.events.events import RoundTallied, decode, encode
from scorekeeper.match.events.refusal import Refusal
from tests.match.amending import amends
from tests.match.story import given, tally
from tests.match.table import first, start, told


def meant(round_: int, *winners: str, **hands: int) -> RoundTallied:
    return msgspec.structs.replace(tally(*winners, **hands), round=round_)


def starts(round_: int):
    return told("round_started", round=round_)


def taken(round_: int, next_: int, index: int = 0) -> Refusal:
    facts = {"round": round_, "next": next_}
    return Refusal(code="round-taken", facts=facts, event_index=index)


def not_reached(round_: int, next_: int, index: int = 0) -> Refusal:
    facts = {"round": round_, "next": next_}
    return Refusal(code="round-not-reached", facts=facts, event_index=index)


@pytest.fixture
def match():
    """One round is over."""
    return given("basic", 2, dealer="ann").when(tally("ann", bo=30))


class TestBetweenRounds:
    def test_the_next_is_told_or_begun(self, match):
        match.when(meant(2, "bo", ann=7)).then(round=2).then_totals(ann=7, bo=30)
        match.when(starts(2)).then(round=2, phase="turning")

    def test_one_that_is_there_already(self, match):
        assert match.refuses(meant(1, "ann", bo=30)) == taken(1, 2)
        assert match.refuses(starts(1)) == taken(1, 2)

    def test_one_that_is_still_to_come(self, match):
        assert match.refuses(meant(3, "bo", ann=7)) == not_reached(3, 2)
        assert match.refuses(starts(3)) == not_reached(3, 2)

    def test_it_is_looked_at_before_the_rules(self, match):
        assert match.refuses(meant(1, "nobody-we-know")) == taken(1, 2)
        assert match.refuses(meant(2, "nobody-we-know")).code == "impossible-event"

    def test_of_a_match_that_is_over(self):
        match = given("basic", 2, target=20).when(tally("ann", bo=30)).then(status="won")
        assert match.refuses(meant(1, "ann", bo=30)) == taken(1, 2)
        assert match.refuses(meant(2, "ann", bo=30)).reason == "wrong-phase"


class TestWhileARoundIsPlayed:
    def test_a_tally_is_of_that_round(self, match):
        playing = match.when(starts(2), first("red-5")).then(round=2, phase="playing")
        playing.when(meant(2, "bo", ann=7)).then(round=2).then_totals(ann=7, bo=30)
        assert playing.refuses(meant(1, "bo", ann=7)) == taken(1, 2)
        assert playing.refuses(meant(3, "bo", ann=7)) == not_reached(3, 2)

    def test_who_begins_it_again_is_told_that_it_is_taken(self, match):
        playing = match.when(starts(2))
        assert playing.refuses(starts(2)) == taken(2, 3)
        assert playing.refuses(starts(3)).reason == "wrong-phase"

    @pytest.mark.parametrize("redealt", [True, False])
    def test_one_that_was_broken_off_keeps_its_number(self, redealt):
        match = start("basic", 2).when(told("round_voided", reason="spilt", redealt=redealt))
        assert match.refuses(meant(1, "ann", bo=3)) == taken(1, 2)
        match.when(meant(2, "ann", bo=3)).then(round=2)


class TestAmended:
    def test_one_that_was_taken_back_is_the_next_again(self, match):
        match = match.when(amends(2, 1)).then(round=0)
        assert match.refuses(meant(2, "bo", ann=7)) == not_reached(2, 1)
        match.when(meant(1, "bo", ann=7)).then_totals(ann=7, bo=0)

    def test_what_is_inserted_stands_where_it_stands(self):
        with pytest.raises(msgspec.ValidationError):
            told(
                "log_amended",
                reason="x",
                **{"from": 2, "insert": [{"type": "round_started", "round": 1}]},
            )


class TestSeveralAtOnce:
    def test_each_is_held_against_the_match_as_it_goes(self, match):
        match.when(meant(2, "ann", bo=1), meant(3, "ann", bo=2)).then(round=3)
        assert match.refuses(meant(2, "ann", bo=1), meant(2, "ann", bo=2)) == taken(2, 3, 1)
        assert match.refuses(meant(2, "ann", bo=1), meant(4, "ann", bo=2)) == not_reached(4, 3, 1)

    def test_one_begun_and_told_in_one_go(self, match):
        match.when(starts(2), first("red-5"), meant(2, "ann", bo=1), starts(3)).then(round=3)


def test_it_is_no_part_of_what_is_kept(match):
    event = meant(2, "bo", ann=7)
    assert encode(event) == encode(msgspec.structs.replace(event, round=None))
    assert decode(encode(event)).round is None
    assert match.when(event).added[0].event.round is None


@pytest.mark.parametrize("number", [0, -1, 2**53 + 1, "2", 1.5, True])
def test_what_is_no_number_of_a_round(number):
    with pytest.raises(msgspec.ValidationError):
        starts(number)
