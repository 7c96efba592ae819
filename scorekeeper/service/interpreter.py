"""Settings of the interpreter: fewer and shorter pauses of the event loop, and what it imports."""

import atexit
import gc
import os
import sys

# A collection stops all threads, and there are few cycles to collect.
_YOUNG_OBJECTS = 50_000
# Seconds after which a thread that folds a long match gives way to the event loop.
_SWITCH_INTERVAL = 0.0005


def tune_interpreter() -> None:
    """Make garbage collections rare, and have threads give way to the event loop sooner.

    Objects that were made during the start-up are never collected. At the exit all objects are
    exempted, or the interpreter would go through them once more.
    """
    gc.freeze()
    gc.set_threshold(_YOUNG_OBJECTS, 20, 50)
    sys.setswitchinterval(_SWITCH_INTERVAL)
    atexit.register(gc.freeze)


def import_nothing_from_here() -> None:
    """Have the processes that this one starts import no module from the working directory.

    There anything may lie, such as a `random.py` of somebody else.
    """
    os.environ["PYTHONSAFEPATH"] = "1"  # noqa: TID251 it is written only
