"""A process that appends events.

Each writer appends its events one by one to one of three streams. Their ids follow from RUN. Once
an event is acknowledged, a line with its id is printed. A process started again with the same RUN
sends the same events again. If there are several leagues, each event goes to a random one. The
leagues are opened if need be.
"""

import asyncio
import os
import random
from uuid import NAMESPACE_OID, uuid5

from scorekeeper.ledger.ledger import Ledger
from tests.ledger.asking import opening, telling, together

STREAMS = 3


def event_id(run, writer, number):
    return str(uuid5(NAMESPACE_OID, f"{run} {writer} {number}"))


def write(url, run, writers, events, leagues):
    asyncio.run(_write(url, run, writers, events, leagues))


async def _write(url, run, writers, events, leagues):
    ledger = await Ledger.open(url)
    await together(ledger, *map(opening, leagues))

    async def write_one_by_one(writer):
        for number in range(events):
            one = event_id(run, writer, number)
            stream = f"match:{writer % STREAMS}"
            await ledger.append(telling(stream, [one], league=random.choice(leagues)))
            os.write(1, f"{one}\n".encode())

    await asyncio.gather(*(write_one_by_one(writer) for writer in range(writers)))
    await ledger.close()
