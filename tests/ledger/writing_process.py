"""A process that appends: python writing_process.py URL RUN WRITERS EVENTS

Each writer appends its events one by one to one of three streams, with ids that follow from RUN,
and a line with the id is printed once an event is acknowledged. Started again with the same RUN it
sends the same events again. It opens the league if need be.
"""

import asyncio
import os
import sys
from uuid import NAMESPACE_OID, uuid5

from asking import opening, telling

from scorekeeper.ledger.ledger import Ledger

STREAMS = 3


def event_id(run, writer, number):
    return str(uuid5(NAMESPACE_OID, f"{run} {writer} {number}"))


async def main(url, run, writers, events):
    ledger = await Ledger.open(url)
    await ledger.append(opening())

    async def write(writer):
        for number in range(events):
            one = event_id(run, writer, number)
            await ledger.append(telling(f"match:{writer % STREAMS}", [one]))
            os.write(1, f"{one}\n".encode())

    await asyncio.gather(*(write(writer) for writer in range(writers)))
    await ledger.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
