"""A process that counts requests for the metrics, next to other such processes.

It has to be a process: the metrics library reads its environment variable once, when it is
imported.
"""

import asyncio
import os


def count_one(directory, until_written):
    """Count a request, then print the metrics of all processes or wait until it is on disk."""
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = directory
    asyncio.run(_count_one(directory, until_written))


async def _count_one(directory, until_written):
    from scorekeeper.api.layers.request_log import Metrics

    metrics = Metrics(directory)
    metrics.begun()
    metrics.ended("GET", "/x", 200, 0.01)
    if until_written:
        while not metrics._requests.labels("GET", "/x", "200")._value.get():  # noqa: ASYNC110
            await asyncio.sleep(0.01)  # polled, since nothing announces the write
    else:
        print(metrics.exposition().decode())
