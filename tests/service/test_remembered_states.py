"""What is remembered of matches is bounded by what it weighs: a long match is many short ones."""

from types import SimpleNamespace

import pytest

from scorekeeper.ledger.entry import Entry
from scorekeeper.ledger.writing.head_cache import MOST_BYTES as MOST_OF_HEADS
from scorekeeper.ledger.writing.head_cache import HeadCache, LedgerHead, StreamHead
from scorekeeper.service.live.frames import MOST_BYTES as MOST_OF_FRAMES
from scorekeeper.service.live.frames import Frames
from scorekeeper.service.reading.entry_presenter import FoldedState
from scorekeeper.service.reading.matches import MOST_BYTES as MOST_OF_STATES
from scorekeeper.service.reading.matches import Reading

MEGABYTE = 1 << 20
# What a state was measured to take, for each entry that was folded into it.
ENTRY_BYTES = 1_000


def entry(body):
    return Entry(
        league="home",
        stream="match:m",
        version=1,
        position=1,
        id="i",
        type="note_added",
        schema=1,
        header=b"{}",
        hash="h",
        body=body,
        salt=b"s",
        inferred=False,
        told_by=None,
        time="t",
        actor="a",
    )


HEAD = LedgerHead(log="l", size=1, frontier=b"", recorded_at="t", epoch=1)
HEADS = {
    "carried states": (StreamHead(20_000, "h", object(), ()), 20_000 * ENTRY_BYTES),
    "entries": (StreamHead(200, "h", None, (entry(bytes(MEGABYTE)),)), MEGABYTE),
}


@pytest.mark.parametrize("of", HEADS)
def test_what_a_commit_queue_remembers_of_streams_is_bounded(of):
    head, weight = HEADS[of]
    heads = HeadCache()
    for nth in range(1_000):
        heads.keep("home", HEAD, {f"match:{nth}": head})
    kept = [nth for nth in range(1_000) if heads.stream("home", f"match:{nth}", HEAD.epoch)]
    assert len(kept) * weight <= MOST_OF_HEADS
    assert kept == list(range(1_000 - len(kept), 1_000))
    assert kept


def folded(version):
    return FoldedState(SimpleNamespace(version=version, plan={}), version)


def test_what_readers_remember_of_matches_is_bounded():
    reading = Reading(SimpleNamespace())
    for nth in range(1_000):
        reading.remember("home", f"m-{nth}", folded(20_000))
    assert 0 < len(reading._remembered) * 20_000 * ENTRY_BYTES <= MOST_OF_STATES
    assert ("home", "m-999") in reading._remembered
    assert ("home", "m-0") not in reading._remembered


def test_what_is_remembered_of_matches_that_are_followed_is_bounded():
    frames = Frames(Reading(SimpleNamespace()))
    for nth in range(100):
        frames._keep("home", f"m-{nth}", folded(20_000))
    assert 0 < len(frames._folded_states) * 20_000 * ENTRY_BYTES <= MOST_OF_FRAMES


def test_many_short_matches_are_all_remembered():
    reading = Reading(SimpleNamespace())
    for nth in range(1_000):
        reading.remember("home", f"m-{nth}", folded(50))
    assert len(reading._remembered) == 1_000


def test_a_match_that_is_longer_than_all_that_may_be_remembered_is_remembered_alone():
    reading = Reading(SimpleNamespace())
    for nth in range(3):
        reading.remember("home", f"m-{nth}", folded(1_000_000))
    assert list(reading._remembered) == [("home", "m-2")]
