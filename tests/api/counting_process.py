"""What a process does that counts requests beside others.

The library that counts looks at its environment once, when it is imported.
"""

import asyncio
import os


def count_one(directory, until_written):
    """Count a request; print the figures of all, or wait until it has written its own down."""
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = directory
    asyncio.run(_count_one(directory, until_written))


async def _count_one(directory, until_written):
    from scorekeeper.api.layers.request_log import Metrics

    metrics = Metrics(directory)
    metrics.begun()
    metrics.ended("GET", "/x", 200, 0.01)
    if until_written:
        while not metrics._requests.labels("GET", "/x", "200")._value.get():  # noqa: ASYNC110
            await asyncio.sleep(0.01)  # nobody is told when it is written
    else:
        print(metrics.exposition().decode())
