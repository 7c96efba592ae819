"""What is remembered of matches is bounded by its size in bytes, since matches differ in length."""

import asyncio
from contextlib import suppress
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from scorekeeper.editions.registry import EDITIONS
from scorekeeper.ledger.entry import Entry
from scorekeeper.ledger.reading import Contents
from scorekeeper.ledger.writing.head_cache import MOST_BYTES as MOST_OF_HEADS
from scorekeeper.ledger.writing.head_cache import HeadCache, LedgerHead, StreamHead
from scorekeeper.match.events.opening import MatchOpened
from scorekeeper.match.readings.effective_log import initial
from scorekeeper.match.readings.viewer_fold import ViewerFold, VisibilityHorizon
from scorekeeper.service.identity.access import Audience
from scorekeeper.service.live.frames import MOST_BYTES as MOST_OF_FRAMES
from scorekeeper.service.live.frames import Frames
from scorekeeper.service.reading.entry_presenter import FoldedState
from scorekeeper.service.reading.matches import MOST_BYTES as MOST_OF_STATES
from scorekeeper.service.reading.matches import Reading
from scorekeeper.service.reading.viewer_folds import MOST_BYTES as MOST_OF_VIEWS
from scorekeeper.service.reading.viewer_folds import MOST_BYTES_OF_HORIZONS, ViewerFolds
from scorekeeper.service.refused import Refused

MEGABYTE = 1 << 20
# The measured size of a state for each entry folded into it.
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
    state = SimpleNamespace(version=version, plan={}, amendments=0, erased=0)
    return FoldedState(state, version)


class NothingNew:
    """A ledger without any entries beyond those that are remembered."""

    async def since(self, league, stream, after):
        return 0, Contents(b"[]", [], 0, 0)


def remembered(reading, count):
    """Return which of `count` matches need not be folded from their openings."""

    async def found():
        for nth in range(count):
            with suppress(Refused):
                await reading.folded("home", f"m-{nth}")
                yield nth

    async def all_found():
        return [nth async for nth in found()]

    return asyncio.run(all_found())


@pytest.fixture
def reading():
    return Reading(NothingNew())


def test_what_readers_remember_of_matches_is_bounded(reading):
    for nth in range(1_000):
        reading.remember("home", f"m-{nth}", folded(20_000))
    kept = remembered(reading, 1_000)
    assert 0 < len(kept) * 20_000 * ENTRY_BYTES <= MOST_OF_STATES
    assert kept == list(range(1_000 - len(kept), 1_000))


def test_many_short_matches_are_all_remembered(reading):
    for nth in range(1_000):
        reading.remember("home", f"m-{nth}", folded(50))
    assert remembered(reading, 1_000) == list(range(1_000))


def test_a_match_that_is_longer_than_all_that_may_be_remembered_is_remembered_alone(reading):
    for nth in range(3):
        reading.remember("home", f"m-{nth}", folded(1_000_000))
    assert remembered(reading, 3) == [2]


class OneLongMatch:
    """Returns the same folded match for every name, and notes for which it was asked."""

    def __init__(self):
        opened = MatchOpened(edition="basic", revision=1, players=("ann", "bo"))
        self.state = replace(initial(EDITIONS["basic", 1], opened), version=20_000)
        self.asked = []

    async def folded(self, league, match, at):
        self.asked.append(match)
        return FoldedState(self.state, at)


def test_what_is_remembered_of_matches_that_are_followed_is_bounded():
    reading = OneLongMatch()
    frames = Frames(reading)

    def follow(*numbers):
        async def look():
            for nth in numbers:
                await frames.of_state(Audience.KEEPERS, "home", f"m-{nth}", 20_000)

        reading.asked.clear()
        asyncio.run(look())
        return reading.asked

    assert len(follow(*range(100))) == 100
    newest_first = range(99, -1, -1)
    kept = next(nth for nth in newest_first if follow(nth))
    assert 0 < (99 - kept) * 20_000 * ENTRY_BYTES <= MOST_OF_FRAMES


class Watched:
    """Notes which horizons and views of matches of 20,000 entries are worked out from the log."""

    def __init__(self, monkeypatch):
        self.horizons, self.views = [], []
        for name in ("_horizon", "_view"):
            work = getattr(self, name)
            monkeypatch.setattr(f"scorekeeper.service.reading.viewer_folds.{name}", work)
        state = replace(OneLongMatch().state, version=20_000, amendments=1)
        self.states = [replace(state) for _ in range(100)]

    def _horizon(self, known, latest):
        if known is None:
            self.horizons.append(latest)
        return VisibilityHorizon(1)

    def _view(self, known, book, horizon):
        if known is None:
            self.views.append(book)
        return ViewerFold(book)

    def kept(self, worked_out, look):
        """Look at all of them, and return how many of the last ones are known afterwards."""
        for nth, state in enumerate(self.states):
            asyncio.run(look(f"m-{nth}", state))
        for known, nth in enumerate(reversed(range(100))):
            worked_out.clear()
            asyncio.run(look(f"m-{nth}", self.states[nth]))
            if worked_out:
                return known
        return 100


@pytest.fixture
def watched(monkeypatch):
    return Watched(monkeypatch)


def test_what_is_remembered_of_what_viewers_see_is_bounded(watched):
    """A view is kept with the state that it was made from."""
    folds = ViewerFolds()

    async def look(match, state):
        await folds.folded("home", match, FoldedState(state, 20_000), state)

    kept = watched.kept(watched.views, look)
    assert 0 < kept * 2 * 20_000 * ENTRY_BYTES <= MOST_OF_VIEWS


def test_what_is_remembered_of_amended_matches_that_viewers_see_is_bounded(watched):
    folds = ViewerFolds()

    async def look(match, state):
        await folds.horizon("home", match, state)

    kept = watched.kept(watched.horizons, look)
    assert 0 < kept * 20_000 * ENTRY_BYTES <= MOST_BYTES_OF_HORIZONS
