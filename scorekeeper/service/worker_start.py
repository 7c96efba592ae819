"""How a worker process begins, and that it ends with the process that started it.

A worker imports this first, and what it works with only after `begin_worker`. Otherwise the
interpreter would search for garbage two hundred times during these imports.
"""

import multiprocessing
import os
import signal
import threading
import time
from multiprocessing.connection import Connection, wait
from multiprocessing.sharedctypes import Synchronized
from typing import TypeAlias

from scorekeeper.service.interpreter import tune_interpreter

STOP_SECONDS = 4
"""How long open streams and requests may delay a stop."""

Counted: TypeAlias = "Synchronized[int]"
"""How many entries the workers have checked since it was last read."""


def end_with_parent() -> None:
    """Have this worker stop in an orderly way if the process that started it is killed.

    Otherwise it would go on alone and keep the port, and on SQLite the database. Then the next
    start would fail. A worker that has not stopped in time is killed, as its parent would do.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        _end_with(parent.sentinel)


def _end_with(*others: int | Connection) -> None:
    """Have this process end as soon as one of these processes has ended, or pipes was closed."""
    threading.Thread(target=_end_after, args=others, daemon=True).start()


def _end_after(*others: int | Connection) -> None:
    wait(others)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(STOP_SECONDS)
    os.kill(os.getpid(), signal.SIGKILL)


def begin_worker(pool: Connection | None = None) -> None:
    """Prepare a process of a pool. It ignores Ctrl-C, since its parent ends it.

    `pool`: a pipe whose other end the parent closes to end the process in the middle of its work.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tune_interpreter()
    end_with_parent()
    if pool is not None:
        _end_with(pool)


_counted: "Counted | None" = None


def begin_counting(counted: Counted) -> None:
    """Prepare a process of a pool whose work calls `count`."""
    global _counted  # noqa: PLW0603 what a process is given when it starts
    _counted = counted
    begin_worker()


def count(entries: int) -> None:
    """Tell the parent of a process that `begin_counting` prepared of so many checked entries."""
    assert _counted is not None
    with _counted.get_lock():
        _counted.value += entries
