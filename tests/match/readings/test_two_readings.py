"""The two readings of one log: as it was recorded, and as its amendments have it."""

import pytest

from scorekeeper.match.readings.effective_log import both_readings, corrected_steps, fold
from scorekeeper.match.readings.reader import Step
from scorekeeper.match.state import State
from scorekeeper.projections.scoreboard import rounds
from tests.match.amending import amends, note, three_rounds
from tests.match.story import Story, given, tally, views
from tests.match.table import draw, first, play, shows, start, told


def with_erased(match: Story, *versions: int) -> State:
    """Return the state of a match, as it is read once these entries have lost their content."""
    log = [None if at in versions else event for at, event in enumerate(match.log, start=1)]
    return fold(match.replayed(upto=1), log[1:], match.inferred[1:])


class TestTheTwoReadings:
    def test_as_recorded_each_entry_stands_as_the_book_stood(self):
        match = three_rounds().when(amends(4, 1)).when(tally("bo", ann=3))
        steps = both_readings(match.state).recorded
        assert [step.address for step in steps] == [*range(1, match.state.version + 1)]
        for step in steps[1:]:
            assert views(step.after) == views(match.replayed(upto=step.address))
        assert [step.after.totals["bo"] for step in steps[-3:]] == [60, 60, 60]
        assert steps[3].after.totals["bo"] == 30

    def test_as_corrected_the_log_reads_as_if_it_had_been_told_so(self):
        match = three_rounds().when(amends(4, 1, tally("bo", ann=3)))
        corrected_log = [step.event for step in corrected_steps(match.state)]
        told_so = given("basic", 2, dealer="ann", target=500)
        for one in (tally("ann", bo=30), tally("bo", ann=3), tally("ann", bo=30)):
            told_so = told_so.when(one)
        assert corrected_log == list(told_so.log)
        assert [step.after.totals["ann"] for step in corrected_steps(match.state)][-3:] == [3, 3, 3]

    def test_a_forbidden_event_is_shown_as_it_was_sent(self):
        match = start("basic", turned="red-5").when(play("bo", "red-6"), play("cy", "red-7"))
        step = corrected_steps(match.when(amends(4, 1)).state)[-1]
        assert (step.event.as_played, step.taken.as_played, step.voided) == (False, True, None)

    def test_what_was_inferred_and_erased_is_inferred_again_in_both(self):
        match = three_rounds()
        state = with_erased(match, 3)
        Story(state, ()).then(round=3, voided=0).then_totals(ann=0, bo=90)
        for steps in (corrected_steps(state), both_readings(state).recorded):
            (again,) = [step for step in steps if step.address is None]
            assert again.event == match.log[2]
            assert [step.address for step in steps] == [1, 2, None, 4, 5, 6, 7]
            assert rounds(steps[-1].after) == rounds(state)

    def test_what_was_inferred_and_erased_is_not_found_again_behind_an_amendment(self):
        match = given("basic", 2, dealer="ann").when(tally("ann", bo=30), amends(2, 1))
        match = match.when(tally("ann", bo=30)).then_totals(ann=0, bo=30)
        assert match.log[2] == match.log[5]
        steps = both_readings(with_erased(match, 3)).recorded
        assert [step.address for step in steps] == [1, 2, None, 4, 5, 6]

    @pytest.mark.parametrize("gone", range(4, 14))
    def test_without_amendments_they_are_one_whatever_was_erased(self, gone):
        """In `first-out` a last card's draw is inferred only if the table does not tell it next."""
        match = start("classic-2025", 2, mode="first-out", rounds=3).when(note())
        for told_next in ((draw("ann", 2),), ()):
            match = match.when(shows("bo", "red-draw-two", as_played=True))
            match = match.when(play("bo", "red-draw-two", as_played=True), *told_next)
            match = match.when(told("round_started"), first("red-5"))
        match.then(round=3, version=16)
        recorded, now = both_readings(with_erased(match, gone))
        assert [_told_of(step) for step in recorded] == [_told_of(step) for step in now]
        assert [views(step.after) for step in recorded] == [views(step.after) for step in now]

    def test_what_is_told_behind_an_amendment_is_not_awaited_before_it(self):
        match = start("classic-2025", 2, mode="first-out", rounds=3).when(note())
        match = match.when(shows("bo", "red-draw-two", as_played=True))
        match = match.when(play("bo", "red-draw-two", as_played=True)).then(version=8, round=1)
        match = match.when(amends(4, 1), draw("ann", 2))
        recorded, _ = both_readings(with_erased(match, 4, 7))
        assert [step.address for step in recorded] == [1, 2, 3, 4, 5, 6, None, 8, 9, 10]

    def test_an_amendment_behind_an_erased_entry_is_read_on_from_in_both(self):
        match = three_rounds().when(note(), amends(2, 1, tally("ann", bo=40)), amends(4, 1))
        state = with_erased(match.when(tally("bo", ann=7)), 8)
        recorded, now = both_readings(state)
        assert [step.address for step in recorded] == [*range(1, 13)]
        assert [step.after.totals["bo"] for step in recorded[8:]] == [100, 70, 70, 70]
        assert all(step.after.erased for step in recorded[8:])
        assert views(recorded[-1].after) == views(now[-1].after) == views(state)


def _told_of(step: Step) -> tuple[object, ...]:
    return step.address, step.event, step.inferred, step.taken, step.voided
