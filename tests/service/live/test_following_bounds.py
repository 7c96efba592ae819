"""The number of followers is bounded, and so is what is kept and made for each of them."""

import asyncio

import pytest

from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.service.live.follower import PART_SIZE
from scorekeeper.service.live.followers import Places
from scorekeeper.service.refused import Refused
from tests.service.following import LONG


@pytest.mark.parametrize(
    ("places", "code", "reason"),
    [
        (Places(process=3), "unavailable", "followers"),
        (Places(league=3), "too-many-followers", "league"),
        (Places(token=3), "too-many-followers", "token"),
    ],
)
def test_so_many_follow_at_once_and_who_leaves_makes_room(
    processes, sqlite_url, run, places, code, reason
):
    async def story():
        await process.open()
        readers = [await process.follow() for _ in range(3)]
        with pytest.raises(Refused) as refused:
            await process.follow()
        assert (refused.value.code, refused.value.reason) == (code, reason)
        readers[0].follower.leave()
        readers[0].follower.leave()
        await process.follow()
        with pytest.raises(Refused):
            await process.follow()

    process = processes(sqlite_url, places=places)
    run(story())


def test_whose_places_are_taken_leaves_those_of_others(processes, sqlite_url, run):
    """A widely shared token takes no places of other tokens, and a league none of other leagues."""

    async def story():
        await process.open()
        await process.open("away")
        for league in ("home", "away"):
            for _ in range(2):
                caller, authorization = await process.token(league=league)
                for _ in range(2):
                    await process.follow(league=league, caller=caller, authorization=authorization)
                with pytest.raises(Refused) as refused:
                    await process.follow(league=league, caller=caller, authorization=authorization)
                assert refused.value.code == "too-many-followers"

    process = processes(sqlite_url, places=Places(process=8, league=4, token=2))
    run(story())


def test_what_is_made_for_a_follower_at_once_is_bounded(process, run):
    """The size of each part is bounded, and how many followers are served at once.

    All of these followers come back after a long absence.
    """

    async def story():
        last = await process.note(*[LONG] * 300)
        reading, most, eight = 0, 0, asyncio.Event()
        stream = process.ledger.stream_part

        async def counted(*asked, **how):
            nonlocal reading, most
            reading += 1
            most = max(most, reading)
            if reading == 8:
                eight.set()
            async with asyncio.timeout(60):
                await eight.wait()
            try:
                return await stream(*asked, **how)
            finally:
                reading -= 1

        process.ledger.stream_part = counted
        readers = [await process.follow(after=0) for _ in range(20)]
        sizes = await asyncio.gather(*(sizes_until(reader.follower, last) for reader in readers))
        assert most == 8
        assert {max(each) < PART_SIZE + 2 * len(LONG) for each in sizes} == {True}

    run(story())


def test_the_states_of_many_matches_come_in_parts(process, run):
    """As after an import: each match takes a fold, and a client may take them slowly."""

    async def story():
        reader = await process.follow(match=None)
        matches = [f"m-{nth}" for nth in range(130)]
        for match in matches:
            await process.open_match(match)
        given, give = [], reader.follower.give

        def noted(part):
            given.append(part.whole.count(b"event: state"))
            give(part)

        reader.follower.give = noted
        await process.followers.poll()
        frames = [await reader.next() for _ in range(2 * len(matches))]
        states = [frame.data["match"] for frame in frames if frame.event == "state"]
        assert states == matches
        assert max(given) <= 100

    run(story())


def test_states_that_could_not_be_read_come_later_without_another_entry(process, run):
    async def story():
        reader = await process.follow(match=None)
        matches = [f"m-{nth}" for nth in range(130)]
        for match in matches:
            await process.open_match(match)
        since, failed, reads = process.ledger.since, asyncio.Event(), 0

        async def once_unreachable(*asked):
            nonlocal reads
            reads += 1
            if reads == 101:
                failed.set()
                raise LedgerUnavailable("cut")
            return await since(*asked)

        process.ledger.since = once_unreachable
        await process.followers.poll()
        for _ in range(len(matches) + 100):
            await reader.next()
        await failed.wait()
        await process.followers.poll()
        states = [await reader.next() for _ in range(30)]
        assert [frame.data["match"] for frame in states] == matches[100:]

    run(story())


async def sizes_until(follower, last):
    """Return the sizes of all chunks up to the state that follows the last entry."""
    chunks = [b""]
    while b"event: state" not in chunks[-1]:
        chunks.append(await follower.next())
    assert b"\nid: %d\n" % last in b"\n" + b"".join(chunks)
    return [len(chunk) for chunk in chunks]
