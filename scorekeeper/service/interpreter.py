"""Settings of the interpreter: fewer and shorter pauses of the event loop."""

import atexit
import gc
import sys

# A collection stops the world, and cycles are few.
_YOUNG_OBJECTS = 50_000
# In seconds. A thread that folds a long match gives way to the event loop after so long.
_SWITCH_INTERVAL = 0.0005


def tune_interpreter() -> None:
    """Make garbage collections rare, and have threads give way to the event loop sooner.

    Objects of the start-up are never collected again. At the exit all objects are exempted, or the
    interpreter would go through them once more.
    """
    gc.freeze()
    gc.set_threshold(_YOUNG_OBJECTS, 20, 50)
    sys.setswitchinterval(_SWITCH_INTERVAL)
    atexit.register(gc.freeze)
