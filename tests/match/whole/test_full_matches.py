"""The number of entries of a match is bounded. Events beyond it are refused, but for its end."""

import pytest

from scorekeeper.match.events.refusal import Refusal
from scorekeeper.match.readings.effective_log import fold
from scorekeeper.match.record import MOST_ENTRIES, Recorded, record
from tests.match.amending import amends, note
from tests.match.story import given, tally, views
from tests.match.table import play, start, told

CLOSED = told("match_closed")
ABANDONED = told("match_abandoned", reason="so late")


@pytest.fixture
def bound(monkeypatch):
    return lambda most: monkeypatch.setattr("scorekeeper.match.record.MOST_ENTRIES", most)


def two_rounds():
    """Five entries: the opening, and two rounds with their ends."""
    return given("basic", 2, dealer="ann").when(tally("ann", bo=30), tally("bo", ann=10))


def test_the_first_event_beyond_the_bound_is_refused_and_with_it_all_others(bound):
    bound(7)
    two_rounds().when(note(), note())
    refused = two_rounds().refuses(note(), note(), note(), note())
    assert refused == Refusal(code="match-full", event_index=2, facts={"most": 7})


def test_what_follows_from_an_event_may_go_beyond_the_bound(bound):
    bound(6)
    match = two_rounds().when(tally("ann", bo=5)).then(version=7)
    assert match.refuses(note()).code == "match-full"


@pytest.mark.parametrize("event", [note(), tally("ann", bo=5), amends(2, 1)])
def test_a_full_match_takes_nothing_more(bound, event):
    bound(5)
    refused = two_rounds().refuses(event)
    assert (refused.code, refused.event_index) == ("match-full", 0)


@pytest.mark.parametrize(("end", "status"), [(CLOSED, "won"), (ABANDONED, "abandoned")])
def test_a_full_match_can_be_ended(bound, end, status):
    bound(5)
    match = two_rounds().when(end).then(status=status, phase="over")
    assert match.refuses(note(), end).code == "match-full"


def test_a_full_match_is_ended_as_the_phase_allows(bound):
    match = start("basic", turned="red-5").when(play("bo", "red-7"))
    bound(match.state.version)
    assert match.refuses(CLOSED).reason == "wrong-phase"
    match.when(ABANDONED).then(status="abandoned")
    two = two_rounds()
    bound(two.state.version)
    assert two.when(CLOSED).refuses(CLOSED).reason == "wrong-phase"


def test_what_is_longer_already_is_read_and_can_be_ended(bound):
    match = two_rounds().when(amends(2, 1, tally("ann", bo=1)))
    bound(2)
    assert views(match.replayed()) == views(match.state)
    match.when(CLOSED).then(status="won")


def test_twenty_thousand_entries():
    opened = two_rounds().state
    notes = [note()] * (MOST_ENTRIES - opened.version - 1)
    nearly = fold(opened, notes)
    last = record(nearly, [note()])
    assert isinstance(last, Recorded)
    assert last.state.version == MOST_ENTRIES == 20_000
    refused = record(nearly, [note(), note()])
    assert refused == Refusal(code="match-full", event_index=1, facts={"most": 20_000})
    assert isinstance(record(last.state, [CLOSED]), Recorded)
