"""Settings of the interpreter: what stops all work happens rarely, or is short."""

import atexit
import gc
import sys

# A collection stops the world, and cycles are few.
_YOUNG_OBJECTS = 50_000
# In seconds. A thread that folds a long match gives way to the event loop after so long.
_SWITCH_INTERVAL = 0.0005


def tune_interpreter() -> None:
    """What start-up left behind is never looked at again, and what is new more rarely.

    Nor is anything at the end, where the interpreter would look through all modules once more.
    """
    gc.freeze()
    gc.set_threshold(_YOUNG_OBJECTS, 20, 50)
    sys.setswitchinterval(_SWITCH_INTERVAL)
    atexit.register(gc.freeze)
