"""Ratings that rest on what was read while somebody else changed it are not kept."""

import asyncio

import pytest

from scorekeeper.match.events.events import LogAmended, RoundTallied
from scorekeeper.match.events.opening import Scoring
from scorekeeper.service.matches.recording import ToRecord
from scorekeeper.service.reading.match_request import MatchRequest
from scorekeeper.service.standings.rating import Ratings
from tests.databases import in_database
from tests.service.findings import found
from tests.service.following import ADMIN, LEAGUE


def won_by(player):
    return RoundTallied(winners=(player,), hands={})


async def play(process, match, winner):
    request = MatchRequest(
        edition="basic",
        players=("ann", "bo"),
        match=match,
        scoring=Scoring(mode="first-out", rounds=1),
        events=(won_by(winner),),
    )
    await process.matches.open(ADMIN, LEAGUE, request, None, "en")


@pytest.fixture
def one_at_a_time(monkeypatch):
    monkeypatch.setattr("scorekeeper.service.standings.rating._MATCHES_AT_ONCE", 1)


@pytest.mark.usefixtures("one_at_a_time")
def test_ratings_that_were_read_between_a_correction_and_its_rating_are_not_built_upon(
    process, database_url, run, monkeypatch
):
    """Others have rated the corrected match by the time, so the progress is as it was."""

    async def story():
        slow, others = Ratings(process.ledger), Ratings(process.ledger)
        for match, winner in (("first", "ann"), ("second", "bo")):
            await play(process, match, winner)
        assert await slow._step(LEAGUE)
        read, reads = process.ledger.read, 0

        async def with_a_correction(work):
            nonlocal reads
            reads += 1
            if reads != 4:
                return await read(work)
            amended = LogAmended(first=2, remove=1, insert=(won_by("bo"),), reason="misheard")
            monkeypatch.setattr(process.ledger, "read", read)
            await process.recording.record(ToRecord(ADMIN, LEAGUE, "first", [amended]))
            before = await read(work)
            assert before == []
            assert await others._step(LEAGUE)
            return before

        monkeypatch.setattr(process.ledger, "read", with_a_correction)
        await slow._step(LEAGUE)
        assert reads == 4
        await slow.catch_up(LEAGUE)
        assert await asyncio.to_thread(in_database, database_url, found) == []

    run(story())
