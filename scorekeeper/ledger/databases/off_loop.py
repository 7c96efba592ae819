"""Computing that takes some milliseconds, beside the event loop.

On SQLite all work with the database runs on a thread of its own. On PostgreSQL it runs on the event
loop, and gives way to others only while it waits for the server.
"""

import asyncio
from collections.abc import Callable
from typing import Protocol, TypeVar

from sqlalchemy.util import await_only

T = TypeVar("T")


class OffLoop(Protocol):
    """Runs work that reads nothing of the database and that nothing else touches meanwhile."""

    def __call__(self, work: Callable[[], T], /) -> T: ...


def at_once(work: Callable[[], T]) -> T:
    """Where no event loop runs on this thread, or the work is short."""
    return work()


def on_a_thread(work: Callable[[], T]) -> T:
    """The connection waits for it as it waits for the server."""
    return await_only(asyncio.to_thread(work))
