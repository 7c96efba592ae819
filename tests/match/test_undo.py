"""Undo: the last tap is taken back by an amendment."""

from amending import amends, note, three_rounds
from story import Story, given, tally
from table import told

from scorekeeper.match.events import LogAmended
from scorekeeper.match.refusal import Refusal
from scorekeeper.match.undo import undo


class TestUndo:
    def undone(self, match: Story, reason: str | None = None) -> Story:
        amendment = undo(match.state, reason)
        assert isinstance(amendment, LogAmended)
        return match.when(amendment)

    def test_the_last_tap_is_no_remark_no_dispute_and_nothing_inferred(self):
        match = three_rounds().when(note(), told("dispute_opened", by="bo", round=1, claim="no"))
        match = self.undone(match).then(open_disputes=1).then_totals(ann=0, bo=60)
        event = match.added[0].event
        assert (event.first, event.remove, event.reason) == (6, 1, "taken back")
        assert self.undone(match, "slip").added[0].event.reason == "slip"

    def test_what_is_voided_is_not_in_force(self):
        match = given("basic", 2, dealer="ann", target=100)
        match = match.when(tally("ann", bo=30)).when(tally("ann", bo=31))
        match = match.when(amends(2, 1, tally("ann", bo=120))).then(status="won", voided=1)
        undone = self.undone(match).then(status="open", voided=0).then_totals(ann=0, bo=31)
        assert undone.added[0].event.withdraws == (6,)

    def test_an_amendment_that_withdrew_others_stays_withdrawn_with_them(self):
        match = three_rounds().when(amends(8, 0, tally("bo", ann=1)))
        match = match.when(amends(8, 0, tally("bo", ann=2), withdraws=[8]))
        match = self.undone(match).then_totals(ann=0, bo=90)
        assert match.added[0].event.withdraws == (9, 8)

    def test_nothing_is_left(self):
        match = given("basic", 2)
        assert undo(match.state, None) == Refusal(code="nothing-to-undo")
        assert undo(match.when(note()).state, None) == Refusal(code="nothing-to-undo")
