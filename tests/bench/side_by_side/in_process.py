"""Appending in process: everything but HTTP, through the same calls as the API's handlers."""

import asyncio
import gc
import time
import uuid
from typing import Any

import msgspec
import uvloop

from scorekeeper.match.events.events import ToldEvent
from scorekeeper.service.matches.recording import ToRecord
from scorekeeper.service.reading.match_request import MatchRequest
from tests.bench.loads.evening import opening
from tests.bench.loads.load import fresh_id
from tests.bench.loads.open_book import ADMIN, open_book
from tests.bench.measuring.children import answer, job_told
from tests.bench.measuring.samples import Sample, sample


class Writers(msgspec.Struct):
    url: str
    writers: int
    seconds: float
    warm_up: float
    told: dict[str, Any]


async def measure(job: Writers) -> Sample:
    league = f"league-{uuid.uuid4().hex}"
    async with open_book(job.url, league) as book:
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
