"""Undo takes back the event told last, or a named event, and nothing older."""

import pytest

from scorekeeper.match.events.events import LogAmended
from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.record import Recorded, record, undo, would_void
from tests.match.amending import amends, evening, note, numbers, three_rounds
from tests.match.story import Story, given, tally
from tests.match.table import draw, first, told


def undone(match: Story, reason: str | None = None, of: int | None = None) -> Story:
    amendment = undo(match.state, reason, of=of)
    assert isinstance(amendment, LogAmended), amendment
    return match.when(amendment)


def data(match: Story) -> tuple[object, ...]:
    event = match.added[0].event
    assert isinstance(event, LogAmended)
    assert event.undo
    return (event.first, event.remove, event.insert, event.withdraws)


def nothing(match: Story, of: int | None = None, **facts: object) -> None:
    assert undo(match.state, None, of=of) == Refusal(code="nothing-to-undo", facts=facts)


class TestWhatWasToldLast:
    def test_a_tap_is_removed_with_all_that_was_inferred_for_it(self):
        """Bo's draw was inferred before one of the taps, the end of a round after the other."""
        before = evening()
        assert data(undone(before)) == (5, 1, (), ())
        match = undone(three_rounds()).then_totals(ann=0, bo=60).then(round=2)
        assert data(match) == (6, 1, (), ())

    def test_tap_after_tap(self):
        match = three_rounds()
        for removed, bo in ((6, 60), (4, 30), (2, 0)):
            match = undone(match).then_totals(ann=0, bo=bo)
            assert data(match) == (removed, 1, (), ())
        nothing(match)

    def test_after_the_match_was_won(self):
        match = given("basic", 2, target=20).when(tally("ann", bo=30)).then(status="won")
        undone(match).then(status="open", round=0)

    def test_a_tap_that_came_to_nothing(self):
        match = given("basic", 2, dealer="ann", target=100)
        match = match.when(tally("ann", bo=30), tally("ann", bo=31))
        match = match.when(amends(2, 1, tally("ann", bo=120))).then(status="won", voided=1)
        match = undone(match).then(status="open", voided=0).then_totals(ann=0, bo=61)
        assert data(match) == (None, 0, (), (6,))
        assert data(undone(match)) == (4, 1, (), ())

    @pytest.mark.parametrize(
        "said",
        [
            note(),
            told("dispute_opened", by="bo", round=1, claim="no"),
        ],
    )
    def test_what_is_said_stands_and_nothing_older_goes(self, said):
        match = three_rounds().when(said)
        nothing(match, entry=8, type=said.__struct_config__.tag)

    def test_a_ruling_stands_and_nothing_older_goes(self):
        match = three_rounds().when(told("dispute_opened", by="bo", round=1, claim="no"))
        match = match.when(told("dispute_ruled", dispute=8, ruling="upheld", reason="so"))
        nothing(match, entry=9, type="dispute_ruled")

    def test_what_was_said_before_an_undo_is_met_after_it(self):
        match = three_rounds().when(note(), tally("ann", bo=1))
        nothing(undone(match).then_totals(ann=0, bo=90), entry=8, type="note_added")

    def test_nobody_has_told_anything(self):
        nothing(given("basic", 2))

    def test_the_reason_is_the_one_that_is_given(self):
        assert undone(three_rounds()).added[0].event.reason == "taken back"
        assert undone(three_rounds(), "slip").added[0].event.reason == "slip"


class TestAmendments:
    def test_one_is_withdrawn_whatever_it_did(self):
        before = three_rounds()
        for amendment in (
            amends(2, 1),
            amends(4, 3, tally("bo", ann=1), tally("bo", ann=2)),
            amends(8, 0, tally("bo", ann=1)),
        ):
            match = undone(before.when(amendment))
            assert data(match) == (None, 0, (), (8,))
            assert numbers(match) == numbers(before)
            assert data(undone(match)) == (6, 1, (), ())

    def test_what_it_withdrew_itself_counts_again(self):
        first = three_rounds().when(amends(8, 0, tally("bo", ann=1)))
        match = undone(first.when(amends(8, 0, tally("bo", ann=2), withdraws=[8])))
        assert numbers(match) == numbers(first)
        assert data(undone(match)) == (None, 0, (), (8,))

    def test_a_tap_that_somebody_brought_back_is_taken_back_again(self):
        before = three_rounds()
        match = undone(before).when(amends(withdraws=[8]))
        assert numbers(match) == numbers(before)
        match = undone(match)
        assert data(match) == (None, 0, (), (9,))
        assert data(undone(match)) == (4, 1, (), ())

    def test_what_was_written_so_by_hand_is_an_amendment_as_any_other(self):
        """Undo passes over amendments that undo wrote, but not over an equal one sent by hand."""
        match = three_rounds()
        by_hand = undone(match).added[0].event
        assert isinstance(by_hand, LogAmended)
        match = match.when(amends(by_hand.first, by_hand.remove, reason=by_hand.reason))
        assert data(undone(match)) == (None, 0, (), (8,))

    def test_it_is_known_from_the_log_alone(self):
        match = undone(three_rounds())
        assert undo(match.replayed(), None) == undo(match.state, None)


class TestOneThatIsNamed:
    def test_an_older_tap(self):
        match = undone(three_rounds(), of=2).then_totals(ann=0, bo=60)
        assert data(match) == (2, 1, (), ())
        match = undone(match).then_totals(ann=0, bo=30)
        assert data(match) == (6, 1, (), ())

    def test_one_that_is_taken_back_already(self):
        nothing(undone(three_rounds(), of=2), of=2, entry=2)
        nothing(three_rounds().when(amends(2, 3)), of=4, entry=4)
        nothing(three_rounds().when(note(), amends(6, 3)), of=8, entry=8, type="note_added")
        assert data(undone(undone(three_rounds()).when(amends(withdraws=[8])), of=6))

    @pytest.mark.parametrize("said", [note(), amends(2, 1)])
    def test_only_what_happened_at_the_table(self, said):
        match = three_rounds().when(said)
        nothing(match, of=8, entry=8, type=said.__struct_config__.tag)

    def test_neither_the_opening_nor_what_was_inferred(self):
        match = three_rounds()
        for version, code in ((1, "opening-fixed"), (3, "inferred-not-removable")):
            amendment = undo(match.state, None, of=version)
            assert isinstance(amendment, LogAmended)
            assert match.refuses(amendment).code == code


class TestWhatWouldBecomeVoid:
    def voids(self, match: Story, of: int | None = None) -> list[object]:
        amendment = undo(match.state, None, of=of)
        assert isinstance(amendment, LogAmended)
        recorded = record(match.state, [amendment])
        assert isinstance(recorded, Recorded)
        return [step.address for step in would_void(match.state, recorded)]

    def test_what_rests_on_it(self):
        """Entry 2 dealt the round in which entries 3 and 5 were told."""
        match = evening().when(draw("di"))
        assert self.voids(match, 2) == [3, 5, 6]
        assert self.voids(match, 6) == []

    def test_what_is_void_already_is_no_news(self):
        match = given("basic", 2, dealer="ann", target=100)
        match = match.when(*[tally("ann", bo=60)] * 2).then(status="won")
        match = match.when(amends(2, 0, tally("ann", bo=120))).then(voided=2)
        undone(match, of=2).then(voided=1)
        assert self.voids(match, 2) == []

    def test_what_an_amendment_took_out_is_not_lost_where_it_comes_back_void(self):
        match = given("basic", 2, dealer="ann", target=100)
        match = match.when(tally("ann", bo=60), tally("ann", bo=61)).then(status="won")
        before = match.when(amends(2, 1, tally("ann", bo=120))).then(voided=1)
        match = before.when(amends(4, 1)).then(voided=0)
        assert self.voids(match) == []
        assert numbers(undone(match)) == numbers(before)

    def test_what_was_void_before_an_amendment_may_be_so_again(self):
        match = given("basic", 2, dealer="ann", target=100)
        match = match.when(tally("ann", bo=60), tally("ann", bo=61)).then(status="won")
        before = match.when(amends(2, 1, tally("ann", bo=120))).then(voided=1)
        match = before.when(amends(withdraws=[7])).then(voided=0)
        assert self.voids(match) == []
        assert numbers(undone(match)) == numbers(before)

    def test_what_counted_before_an_amendment_is_lost_with_it(self):
        """The amendment inserted a second deal. Once entry 2 is undone, that deal alone is left."""
        match = given("basic", 2, dealer="ann")
        match = match.when(told("round_started"), first("red-5"))
        match = match.when(amends(2, 0, told("round_started"))).then(voided=1)
        assert self.voids(undone(match, of=2)) == [3]
