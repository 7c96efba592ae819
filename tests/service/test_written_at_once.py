"""Who has everything is written to by the feed itself, and nothing changes its place by that."""

import asyncio
import itertools

from following import ADMIN, LEAGUE, OPENED, always, positions

from scorekeeper.ledger.unavailable import LedgerUnavailable


def test_who_has_everything_is_written_to_at_once(process, run):
    async def story():
        process.hears()
        reader = await process.follow(wire=always)
        assert (await reader.next()).event == "state"
        for nth in range(1, 4):
            last = await process.note()
            frames = await reader.until(last)
            assert [frame.event for frame in frames] == ["entry", "state"]
            assert positions(frames) == [last]
            assert reader.at_once == nth

    run(story())


def test_what_a_wire_does_not_take_is_sent_in_its_turn(process, run):
    async def story():
        process.hears()
        takes = itertools.cycle((False, True, True))
        reader = await process.follow(wire=lambda: next(takes))
        last = [await process.note() for _ in range(12)][-1]
        frames = await reader.until(last)
        assert positions(frames) == list(range(OPENED + 1, last + 1))
        assert reader.at_once > 0

    run(story())


def test_what_is_new_does_not_overtake_what_was_missed(process, run):
    """The past can't be read for a while, and meanwhile there is more."""

    async def story():
        process.hears()
        other = await process.follow()
        stream, asked = process.ledger.stream, asyncio.Event()

        async def unreachable(*_, **__):
            asked.set()
            raise LedgerUnavailable("cut")

        process.ledger.stream = unreachable
        reader = await process.follow(after=0, wire=always)
        await asked.wait()
        last = await process.note()
        await other.until(last)
        process.ledger.stream = stream
        assert positions(await reader.until(last)) == [OPENED, last]

    run(story())


def test_who_is_ahead_of_the_feed_gets_nothing_until_there_is_more(process, run):
    async def story():
        behind = await process.follow(wire=always)
        known = await process.note()
        ahead = await process.follow(wire=always)
        await behind.next(), await ahead.next()
        await process.followers.poll()
        await behind.until(known)
        assert (behind.at_once, ahead.at_once) == (1, 0)
        last = await process.note()
        await process.followers.poll()
        assert positions(await ahead.until(last)) == [last]

    run(story())


def test_what_is_recorded_after_the_revocation_is_not_written_at_once(process, run):
    async def story():
        caller, authorization = await process.token()
        theirs = await process.follow(caller=caller, authorization=authorization, wire=always)
        ours = await process.follow(wire=always)
        await theirs.next(), await ours.next()
        await process.tokens.revoke(ADMIN, LEAGUE, caller.token_id)
        last = await process.note("after")
        await process.followers.poll()
        assert positions(await ours.until(last)) == [last]
        assert await theirs.rest() == []
        assert (ours.at_once, theirs.at_once) == (1, 0)

    run(story())
