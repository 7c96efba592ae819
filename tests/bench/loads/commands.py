"""The product's own commands, measured as users see them, with start and end of the process."""

import os
import subprocess
import sys
import time
from pathlib import Path

from tests.bench.measuring.children import megabytes
from tests.bench.measuring.samples import Work


def command(arguments: list[str], url: str, data: Path, entries: int) -> Work:
    """Run `scorekeeper` on a database; `entries` is how many it goes through."""
    whole = [Path(sys.executable).parent / "scorekeeper", *arguments]
    environment = {
        **os.environ,
        "SCOREKEEPER_DATABASE_URL": url,
        "SCOREKEEPER_DATA_DIR": str(data),
    }
    begun = time.perf_counter()
    process = subprocess.Popen(whole, env=environment, stdout=subprocess.DEVNULL)
    # `wait4` reports this child alone; getrusage would report the maximum of all children.
    _, status, used = os.wait4(process.pid, 0)
    taken = time.perf_counter() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"scorekeeper {arguments[0]} ended with {process.returncode}")
    return Work(entries / taken, megabytes(used))
