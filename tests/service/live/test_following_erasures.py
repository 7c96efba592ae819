"""Followers see the states of matches without what was erased."""

import asyncio
from types import SimpleNamespace

import pytest

from scorekeeper.ledger.reading import EntryPage
from scorekeeper.match.events.events import RoundTallied, TalliedHand
from scorekeeper.service.erasing import Erasing
from scorekeeper.service.identity.access import Audience
from scorekeeper.service.live.frames import Frames
from scorekeeper.service.matches.recording import ToRecord
from scorekeeper.service.reading.entry_presenter import FoldedState
from scorekeeper.service.views import ErasureRequest
from tests.service.following import ADMIN, LEAGUE

HANDS = {player: TalliedHand(points=5) for player in ("bo", "cy", "di")}
TOLD = ToRecord(ADMIN, LEAGUE, "one", [RoundTallied(winners=("ann",), hands=HANDS)])


async def erase(process, entry):
    asked = ErasureRequest(positions=(entry.position,), reason="asked for")
    await Erasing(process.ledger).erase(ADMIN, LEAGUE, asked, None)


@pytest.mark.parametrize("match", ["one", None])
def test_an_erasure_is_followed_by_the_state_of_the_match_that_lost_something(process, run, match):
    """No entry is added to that match, and its followers would show what was erased on and on."""

    async def story():
        await process.open_match("two")
        await process.recording.record(TOLD)
        reader = await process.follow(match)
        (tallied, _) = await process.ledger.stream(LEAGUE, "match:one", after=1)
        await erase(process, tallied)
        await process.followers.poll()
        assert (await reader.next()).event == ("entry" if match is None else "state")
        after = await reader.next()
        assert (after.event, after.id, after.data["match"]) == ("state", None, "one")
        assert (after.data["version"], after.data["round"], after.data["voided"]) == (3, 0, 1)

    run(story())


def test_what_was_erased_while_nobody_followed_is_in_no_state(process, run):
    """A state may be remembered from the time before."""

    async def story():
        reader = await process.follow()
        await process.recording.record(TOLD)
        await process.followers.poll()
        (tallied, ended) = await process.ledger.stream(LEAGUE, "match:one", after=1)
        before = (await reader.until(ended.position))[-1]
        assert before.data["totals"]["bo"] == 5
        reader.follower.leave()
        await erase(process, tallied)
        reader = await process.follow(after=ended.position - 1)
        (entry, state) = await reader.next(), await reader.next()
        assert (entry.event, state.event) == ("entry", "state")
        noted = await process.note("tea")
        await process.followers.poll()
        later = (await reader.until(noted))[-1]
        assert [each.data["totals"]["bo"] for each in (state, later)] == [0, 0]

    run(story())


@pytest.mark.parametrize("match", ["one", None])
def test_who_was_away_during_an_erasure_gets_the_state_of_what_lost_something(process, run, match):
    """A page in the background gives up its stream, and comes back with the id seen last."""

    async def story():
        await process.recording.record(TOLD)
        (tallied, _) = await process.ledger.stream(LEAGUE, "match:one", after=1)
        await process.open_match("two")
        size = (await process.ledger.head(LEAGUE)).size
        await erase(process, tallied)
        reader = await process.follow(match, after=size)
        frames = [await reader.next() for _ in range(1 if match else 2)]
        assert [frame.event for frame in frames] == [*([] if match else ["entry"]), "state"]
        state = frames[-1].data
        assert (state["match"], state["version"], state["totals"]["bo"]) == ("one", 3, 0)

    run(story())


def test_who_is_ahead_of_the_feed_gets_no_older_state(process, run):
    """The feed hears of an erasure only when more was told, after which somebody has joined."""

    async def story():
        await process.recording.record(TOLD)
        (tallied, _) = await process.ledger.stream(LEAGUE, "match:one", after=1)
        erased = (await process.ledger.head(LEAGUE)).size + 1
        part = process.ledger.part

        async def up_to_the_erasure(league, after, limit):
            read, _ = await part(league, after, limit)
            until = [entry for entry in read if entry.position <= erased]
            return EntryPage(until or read, more=False)

        process.ledger.part = up_to_the_erasure
        behind = await process.follow()
        await erase(process, tallied)
        told = await process.note("tea")
        ahead = await process.follow()
        await process.followers.poll()
        assert (await behind.next()).data["version"] == 3
        assert (await behind.next()).data["version"] == 3
        assert (await ahead.next()).data["version"] == 4
        await process.followers.poll()
        assert [frame.data.get("version") for frame in await behind.until(told)] == [None, 4]
        last = await process.note("milk")
        await process.followers.poll()
        assert [frame.data.get("version") for frame in await ahead.until(last)] == [None, 5]

    run(story())


class FoldedBefore:
    """Folds a match. The frames hear of an erasure during the first fold."""

    def __init__(self):
        self.frames = Frames(self)
        self.asked = 0

    async def folded(self, league, match, at):
        self.asked += 1
        if self.asked == 1:
            self.frames.forget(league)
        return FoldedState(STATE, at)


STATE = SimpleNamespace(version=3, plan={})


def test_a_state_that_was_read_before_an_erasure_is_not_remembered(monkeypatch):
    """Somebody who catches up may read a match while the feed hears of the erasure."""
    monkeypatch.setattr("scorekeeper.service.live.frames.scoreboard", lambda *_, **__: None)
    book = FoldedBefore()
    for asked in (1, 2, 2):
        asyncio.run(book.frames.of_state(Audience.KEEPERS, LEAGUE, "one", 3))
        assert book.asked == asked
