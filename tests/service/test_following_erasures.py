"""Followers see the states of matches without what was erased."""

import asyncio
from types import SimpleNamespace

import pytest

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
