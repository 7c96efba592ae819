"""Reading a league from its first entry: folded match by match, or checked by chain and tree."""

import asyncio
from contextlib import aclosing
from functools import partial
from typing import Literal

import msgspec
from sqlalchemy import Connection, select

from scorekeeper.ledger.checking import LedgerCheck
from scorekeeper.ledger.columns import read_head, read_stored
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.reading.matches import match_stream
from scorekeeper.service.stream_fold import fold_contents
from scorekeeper.store.tables import matches
from tests.bench.children import Stopwatch, answer, job_told, settle
from tests.bench.samples import Work


class ReadingWork(msgspec.Struct):
    """`replay`: every match fetched, decoded and folded. `chain`: chains, digests and tree."""

    url: str
    league: str
    what: Literal["replay", "chain"]


async def measure(job: ReadingWork) -> Work:
    ledger = await Ledger.open_to_read(job.url)
    try:
        settle()
        watch = Stopwatch()
        if job.what == "replay":
            entries = await _replay(ledger, job.league)
        else:
            entries = await ledger.read(partial(_check, league=job.league))
        return watch.work(entries)
    finally:
        await ledger.close()


async def _replay(ledger: Ledger, league: str) -> int:
    """How many entries were folded."""
    folded = 0
    streams = await ledger.read(partial(_match_streams, league=league))
    async with aclosing(ledger.contents_of(league, streams)) as read:
        async for contents in read:
            state = fold_contents(None, contents)
            assert state is not None
            folded += state.version
    return folded


def _match_streams(connection: Connection, league: str) -> list[str]:
    mine = select(matches.c.match).where(matches.c.league == league).order_by(matches.c.opened)
    return [match_stream(slug) for slug in connection.execute(mine).scalars()]


def _check(connection: Connection, league: str) -> int:
    """How many entries were found sound. RuntimeError where one is not."""
    head = read_head(connection, league)
    assert head is not None
    check = LedgerCheck(league, head.log)
    while rows := read_stored(connection, league, check.size):
        flaws = check.take(rows)
        if flaws:
            raise RuntimeError(flaws[0].detail)
    if check.tree.frontier() != head.frontier:
        raise RuntimeError("the head has another frontier than the entries")
    return check.size


if __name__ == "__main__":
    answer(asyncio.run(measure(job_told(ReadingWork))))
