"""The interpreter's settings for commands, workers and readers of long matches."""

import subprocess
import sys

ENDING = """
import atexit, gc
atexit.register(lambda: print(gc.get_freeze_count(), len(gc.get_objects())))
from scorekeeper.service.interpreter import tune_interpreter
tune_interpreter()
kept = [[] for _ in range(10_000)]
"""


def test_what_is_left_at_the_end_is_looked_through_by_nobody() -> None:
    """A last garbage collection would take a third of the time of a short command."""
    ended = subprocess.run([sys.executable, "-c", ENDING], capture_output=True, text=True)
    frozen, left = map(int, ended.stdout.split())
    assert frozen > 10_000
    assert left < 1_000
