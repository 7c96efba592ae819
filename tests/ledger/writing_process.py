"""A process that appends: python writing_process.py URL RUN WRITERS EVENTS [LEAGUE …]

Each writer appends its events one by one to one of three streams, with ids that follow from RUN,
and a line with the id is printed once an event is acknowledged. Started again with the same RUN it
sends the same events again. Of several leagues each event goes to one at random. They are opened if
need be.
"""

import asyncio
import os
import random
import sys
from uuid import NAMESPACE_OID, uuid5

from asking import LEAGUE, opening, telling, together

from scorekeeper.ledger.ledger import Ledger

STREAMS = 3


def event_id(run, writer, number):
    return str(uuid5(NAMESPACE_OID, f"{run} {writer} {number}"))


async def main(url, run, writers, events, leagues):
    ledger = await Ledger.open(url)
    await together(ledger, *map(opening, leagues))

    async def write(writer):
        for number in range(events):
            one = event_id(run, writer, number)
            stream = f"match:{writer % STREAMS}"
            await ledger.append(telling(stream, [one], league=random.choice(leagues)))
            os.write(1, f"{one}\n".encode())

    await asyncio.gather(*(write(writer) for writer in range(writers)))
    await ledger.close()


if __name__ == "__main__":
    url, name, writers, events, *named = sys.argv[1:]
    asyncio.run(main(url, name, int(writers), int(events), named or [LEAGUE]))
