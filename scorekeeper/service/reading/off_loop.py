"""Folding a match without keeping the event loop from everything else."""

import asyncio
from collections.abc import Callable
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

FOLDED_AT_ONCE: Final = 200
"""Entries: more take longer than the loop may be kept."""


async def fold_off_loop(size: int, fold: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """What `fold`, a pure function of so many entries, gives; on a thread where they are many."""
    if size > FOLDED_AT_ONCE:
        return await asyncio.to_thread(fold, *given, **named)
    return fold(*given, **named)
