"""Cut off at any moment, as often as one likes: every entry arrives, and arrives once."""

import asyncio
import random

import pytest

from tests.service.following import LEAGUE
from tests.sse import BEAT

SHORT = 50
LONG = pytest.param(1_000, marks=pytest.mark.slow)


class Following:
    """Somebody who follows, is cut off now and then, and comes back with the id seen last."""

    def __init__(self, process, match):
        self.process = process
        self.match = match
        self.last_id = 0
        self.seen = []
        self.cuts = 0

    async def stay(self, frames):
        """Follow for so many frames."""
        reader = await self.process.follow(self.match, after=self.last_id)
        for _ in range(frames):
            self.take(await reader.next())
        reader.follower.leave()
        self.cuts += 1

    async def until(self, position):
        reader = await self.process.follow(self.match, after=self.last_id)
        while self.last_id < position:
            self.take(await reader.next())
        reader.follower.leave()

    def take(self, frame):
        assert frame not in (None, BEAT)
        if frame.event == "entry":
            self.last_id = frame.id
            self.seen.append((frame.id, frame.data["match"], frame.data["entry"]["version"]))
        else:
            # A state is that after the last entry of its match, neither older nor newer.
            assert frame.event == "state"
            of_match = [seen for seen in self.seen if seen[1] == frame.data["match"]]
            assert (frame.position, frame.data["version"]) == of_match[-1][::2]

    def follows(self, entry):
        return self.match in (None, entry.stream.removeprefix("match:"))


class Evening:
    """Two write and three follow; wake-ups get lost, and a poll comes by now and then."""

    def __init__(self, process, seed, cuts):
        self.process = process
        self.chance = random.Random(seed)
        self.cuts = cuts
        self.followings = [Following(process, match) for match in ("one", "two", None)]
        self.followed = asyncio.Event()
        process.ledger.on_commit(self.hear)

    def hear(self, league, size):
        if self.chance.random() < 0.7:
            self.process.followers.wake(league, size)

    async def follow(self, following):
        while following.cuts < self.cuts:
            await following.stay(self.chance.choice((0, 1, 1, 2, 3, 10)))
            self.followed.set()

    async def write(self, match):
        """Write only as fast as followers come and go, so that they don't stay behind for ever."""
        while any(following.cuts < self.cuts for following in self.followings):
            notes = ["tea"] * self.chance.choice((1, 1, 1, 2, 5, 20))
            await self.process.note(*notes, match=match)
            if self.chance.random() < 0.2:
                await self.process.token()
            await self.process.followers.poll()
            self.followed.clear()
            await self.wait()

    async def wait(self):
        waiting = asyncio.create_task(self.followed.wait())
        _, pending = await asyncio.wait([waiting], timeout=0.02)
        for task in pending:
            task.cancel()


@pytest.mark.parametrize("cuts", [SHORT, LONG])
@pytest.mark.parametrize("seed", range(2))
def test_nothing_is_missed_or_doubled_across_forced_reconnects(
    processes, database_url, run, cuts, seed
):
    process = processes(database_url)

    async def story():
        await process.open(matches=("one", "two"))
        evening = Evening(process, seed, cuts)
        await asyncio.gather(
            *(evening.follow(following) for following in evening.followings),
            *(evening.write(match) for match in ("one", "two")),
        )
        log = (await process.ledger.part(LEAGUE, 0, 2**31)).entries
        for following in evening.followings:
            recorded = [entry.position for entry in log if following.follows(entry)]
            await following.until(recorded[-1])
            assert [position for position, _, _ in following.seen] == recorded
            assert following.cuts == cuts
        assert len(process.followers) == 0

    run(story())
