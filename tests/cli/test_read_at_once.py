"""The logs of a file's matches are read from the service on several threads.

When msgspec 0.22 first decodes a struct, it looks up the fields. If another thread decodes the same
struct meanwhile, the interpreter crashes. So this has to be done before the threads start.
"""

import subprocess
import sys

# Reloading makes new structs each time, and the threads are switched as often as possible.
READ_AT_ONCE = """
import importlib, sys
from types import SimpleNamespace
from scorekeeper.cli import import_requests

page = (
    b'{"items": [{"version": 1, "type": "match_opened", "inferred": false, "data": {"edition": '
    b'"basic", "players": ["ann", "bo"], "revision": 1, "scoring": {"mode": "first-out"}}}], '
    b'"next": null}'
)
service = SimpleNamespace(ask=lambda *_: (200, page))
matches = [str(number) for number in range(8)]
sys.setswitchinterval(1e-6)
for _ in range(300):
    importlib.reload(import_requests)
    logs = import_requests.logs_of(service, "home", matches)
print(len(logs))
"""


def test_many_matches_are_read_at_once_in_a_program_that_has_just_started():
    done = subprocess.run([sys.executable, "-c", READ_AT_ONCE], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "8\n", "")
