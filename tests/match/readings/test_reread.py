"""A log with many amendments is not read from its start for each of them."""

import pytest

from scorekeeper.match.readings import reader
from scorekeeper.match.readings.amended_fold import Detour, Mark, amended_fold
from scorekeeper.match.readings.effective_log import both_readings, corrected_steps, fold, initial
from scorekeeper.match.readings.reader import Reader, entries_in, opening_step
from scorekeeper.projections.consistency import MatchReplay
from scorekeeper.service.reading.entry_presenter import FoldedState
from scorekeeper.service.reading.matches import kept_steps
from tests.match.amending import amends, note
from tests.match.story import Story, given, tally, views
from tests.match.table import draw, play, shows, start

ROUNDS = 40


def evening() -> Story:
    """The opening, and forty rounds of two entries each."""
    match = given("basic", 2, "plus-minus", rounds=2 * ROUNDS, dealer="ann")
    return match.when(*[tally("ann", bo=3)] * ROUNDS).then(version=81)


@pytest.fixture
def steps_read(monkeypatch):
    """A function that makes a call and returns how many steps the call has read again."""

    def counted(call, *args):
        read = []
        evolve = reader.evolve
        with monkeypatch.context() as patched:
            patched.setattr(reader, "evolve", lambda *of: (read.append(of), evolve(*of)))
            call(*args)
        return len(read)

    return counted


def checked(match: Story) -> MatchReplay:
    replay = MatchReplay(initial(match.state.edition, match.state.opened))
    for entry in entries_in(match.state.log):
        assert replay.take(entry.event, told=not entry.inferred) is None
    assert replay.end() is None
    return replay


def with_amendments(*places: int) -> Story:
    """A match with an amendment at each place that inserts a note, as read from the ledger."""
    match = evening()
    made = [amends(place, 0, note()) for place in places]
    return Story(fold(match.state, made, [False] * len(made)), match.log)


class TestOnce:
    def test_the_recorded_log_is_read_on_from_before_what_an_amendment_changes(self, steps_read):
        match = with_amendments(*[80] * 20)
        once = steps_read(corrected_steps, match.state)
        assert once == 80 + 20
        assert steps_read(both_readings, match.state) <= once + 20 * (4 + 20)

    def test_behind_what_an_amendment_changes_it_is_read_on_where_nothing_is_otherwise(
        self, steps_read
    ):
        match = with_amendments(*[4] * 20)
        assert steps_read(both_readings, match.state) <= 80 + 20 * (6 + 20)

    def test_what_is_known_now_is_read_on_the_way_through_the_recorded_log(self, steps_read):
        places = range(2, 80, 3)
        match = with_amendments(*places)
        both = steps_read(kept_steps, FoldedState(match.state, 1), "recorded")
        assert both <= 80 + 7 * len(places)

    def test_amendments_that_stand_together_are_checked_together(self, steps_read):
        match = with_amendments(*range(2, 80, 3))
        assert steps_read(checked, match) == steps_read(corrected_steps, match.state)

    def test_whoever_asks_in_between_is_answered(self):
        match = given("basic", 2, dealer="ann", target=100).when(tally("ann", bo=30))
        match = match.when(amends(2, 1, tally("ann", bo=130)), amends(withdraws=[4]), note())
        match = match.when(tally("ann", bo=80), amends(2, 1)).then(status="open")
        replay = MatchReplay(initial(match.state.edition, match.state.opened))
        for step in both_readings(match.state).recorded[1:]:
            assert replay.take(step.event, told=not step.inferred) is None
            if replay.settled:
                assert views(replay.state()) == views(step.after)
                assert replay.has_results is (step.after.status == "won")

    def test_what_an_amendment_brings_is_found_without_reading_the_log_twice(self, steps_read):
        match = start("basic", turned="red-5")
        for player, card in (("bo", "red-7"), ("cy", "red-6"), ("di", "red-9"), ("ann", "blue-1")):
            match = match.when(play(player, card, as_played=True))
        match.then(violations=1, version=7)
        away = amends(6, 1, play("di", "red-8"))
        assert steps_read(match.when, away) <= 6 + 3
        assert match.when(away).violations == ()
        worse = match.when(amends(6, 1, play("di", "green-8", as_played=True)))
        assert [found.clause for found in worse.violations] == ["B-MATCH"]


def test_what_follows_from_the_event_before_an_amendment_is_inferred_again():
    """In `first-out` a last card's draw is inferred only if the table does not tell it next."""
    match = start("classic-2025", 2)
    for player, card in (("ann", "red-1"), ("bo", "red-draw-two")):
        match = match.when(shows(player, card, as_played=True))
    match = match.when(play("bo", "red-draw-two"), draw("ann", cards=["red-9", "wild"]))
    told_draw = match.board.version - 2
    assert entries_in(match.state.log)[told_draw - 2].event == draw("ann", cards=["red-9", "wild"])
    match = match.when(amends(2, 0, note())).when(amends(told_draw, 1)).then(status="won")
    assert views(both_readings(match.state).recorded[-1].after) == views(match.state)


def test_a_penalty_that_is_removed_with_a_note_is_inferred_again_before_the_readings_meet():
    """The draw for a penalty is inferred before the next play if the log has no entry for it."""
    match = start("basic", turned="red-5").when(play("bo", "red-draw-two"), note())
    for player, card in (("di", "red-6"), ("ann", "red-7"), ("bo", "red-8")):
        match = match.when(play(player, card))
    noted = match.inferred.index(True, 1)
    log = match.when(amends(noted, 2, note())).state.log
    begun = initial(match.state.edition, match.state.opened)
    known = amended_fold(begun, match.state.log)
    for reading in (amended_fold(begun, log), amended_fold(begun, log, known=known)):
        assert [step.address for step in reading.steps if step.inferred] == [None]


def test_a_round_told_otherwise_stays_so_where_its_score_is_the_same():
    """An amendment that only lists the cards of a hand changes its own round and no later one."""
    match = given("basic", 2, "plus-minus", rounds=50, dealer="ann")
    match = match.when(*[tally("ann", bo=9)] * 30)
    told_by_cards = amends(4, 1, tally("ann", bo=["blue-5", "blue-4"]))
    for amendment in (told_by_cards, amends(withdraws=[62])):
        match = match.when(amendment)
        assert views(both_readings(match.state).recorded[-1].after) == views(match.state)


def test_readings_meet_only_before_the_first_event_that_is_told_at_a_place():
    start = evening().state
    apart = start.copy()
    apart.dealer = "bo" if start.dealer == "ann" else "ann"
    marks = [Mark(place=place, steps=1, state=start) for place in (2, 5, 9)]

    def met(*places_and_states):
        detour = Detour([opening_step(start)], marks, start.finished, [amends(3, 0, note())])
        for place, state in places_and_states:
            found = detour.met(place, Reader(state, [], []))
        return found

    assert met((5, start)) == marks[1]
    assert met((5, apart), (5, start)) is None
    assert met((3, apart), (5, start)) == marks[1]
    assert met((9, start)) is None
