"""Following live: nothing is missed, nothing comes twice, whatever is cut."""

import asyncio

import pytest

from scorekeeper.api.routes.live import EventStream
from scorekeeper.ledger.database_errors import LedgerUnavailable
from scorekeeper.service.live.follower import MOST_WAITING
from scorekeeper.service.refused import Refused
from tests.service.following import ADMIN, LEAGUE, LONG, OPENED, positions
from tests.sse import BEAT


def test_from_now_on_a_match_begins_with_its_state(process, run):
    async def story():
        process.hears()
        reader = await process.follow()
        first = await reader.next()
        assert (first.event, first.id, first.data["version"]) == ("state", None, 1)
        await process.note("tea", "milk")
        entries = [await reader.next(), await reader.next()]
        assert [frame.event for frame in entries] == ["entry", "entry"]
        assert [frame.data["match"] for frame in entries] == ["one", "one"]
        assert [frame.data["entry"]["data"]["text"] for frame in entries] == ["tea", "milk"]
        log = (await process.ledger.part(LEAGUE, 0, 100)).entries
        assert [frame.id for frame in entries] == [entry.position for entry in log[-2:]]
        after = await reader.next()
        assert (after.event, after.id, after.data["version"]) == ("state", None, 3)

    run(story())


def test_from_now_on_a_league_begins_with_what_comes(process, run):
    async def story():
        process.hears()
        reader = await process.follow(match=None)
        await process.token()
        own = await reader.next()
        assert (own.event, own.data["match"]) == ("entry", None)
        assert own.data["entry"]["type"] == "token_made"
        await process.open_match("two")
        opened, state = await reader.next(), await reader.next()
        assert (opened.data["match"], opened.data["entry"]["type"]) == ("two", "match_opened")
        assert (state.event, state.data["match"]) == ("state", "two")
        # No entry lies between them, since the players were registered with the first match.
        assert opened.id == own.id + 1

    run(story())


@pytest.mark.parametrize("match", ["one", "two", None])
def test_from_every_position_the_rest_follows_once(process, run, match):
    async def story():
        await process.open_match("two")
        for nth in range(3):
            await process.note(f"{nth}", "more", match="one")
            await process.note(f"{nth}", match="two")
        log = (await process.ledger.part(LEAGUE, 0, 100)).entries
        for after in range(len(log) + 1):
            reader = await process.follow(match, after)
            expected = [
                entry.position
                for entry in log
                if entry.position > after and match in (None, entry.stream.removeprefix("match:"))
            ]
            seen = []
            while seen != expected:
                seen += positions([await reader.next()])
            reader.follower.leave()
        assert len(process.followers) == 0

    run(story())


def test_what_was_missed_ends_with_the_state(process, run):
    async def story():
        await process.open_match("two")
        last = await process.note("one", "two", match="two")
        reader = await process.follow(after=0, match=None)
        frames = await reader.until(last)
        assert positions(frames) == list(range(1, last + 1))
        assert [(f.data["match"], f.data["version"]) for f in frames if f.event == "state"] == [
            ("one", 1),
            ("two", 3),
        ]

    run(story())


def test_a_long_past_comes_in_parts_and_the_state_at_its_end(process, run):
    async def story():
        last = await process.note(*["tea"] * 500)
        last = await process.note(*["milk"] * 37)
        for match, first in ((None, 1), ("one", OPENED)):
            frames = await (await process.follow(match, after=0)).until(last)
            assert positions(frames) == list(range(first, last + 1))
            assert [frame.event for frame in frames].count("state") == 1

    run(story())


def test_a_process_that_hears_of_nothing_finds_everything_by_polling(
    processes, postgresql_url, run
):
    """Notifications are cut: what another process records is found in the log."""

    async def story():
        writing = processes_[0]
        deaf = processes_[1]
        await writing.open()
        reader = await deaf.follow(after=0)
        last = await writing.note()
        await deaf.followers.poll()
        assert positions(await reader.until(last)) == [OPENED, OPENED + 1]
        for _ in range(3):
            await writing.note("milk", "sugar")
            last = await writing.note()
            await deaf.followers.poll()
            frames = await reader.until(last)
            assert positions(frames) == [last - 2, last - 1, last]

    processes_ = [processes(postgresql_url), processes(postgresql_url)]
    run(story())


def test_lost_wake_ups_cost_nothing_but_time(process, run):
    async def story():
        reader = await process.follow()
        assert (await reader.next()).event == "state"
        last = [await process.note() for _ in range(3)][-1]
        await process.followers.poll()
        assert positions(await reader.until(last)) == [OPENED + 1, OPENED + 2, OPENED + 3]

    run(story())


def test_what_is_recorded_while_somebody_joins_is_not_lost(process, run):
    """The feed is made after the ledger's size was read, and then reads what came in between."""

    async def story():
        head = process.ledger.head

        async def slow_head(league):
            found = await head(league)
            await process.note("meanwhile")
            return found

        process.ledger.head = slow_head
        reader = await process.follow(match=None)
        frames = await reader.until(OPENED + 1)
        assert positions(frames) == [OPENED + 1]
        process.ledger.head = head

    run(story())


def test_who_falls_behind_is_told_and_gets_the_rest_once(process, run):
    async def story():
        process.hears()
        reader = await process.follow()
        other = await process.follow()
        await reader.next(), await other.next()
        last = await process.note()
        assert positions(await reader.until(last)) == [OPENED + 1]
        # The first follower takes nothing for a while, the other one does.
        for _ in range(3):
            last = await process.note(*[LONG] * (MOST_WAITING // len(LONG)))
            await other.until(last)
        resync = await reader.next()
        assert (resync.event, resync.id, resync.data) == (
            "resync",
            OPENED + 1,
            {"position": OPENED + 1},
        )
        frames = await reader.until(last)
        assert positions(frames) == list(range(OPENED + 2, last + 1))
        assert frames[-1].data["version"] == last - OPENED + 1
        last = await process.note()
        assert positions(await reader.until(last)) == [last]

    run(story())


def test_who_is_still_on_the_way_is_not_told_of_falling_behind(process, run):
    async def story():
        process.hears()
        last = await process.note(*["tea"] * 200)
        reader, other = await process.follow(after=0), await process.follow()
        await other.next()
        seen = [await reader.next()]
        for _ in range(3):
            last = await process.note(*[LONG] * (MOST_WAITING // len(LONG)))
            await other.until(last)
        seen += await reader.until(last)
        assert positions(seen) == list(range(OPENED, last + 1))
        assert {frame.event for frame in seen} == {"entry", "state"}

    run(story())


@pytest.mark.parametrize("match", ["one", None])
def test_a_position_that_the_ledger_has_not_reached(process, run, match):
    """An older copy of the database was restored, so what the follower saw beyond it is gone."""

    async def story():
        process.hears()
        reader = await process.follow(match, after=100)
        resync = await reader.next()
        assert (resync.event, resync.id, resync.data) == ("resync", OPENED, {"position": OPENED})
        if match is not None:
            state = await reader.next()
            assert (state.event, state.position) == ("state", OPENED)
        last = await process.note()
        assert positions(await reader.until(last)) == [OPENED + 1]

    run(story())


def test_a_revoked_token_follows_no_longer_and_others_do(process, run):
    async def story():
        process.hears()
        caller, authorization = await process.token()
        theirs = await process.follow(caller=caller, authorization=authorization)
        ours = await process.follow()
        await process.note("before")
        await process.tokens.revoke(ADMIN, LEAGUE, caller.token_id)
        last = await process.note("after")
        assert "after" not in str(await theirs.rest())
        assert positions(await ours.until(last))[-1] == last

    run(story())


def test_a_token_that_another_process_revoked_follows_nothing(processes, postgresql_url, run):
    """What this process remembers of the token does not let its holder in."""

    async def story():
        here, elsewhere = both
        await here.open()
        caller, authorization = await here.token()
        assert await here.access.caller(authorization) == caller
        await elsewhere.tokens.revoke(ADMIN, LEAGUE, caller.token_id)
        with pytest.raises(Refused) as refused:
            await here.follow(caller=caller, authorization=authorization)
        assert refused.value.code == "unauthorized"
        assert len(here.followers) == 0

    both = processes(postgresql_url), processes(postgresql_url)
    run(story())


def test_an_admin_token_that_is_replaced_follows_no_longer(process, run):
    async def story():
        reader = await process.follow()
        await process.followers.poll()
        process.access._given_admin = b"another"
        await process.followers.poll()
        assert await reader.rest() == []
        with pytest.raises(Refused, match="token-unknown"):
            await process.follow()

    run(story())


@pytest.mark.parametrize(("league", "match"), [("away", None), ("away", "one"), ("home", "none")])
def test_what_does_not_exist_is_not_followed(process, run, league, match):
    async def story():
        with pytest.raises(Refused) as refused:
            await process.follow(match, league=league)
        assert refused.value.code == "not-found"
        assert len(process.followers) == 0

    run(story())


def test_a_sign_of_life_every_fifteen_seconds(process, run):
    async def story():
        reader = await process.follow()
        assert (await reader.next()).event == "state"
        taking = asyncio.create_task(reader.next())
        for at, due in ((14, False), (15, True), (29, False), (30, True)):
            process.now = float(at)
            process.followers.beat()
            await asyncio.wait([taking], timeout=None if due else 0)
            assert taking.done() is due
            if due:
                assert await taking == BEAT
                taking = asyncio.create_task(reader.next())
        last = await process.note()
        await process.followers.poll()
        assert positions([await taking, *await reader.until(last)]) == [OPENED + 1]

    run(story())


def test_whoever_takes_no_sign_of_life_any_more_is_given_up(process, run):
    async def story():
        stuck = await process.follow()
        await stuck.next()
        never = asyncio.Event()
        sending = asyncio.create_task(never.wait())
        stuck.follower.sent_by(sending)
        for at in range(15, 120, 15):
            process.now = float(at)
            process.followers.beat()
        with pytest.raises(asyncio.CancelledError):
            await sending
        assert stuck.follower.was_cut
        assert await stuck.rest() == []

    run(story())


def test_whoever_is_cut_before_anything_was_sent_gets_an_empty_stream(process, run):
    """The start of an answer waits for its first piece: without one the server would make a 500."""

    async def story():
        late = await process.follow()
        sent = []

        async def send(message):
            if not sent:  # the task that sends the pieces is made right after this
                asyncio.get_running_loop().call_soon(late.follower.cut)
            sent.append(message["type"])

        stream = EventStream(late.follower).to_asgi_response()
        await stream({"type": "http"}, asyncio.Event().wait, send)
        assert sent == ["http.response.start", "http.response.body"]
        assert len(process.followers) == 0

    run(story())


def test_stopping_ends_every_stream_and_takes_nobody_in(process, run):
    async def story():
        readers = [await process.follow(), await process.follow(match=None)]
        waiting = [asyncio.create_task(reader.rest()) for reader in readers]
        process.followers.stop()
        await asyncio.gather(*waiting)
        with pytest.raises(Refused) as refused:
            await process.follow()
        assert refused.value.code == "unavailable"

    run(story())


def test_a_database_that_goes_away_for_a_while_loses_nothing(process, run):
    async def story():
        process.hears()
        reader = await process.follow()
        await reader.next()
        part = process.ledger.part
        asked = asyncio.Event()

        async def unreachable(*_):
            asked.set()
            raise LedgerUnavailable("cut")

        process.ledger.part = unreachable
        last = await process.note()
        await asked.wait()
        process.ledger.part = part
        await process.followers.poll()
        assert positions(await reader.until(last)) == [OPENED + 1]

    run(story())
