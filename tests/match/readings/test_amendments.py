"""An amendment overwrites nothing. From then on the log is read as amended."""

import pytest

from scorekeeper.match.events.events import LogAmended
from scorekeeper.match.events.fields import Inserted
from scorekeeper.match.readings.effective_log import corrected_steps, fold
from scorekeeper.match.record import undo
from scorekeeper.projections.scoreboard import rounds
from tests.match.amending import addresses, amends, evening, note, numbers, three_rounds, voids
from tests.match.story import TEAMS_OF_FOUR, Story, given, sheet, tally, views
from tests.match.table import draw, first, flags, play, start, told


class TestReadingOtherwise:
    @pytest.mark.clause("B-DRAW")
    def test_the_forgotten_draw(self):
        match = evening().then(version=5, draw_pile_count=77)
        match = match.when(amends(5, 0, draw("cy", 1))).then(
            version=6, draw_pile_count=76, amendments=1, voided=0, violations=0
        )
        assert match.types == ["log_amended"]
        assert addresses(match) == [1, 2, 3, 4, Inserted(6, 0), 5]
        assert match.replayed(upto=5).version == 5
        assert Story(match.replayed(upto=5), ()).board.draw_pile_count == 77

    def test_what_is_removed_is_read_as_what_is_inserted(self):
        match = three_rounds().when(amends(2, 1, tally("bo", ann=7)))
        match.then_totals(ann=7, bo=60).then(rounds_won={"ann": 2, "bo": 1})
        assert [one.winners for one in rounds(match.state)] == [("bo",), ("ann",), ("ann",)]
        assert [one.first_version for one in rounds(match.state)] == [2, 4, 6]

    def test_taking_a_tap_back(self):
        match = three_rounds().when(amends(4, 1)).then_totals(ann=0, bo=60)
        assert match.board.round == 2
        assert addresses(match) == [1, 2, 3, 6, None]

    def test_several_entries_are_read_as_others(self):
        match = three_rounds().when(amends(2, 5, sheet("bo", ann=11, bo=0)))
        match.then_totals(ann=11, bo=0).then(round=1)

    def test_inserting_at_the_end_is_inserting_before_the_amendment_itself(self):
        match = three_rounds().when(amends(8, 0, tally("bo", ann=5)))
        match.then_totals(ann=5, bo=90).then(version=8, round=4)

    def test_an_inferred_entry_is_inferred_again_from_what_stands_now(self):
        match = evening().when(amends(3, 1, first("red-5")))
        match.then(draw_pile_count=79, voided=0, violations=1)
        assert addresses(match) == [1, 2, Inserted(6, 0), 5]

    def test_an_inferred_entry_can_be_told_exactly(self):
        match = evening().when(amends(4, 1, draw("bo", cards=["red-1", "red-2"])))
        match.then(draw_pile_count=77, voided=0, violations=0)
        assert addresses(match) == [1, 2, 3, Inserted(6, 0), 5]
        assert match.state.hands["bo"].known == ("red-1", "red-2")

    def test_what_is_only_inferred_cannot_be_removed(self):
        assert evening().refuses(amends(4, 1)).code == "inferred-not-removable"
        assert three_rounds().refuses(amends(3, 1)).code == "inferred-not-removable"
        three_rounds().when(amends(3, 2)).then_totals(ann=0, bo=60)

    def test_the_match_goes_on_from_what_stands_now(self):
        match = evening().when(amends(5, 0, draw("cy", 1))).when(play("di", "red-6"))
        match.then(version=7, turn="ann", draw_pile_count=76)
        assert match.types == ["card_played"]


class TestWhatStays:
    def test_remarks_disputes_and_amendments_inside_a_range_stay(self):
        match = three_rounds().when(
            note(), told("dispute_opened", by="bo", round=1, claim="no"), amends(2, 1)
        )
        match.then(version=10, open_disputes=1, round=2)
        match = match.when(amends(4, 7)).then(open_disputes=1, amendments=2, round=0)
        assert addresses(match) == [1, 8, 9]

    def test_a_range_of_remarks_alone_changes_nothing(self):
        match = three_rounds().when(note())
        assert numbers(match.when(amends(8, 1))) == numbers(match)

    def test_the_opening_is_fixed(self):
        match = three_rounds()
        assert match.refuses(amends(1, 1)).code == "opening-fixed"
        assert match.refuses(amends(1, 3)).code == "opening-fixed"
        assert match.refuses(amends(1, 0, tally("ann", bo=1))).code == "opening-fixed"

    @pytest.mark.parametrize(("first_", "remove"), [(9, 0), (8, 1), (7, 2), (2, 100)])
    def test_only_what_was_recorded_before_can_be_amended(self, first_, remove):
        refused = three_rounds().refuses(amends(first_, remove, tally("ann", bo=1)))
        assert (refused.code, refused.reason) == ("impossible-event", "no-such-entry")


class TestManyAtOnce:
    """The number of amendments in one append is limited by the length of the match.

    The match is read again for each amendment. A thousand of them in a long match would take a
    minute.
    """

    def test_as_many_as_read_no_more_than_the_limit(self, monkeypatch):
        match = three_rounds()
        monkeypatch.setattr("scorekeeper.match.record.MOST_REREAD", 3 * (7 + 4))
        one = amends(7, 0, note())
        match.when(one, one, one, note())
        refused = match.refuses(one, note(), one, one, one)
        assert (refused.code, refused.event_index) == ("too-many-amendments", 3)
        assert refused.facts == {"amendments": 4, "most": 2}

    def test_a_match_of_any_length_takes_one(self, monkeypatch):
        monkeypatch.setattr("scorekeeper.match.record.MOST_REREAD", 1)
        three_rounds().when(amends(7, 0, note()))


class TestManyInForce:
    """The number of amendments in force is limited, since each reading of the match heeds them all.

    Amendments that were withdrawn do not count.
    """

    MOST = "scorekeeper.match.record.MOST_IN_FORCE"

    @pytest.fixture
    def two_of_two(self, monkeypatch):
        """The amendments 8 and 9 are in force, and no more can be."""
        monkeypatch.setattr(self.MOST, 2)
        return three_rounds().when(amends(2, 1)).when(amends(4, 1))

    def test_no_more_than_the_limit(self, two_of_two):
        refused = two_of_two.refuses(note(), amends(7, 0, note()))
        assert (refused.code, refused.reason) == ("too-many-amendments", "in-force")
        assert (refused.event_index, refused.facts) == (1, {"in_force": 2, "most": 2})

    def test_one_that_withdraws_another_takes_its_place(self, two_of_two):
        match = two_of_two.when(amends(6, 1, withdraws=[8])).then_totals(ann=0, bo=30)
        match.when(amends(2, 1, withdraws=[8, 9, 10])).when(amends(6, 1))
        match.refuses(amends(7, 0, note()))

    def test_what_only_withdraws_does_not_count(self, two_of_two):
        match = two_of_two.when(amends(withdraws=[8]), amends(withdraws=[9]))
        match.when(amends(2, 1), amends(4, 1)).refuses(amends(6, 1))

    def test_what_would_come_back_counts(self, two_of_two):
        match = two_of_two.when(amends(withdraws=[8])).when(amends(6, 1))
        assert match.refuses(amends(withdraws=[10])).reason == "in-force"
        match.when(amends(withdraws=[10, 11]))

    def test_undo_is_taken_where_it_withdraws(self, two_of_two):
        back = undo(two_of_two.state, None)
        assert isinstance(back, LogAmended)
        assert back.withdraws == (9,)
        two_of_two.when(back).then_totals(ann=0, bo=60)

    def test_more_that_are_in_force_already_are_read_and_can_become_fewer(self, monkeypatch):
        match = three_rounds().when(amends(2, 1), amends(4, 1), amends(6, 1))
        monkeypatch.setattr(self.MOST, 1)
        assert views(match.replayed()) == views(match.state)
        match.refuses(amends(7, 0, note()))
        match.when(amends(withdraws=[8])).when(amends(2, 1, withdraws=[9]))

    def test_a_short_match_takes_two_hundred_at_once(self):
        match = three_rounds().when(*[amends(7, 0, note())] * 200)
        refused = match.refuses(amends(7, 0, note()))
        assert refused.facts == {"in_force": 200, "most": 200}


class TestOverlaps:
    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ((2, 3), (4, 1)),
            ((4, 1), (2, 3)),
            ((2, 2), (2, 2)),
            ((2, 3), (4, 3)),
            ((2, 3), (4, 0)),
            ((4, 0), (2, 3)),
        ],
    )
    def test_two_amendments_of_the_same_entries(self, one, other):
        match = three_rounds().when(amends(*one, tally("bo", ann=1)))
        again = amends(*other, tally("bo", ann=2))
        refused = match.refuses(again)
        assert refused.code == "amendment-overlaps"
        assert refused.facts["amendments"] == (8, 9)
        match.when(amends(*other, tally("bo", ann=2), withdraws=[8]))

    @pytest.mark.parametrize(
        ("one", "other"),
        [((2, 1), (4, 1)), ((2, 3), (5, 0)), ((4, 0), (4, 2)), ((4, 2), (4, 0)), ((4, 0), (4, 0))],
    )
    def test_neighbours_do_not_overlap(self, one, other):
        match = three_rounds().when(amends(*one, tally("bo", ann=1)))
        match.when(amends(*other, tally("bo", ann=2)))

    def test_a_place_at_which_nothing_is_changed_overlaps_nothing(self):
        match = three_rounds().when(amends(2, 3, tally("bo", ann=1)))
        match.when(amends(4)).then(amendments=2)

    def test_insertions_at_one_place_stand_in_the_order_of_their_amendments(self):
        match = three_rounds()
        match = match.when(amends(4, 1, tally("bo", ann=4)))
        match = match.when(amends(4, 0, tally("bo", ann=1)))
        match = match.when(amends(4, 0, tally("bo", ann=2), tally("bo", ann=3)))
        told_scores = [one.scores["ann"] for one in rounds(match.state)]
        assert told_scores == [0, 1, 2, 3, 4, 0]


class TestWithdrawing:
    def test_amend_then_withdraw_is_as_before(self):
        match = three_rounds()
        amended = match.when(amends(2, 3, tally("bo", ann=77)))
        assert numbers(amended) != numbers(match)
        back = amended.when(amends(withdraws=[8])).then(version=9, amendments=2)
        assert numbers(back) == numbers(match)
        assert addresses(back) == [1, 2, 3, 4, 5, 6, 7]

    def test_withdrawing_a_withdrawal_brings_the_amendment_back(self):
        amended = three_rounds().when(amends(2, 1))
        twice = amended.when(amends(withdraws=[8])).when(amends(withdraws=[9]))
        assert numbers(twice) == numbers(amended)

    def test_what_comes_back_must_not_overlap_either(self):
        match = three_rounds().when(amends(2, 1)).when(amends(withdraws=[8]))
        match = match.when(amends(2, 1, tally("bo", ann=3)))
        assert match.refuses(amends(withdraws=[9])).code == "amendment-overlaps"
        match.when(amends(withdraws=[9, 10])).then_totals(ann=0, bo=60)

    def test_an_amendment_of_an_amendment(self):
        match = three_rounds().when(amends(2, 1, tally("bo", ann=7)))
        match = match.when(amends(2, 1, tally("bo", ann=8), withdraws=[8]))
        match.then_totals(ann=8, bo=60)

    @pytest.mark.parametrize("version", [1, 2, 8, 99])
    def test_only_an_earlier_amendment_can_be_withdrawn(self, version):
        refused = three_rounds().refuses(amends(withdraws=[version]))
        assert (refused.code, refused.reason) == ("impossible-event", "no-such-amendment")

    def test_amendments_of_other_entries_commute(self):
        one, other = amends(2, 1, tally("bo", ann=7)), amends(6, 1)
        match = three_rounds()
        assert numbers(match.when(one).when(other)) == numbers(match.when(other).when(one))


class TestJudgedAgain:
    @pytest.mark.clause("X-TURN", "B-MATCH")
    def test_what_is_only_forbidden_now_counts_as_played(self):
        match = start("basic", turned="red-5").when(play("bo", "red-6"), play("cy", "red-7"))
        match = match.when(amends(4, 1))
        match.then(turn="di", top_card="red-7", violations=1, voided=0)
        assert flags(match) == ["X-TURN"]
        assert [found.address for found in match.violations] == [5]

    def test_only_the_violations_that_an_amendment_brings_are_its_own(self):
        match = start("basic", turned="red-5").when(
            play("bo", "red-6"), play("di", "red-7", as_played=True)
        )
        match = match.when(amends(4, 1)).then(violations=1)
        assert flags(match) == []

    def test_what_has_become_impossible_is_voided_and_counted_and_listed(self):
        match = start("basic", 2, {"bo": [f"red-{n}" for n in range(1, 8)]})
        match = match.when(play("bo", "red-1"), play("ann", "red-9"), play("bo", "red-2"))
        match = match.when(play("ann", "red-8"), play("bo", "red-3"))
        match = match.when(amends(4, 1, play("bo", "red-2"))).then(voided=1, turn="ann")
        assert voids(match) == [(6, "impossible-event", "card-not-in-hand")]
        assert addresses(match) == [1, 2, 3, Inserted(9, 0), 5, 6, 7, 8]

    def test_a_round_told_after_the_match_is_newly_won(self):
        match = given("basic", 2, dealer="ann", target=100)
        for _ in range(3):
            match = match.when(tally("ann", bo=30))
        match = match.then(status="open").when(amends(2, 1, tally("ann", bo=120)))
        match.then(status="won", winners=("ann",), voided=2, round=1).then_totals(ann=0, bo=120)
        assert voids(match) == [
            (4, "impossible-event", "wrong-phase"),
            (6, "impossible-event", "wrong-phase"),
        ]

    def test_voided_entries_are_not_lost(self):
        match = given("basic", 2, dealer="ann", target=100)
        match = match.when(tally("ann", bo=30)).when(tally("ann", bo=31))
        amended = match.when(amends(2, 1, tally("ann", bo=120))).then(voided=1)
        back = amended.when(amends(withdraws=[6])).then(voided=0)
        assert numbers(back) == numbers(match)
        assert back.voided == ()

    def test_a_match_that_was_won_goes_on(self):
        match = given("basic", 2, dealer="ann", target=100).when(tally("ann", bo=120))
        match.then(status="won", phase="over", version=4)
        match = match.when(amends(2, 1, tally("ann", bo=20)))
        match.then(status="open", phase="ready", winners=()).then_totals(ann=0, bo=20)
        match = match.when(tally("ann", bo=90)).then(status="won").then_totals(ann=0, bo=110)
        assert match.types == ["round_tallied", "round_ended", "match_won"]

    def test_an_abandoned_match_can_be_taken_up_again(self):
        match = three_rounds().when(told("match_abandoned", reason="late")).then(phase="over")
        match.when(amends(8, 1)).then(status="open", phase="ready")


class TestEveryKindOfMatch:
    @pytest.mark.clause("B-TEAM")
    def test_partners(self):
        match = given("basic", 4, teams=TEAMS_OF_FOUR).when(tally("ann", bo=10, cy=20, di=7))
        match = match.then_totals(ann=20, bo=17, cy=20, di=17)
        match.when(amends(2, 1, tally("bo", ann=10, cy=20, di=7))).then_totals(
            ann=30, bo=7, cy=30, di=7
        )

    def test_a_player_who_was_eliminated_is_back(self):
        match = given("basic", 3, "elimination", target=100, dealer="ann")
        match = match.when(tally("ann", bo=120, cy=3)).then(eliminated=("bo",))
        match = match.when(tally("ann", cy=5)).then_totals(ann=0, bo=120, cy=8)
        match = match.when(amends(2, 1, tally("ann", bo=20, cy=3)))
        match.then(eliminated=(), voided=1).then_totals(ann=0, bo=20, cy=3)
        assert voids(match) == [(4, "impossible-event", "hand-missing")]

    def test_seats_that_a_schedule_fixed(self):
        seating = [
            {"players": ["ann", "bo", "cy"], "dealer": "bo"},
            {"players": ["cy", "bo", "ann"], "dealer": "cy"},
            {"players": ["bo", "cy", "ann"], "dealer": "ann"},
        ]
        match = given("basic", 3, seating=seating, target=None, rounds=3)
        for _ in range(2):
            match = match.when(tally("ann", bo=1, cy=2))
        match.then(players=("bo", "cy", "ann"), dealer="ann")
        match = match.when(amends(4, 1)).then(players=("cy", "bo", "ann"), dealer="cy")
        match = match.when(tally("ann", bo=1, cy=2)).then(dealer="ann")
        match.when(tally("ann", bo=1, cy=2)).then(status="won")

    def test_a_substitution_that_was_forgotten(self):
        match = three_rounds().when(
            amends(4, 0, told("player_substituted", player="bo", substitute="eve"))
        )
        assert [dict(one.substitutes) for one in rounds(match.state)] == [
            {},
            {"bo": "eve"},
            {"bo": "eve"},
        ]

    @pytest.mark.clause("B-LAST")
    def test_a_draw_that_is_inferred_at_once_can_be_told_exactly_afterwards(self):
        mine = [f"red-{n}" for n in range(1, 7)] + ["red-draw-two"]
        match = start("basic", 2, {"bo": mine}, mode="first-out")
        for own, other in zip(mine, [9, 9, 8, 8, 7, 7], strict=False):
            match = match.when(play("bo", own), play("ann", f"red-{other}"))
        match = match.when(play("bo", "red-draw-two")).then(status="won", violations=0)
        assert match.types == ["card_played", "cards_drawn", "round_ended", "match_won"]
        last = match.board.version
        match = match.when(amends(last - 2, 1, draw("ann", cards=["blue-1", "blue-2"])))
        match.then(status="won", violations=0, voided=0)
        assert addresses(match)[-3:] == [Inserted(last + 1, 0), last - 1, last]
        assert match.state.hands["ann"].known == ("blue-1", "blue-2")


class TestErased:
    def test_an_erased_entry_is_read_as_if_it_had_been_removed(self):
        match = three_rounds()
        log = [None if at == 3 else event for at, event in enumerate(match.log)][1:]
        state = fold(match.replayed(upto=1), log, match.inferred[1:])
        left = Story(state, ()).then(version=7, round=2, voided=1).then_totals(ann=0, bo=60)
        (step,) = [one for one in corrected_steps(left.state) if one.voided]
        assert (step.address, step.event, step.voided.code) == (4, None, "event-erased")
        left.when(tally("ann", bo=1)).then(version=9).then_totals(ann=0, bo=61)

    def test_an_erased_amendment_amends_nothing(self):
        match = three_rounds().when(amends(2, 3))
        log = [*match.log[1:-1], None]
        state = fold(match.replayed(upto=1), log, match.inferred[1:])
        Story(state, ()).then(amendments=0, voided=1).then_totals(ann=0, bo=90)


class TestInserts:
    def test_what_cannot_be_applied_is_refused_with_its_place(self):
        refused = three_rounds().refuses(
            note(), amends(4, 1, tally("bo", ann=1), tally("zoe", ann=1))
        )
        assert (refused.code, refused.event_index) == ("impossible-event", 1)
        assert refused.facts["insert"] == 1

    @pytest.mark.clause("X-TURN")
    def test_what_is_forbidden_is_refused_unless_it_was_played(self):
        match = start("basic", turned="red-5").when(play("bo", "red-6"))
        refused = match.refuses(amends(4, 0, play("di", "red-7")))
        assert (refused.code, refused.facts["insert"]) == ("rule-violation", 0)
        assert [found.clause for found in refused.violations] == ["X-TURN"]
        match = match.when(amends(4, 0, play("di", "red-7", as_played=True)))
        assert flags(match)[0] == "X-TURN"

    def test_later_amendments_void_what_earlier_ones_inserted(self):
        match = given("basic", 2, dealer="ann", target=100).when(tally("ann", bo=30))
        match = match.when(amends(4, 0, tally("ann", bo=40)))
        match = match.when(amends(2, 1, tally("ann", bo=130)))
        match.then(status="won", voided=1)
        assert voids(match) == [(Inserted(4, 0), "impossible-event", "wrong-phase")]

    def test_nothing_is_inferred_behind_an_amendment(self):
        match = given("basic", 2, "first-out", rounds=1, dealer="ann")
        match = match.when(amends(2, 0, told("round_tallied", winners=["ann"])))
        match.then(status="won", version=2)
        assert match.types == ["log_amended"]
