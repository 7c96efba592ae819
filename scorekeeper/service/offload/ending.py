"""Ending with the process that one was started by."""

import multiprocessing
import os
import signal
import threading
from multiprocessing.connection import wait


def end_with_parent() -> None:
    """Have a worker end, as if it were asked to, where the process that started it was killed.

    It would go on by itself, with the port and on SQLite with the database, and the next start
    would find both taken.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent.sentinel,), daemon=True).start()


def _end_after(sentinel: int) -> None:
    wait([sentinel])
    os.kill(os.getpid(), signal.SIGTERM)
