"""Sparing the collector of cyclic garbage: there is little of it, and much else to look at."""

import gc

# A collection stops the world.
_YOUNG_OBJECTS = 50_000


def spare_the_collector() -> None:
    """What start-up left behind is never looked at again, and what is new more rarely."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG_OBJECTS, 20, 50)
