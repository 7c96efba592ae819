"""What a follower missed, and what is new, come in the order in which they were recorded."""

import asyncio

from scorekeeper.ledger.database_errors import LedgerUnavailable
from tests.service.following import OPENED, positions


def test_what_is_new_does_not_overtake_what_was_missed(process, run):
    """The past can't be read for a while, and meanwhile there is more."""

    async def story():
        process.hears()
        other = await process.follow()
        stream, asked = process.ledger.stream_part, asyncio.Event()

        async def unreachable(*_, **__):
            asked.set()
            raise LedgerUnavailable("cut")

        process.ledger.stream_part = unreachable
        reader = await process.follow(after=0)
        taken = asyncio.create_task(reader.next())
        await asked.wait()
        last = await process.note()
        await other.until(last)
        process.ledger.stream_part = stream
        assert positions([await taken, *await reader.until(last)]) == [OPENED, last]

    run(story())


def test_who_is_ahead_of_the_feed_gets_nothing_until_there_is_more(process, run):
    async def story():
        behind = await process.follow()
        known = await process.note()
        ahead = await process.follow()
        await behind.next(), await ahead.next()
        await process.followers.poll()
        await behind.until(known)
        last = await process.note()
        await process.followers.poll()
        assert positions(await ahead.until(last)) == [last]

    run(story())


def test_what_waits_for_its_taker_comes_in_order(process, run):
    async def story():
        process.hears()
        slow, other = await process.follow(), await process.follow()
        await slow.next(), await other.next()
        for _ in range(2):
            last = await process.note()
            await other.until(last)
        assert positions(await slow.until(last)) == [OPENED + 1, last]

    run(story())


def test_a_state_follows_though_its_entries_ended_an_earlier_part(process, run, monkeypatch):
    """A feed reads on in parts, and the last part may have entries of other matches only."""

    async def story():
        await process.open_match("two")
        reader = await process.follow()
        await reader.next()
        monkeypatch.setattr("scorekeeper.service.live.feed._READ_AT_ONCE", 2)
        last = await process.note("tea", "milk")
        await process.note(match="two")
        await process.followers.poll()
        assert positions(await reader.until(last)) == [last - 1, last]

    run(story())
