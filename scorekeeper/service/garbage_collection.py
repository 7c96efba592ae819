"""Settings of the cyclic garbage collector: cycles are few, and a collection stops all work."""

import gc

# A collection stops the world.
_YOUNG_OBJECTS = 50_000


def tune_garbage_collection() -> None:
    """What start-up left behind is never looked at again, and what is new more rarely."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG_OBJECTS, 20, 50)
