"""Prefetch: the database reads the next part while this process works on the present one."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Coroutine, Iterable
from typing import Any, TypeVar

T = TypeVar("T")


async def prefetch(reads: Iterable[Coroutine[Any, Any, T]]) -> AsyncGenerator[T]:
    """What these come to in their order; one is always under way before it is asked for.

    Close it where you stop early: what is under way is cancelled then.
    """
    under_way: deque[asyncio.Task[T]] = deque()
    try:
        for read in reads:
            under_way.append(asyncio.create_task(read))
            await asyncio.sleep(0)  # it begins, even where the one before is there already
            if len(under_way) > 1:
                yield await under_way.popleft()
        if under_way:
            yield await under_way.popleft()
    finally:
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)
