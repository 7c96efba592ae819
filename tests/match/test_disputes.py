"""Disputes: a claim against the log, and the ruling on it."""

import pytest

from scorekeeper.match.events.refusal import Refusal
from tests.match.amending import amends, note, three_rounds
from tests.match.story import Story, given, tally
from tests.match.table import told


class TestDisputes:
    def disputed(self) -> Story:
        return three_rounds().when(
            told("dispute_opened", by="bo", round=2, entry=4, claim="I had two cards")
        )

    def test_a_dispute_is_open_until_it_is_ruled_on(self):
        match = self.disputed().then(version=8, open_disputes=1).then_totals(ann=0, bo=90)
        match = match.when(told("dispute_ruled", dispute=8, ruling="rejected", reason="seen"))
        match.then(open_disputes=0)
        again = told("dispute_ruled", dispute=8, ruling="upheld", reason="seen better")
        assert match.refuses(again).code == "dispute-closed"

    def test_a_ruling_and_its_amendment_in_one_append(self):
        match = self.disputed().when(
            told("dispute_ruled", dispute=8, ruling="upheld", reason="two cards"),
            amends(4, 1, tally("ann", bo=15), dispute=8),
        )
        match.then(open_disputes=0, amendments=1).then_totals(ann=0, bo=75)

    def test_nothing_is_amended_for_a_rejected_dispute(self):
        ruling = told("dispute_ruled", dispute=8, ruling="rejected", reason="seen")
        refused = self.disputed().refuses(ruling, amends(4, 1, dispute=8))
        assert (refused.code, refused.event_index) == ("dispute-closed", 1)

    @pytest.mark.parametrize(
        ("event", "reason"),
        [
            (told("dispute_opened", by="zoe", round=1, claim="x"), "player-not-in-match"),
            (told("dispute_opened", by="bo", round=4, claim="x"), "no-such-round"),
            (told("dispute_opened", by="bo", round=1, entry=8, claim="x"), "no-such-entry"),
            (
                told(
                    "dispute_opened",
                    by="bo",
                    round=1,
                    entry={"amendment": 2, "index": 0},
                    claim="x",
                ),
                "no-such-entry",
            ),
            (told("dispute_ruled", dispute=4, ruling="upheld", reason="x"), "no-such-dispute"),
            (amends(4, 1, dispute=4), "no-such-dispute"),
        ],
    )
    def test_what_cannot_be_disputed_or_ruled(self, event, reason):
        refused = three_rounds().refuses(event)
        assert isinstance(refused, Refusal)
        assert (refused.code, refused.reason) == ("impossible-event", reason)

    def test_an_inserted_event_can_be_disputed(self):
        match = three_rounds().when(amends(4, 0, tally("bo", ann=1)))
        entry = {"amendment": 8, "index": 0}
        match.when(told("dispute_opened", by="bo", round=2, entry=entry, claim="x"))
        for amendment, index in ((8, 1), (9, 0), (1, 0)):
            entry = {"amendment": amendment, "index": index}
            other = told("dispute_opened", by="bo", round=2, entry=entry, claim="x")
            assert match.refuses(other).reason == "no-such-entry"

    def test_disputes_are_taken_when_all_is_over(self):
        match = given("basic", 2, dealer="ann", target=10).when(tally("ann", bo=12))
        match.then(phase="over").when(
            told("dispute_opened", by="bo", round=1, claim="x"), note()
        ).then(open_disputes=1)
