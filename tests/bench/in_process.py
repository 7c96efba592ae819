"""Appending in process: everything but HTTP, through the same calls as the API's handlers."""

import asyncio
import gc
import time
import uuid
from typing import Any

import msgspec
import uvloop

from scorekeeper.match.events.events import ToldEvent
from scorekeeper.service.identity.access import Caller
from scorekeeper.service.matches.recording import ToRecord
from scorekeeper.service.reading.match_request import MatchRequest
from scorekeeper.service.services import open_services
from scorekeeper.service.views import LeagueOpening, PlayerRegistration
from scorekeeper.settings import Settings
from scorekeeper.store.migrate import upgrade
from tests.bench.children import answer, job_told
from tests.bench.evening import PLAYERS, opening
from tests.bench.load import fresh_id
from tests.bench.samples import Sample, sample

ADMIN = Caller("admin", "admin", None)


class Writers(msgspec.Struct):
    url: str
    writers: int
    seconds: float
    warm_up: float
    told: dict[str, Any]


async def measure(job: Writers) -> Sample:
    await upgrade(job.url)
    async with open_services(job.url, evidence_files=Settings().evidence_files) as book:
        league = f"league-{uuid.uuid4().hex}"
        await book.leagues.open(ADMIN, LeagueOpening(league=league, name="Measured"), None)
        for player in PLAYERS:
            await book.players.register(ADMIN, league, PlayerRegistration(player, player), None)
        matches = [f"match-{nth}" for nth in range(job.writers)]
        for match in matches:
            request = msgspec.convert(opening(match), MatchRequest)
            await book.matches.open(ADMIN, league, request, None, "en")
        gc.collect()
        gc.freeze()
        counted_from = time.perf_counter() + job.warm_up
        until = counted_from + job.seconds
        milliseconds: list[float] = []

        async def write(match: str) -> None:
            told = msgspec.convert(job.told, ToldEvent)
            while (begun := time.perf_counter()) < until:
                event = msgspec.structs.replace(told, id=fresh_id().decode())
                outcome = await book.recording.record(ToRecord(ADMIN, league, match, [event]))
                done = time.perf_counter()
                if not outcome.created:
                    raise RuntimeError(outcome.body.decode())
                if counted_from <= done <= until:
                    milliseconds.append((done - begun) * 1000)

        await asyncio.gather(*map(write, matches))
    return sample(len(milliseconds) / job.seconds, milliseconds)


if __name__ == "__main__":
    answer(uvloop.run(measure(job_told(Writers))))
