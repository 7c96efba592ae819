"""Reading a league from its first entry: folded match by match, or checked by chain and tree."""

import asyncio
from functools import partial
from typing import Literal

import msgspec
from sqlalchemy import Connection, select

from scorekeeper.ledger.integrity.checking import LedgerCheck
from scorekeeper.ledger.integrity.raw_rows import read_head, read_stored
from scorekeeper.ledger.ledger import Ledger
from scorekeeper.service.reading.matches import Reading
from scorekeeper.store.tables import matches
from tests.bench.measuring.children import Stopwatch, answer, job_told, settle
from tests.bench.measuring.samples import Work

_AT_ONCE = 64


class ReadingWork(msgspec.Struct):
    """`replay`: matches are fetched, decoded and folded, as for the standings of a tournament.

    `chain`: chains, digests and the tree are checked.
    """

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
    reading = Reading(ledger)
    for some in await ledger.read(partial(_matches, league=league)):
        latest = await reading.latest_of(league, some)
        assert len(latest) == len(some)
        folded += sum(folded.state.version for folded in latest.values())
    return folded


def _matches(connection: Connection, league: str) -> list[list[str]]:
    """Return the matches in groups as large as a club's tournament may have tables."""
    mine = select(matches.c.match).where(matches.c.league == league).order_by(matches.c.opened)
    slugs = connection.execute(mine).scalars().all()
    return [list(slugs[at : at + _AT_ONCE]) for at in range(0, len(slugs), _AT_ONCE)]


def _check(connection: Connection, league: str) -> int:
    """Return the number of entries that are valid; raise RuntimeError if one is not."""
    head = read_head(connection, league)
    assert head is not None
    check = LedgerCheck(league, head.log)
    while rows := read_stored(connection, league, check.size):
        flaws, _ = check.take(rows)
        if flaws:
            raise RuntimeError(flaws[0].detail)
    if check.tree.frontier() != head.frontier:
        raise RuntimeError("the head has another frontier than the entries")
    return check.size


if __name__ == "__main__":
    answer(asyncio.run(measure(job_told(ReadingWork))))
