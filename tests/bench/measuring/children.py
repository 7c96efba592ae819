"""Measurements in a process of their own, so that none warms caches or leaves garbage for the next.

A child is a module that is run as a program. It reads its job as JSON from standard input, and
writes its sample or another result as JSON to standard output.
"""

import resource
import subprocess
import sys
import time
from typing import TypeVar

import msgspec

from scorekeeper.service.interpreter import tune_interpreter
from tests.bench.measuring.samples import Sample, Work

Job = TypeVar("Job", bound=msgspec.Struct)
Found = TypeVar("Found")

# Linux counts memory in this unit.
_KIB = 1_024


def measured_apart(module: str, job: msgspec.Struct) -> Sample:
    return done_apart(module, job, Sample)


def done_apart(module: str, job: msgspec.Struct, kind: type[Found]) -> Found:
    """Run a child, and return its result."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", module],
        input=msgspec.json.encode(job),
        stdout=subprocess.PIPE,
    )
    if done.returncode:
        raise SystemExit(f"{module} stopped: a measurement of wrong answers is worth nothing")
    return msgspec.json.decode(done.stdout, type=kind)


def job_told(kind: type[Job]) -> Job:
    return msgspec.json.decode(sys.stdin.buffer.read(), type=kind)


def answer(found: object) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(found))


def settle() -> None:
    """Tune the interpreter, as the server and the commands do after their start."""
    tune_interpreter()


class Stopwatch:
    """A stopwatch that starts when it is made."""

    def __init__(self) -> None:
        self._begun = time.perf_counter(), time.process_time()

    def work(self, entries: int) -> Work:
        """Return the work since the start."""
        wall, processor = self._begun
        return Work(
            entries / (time.perf_counter() - wall),
            peak_megabytes(),
            entries / (time.process_time() - processor),
        )


def peak_megabytes() -> float:
    """Return the peak memory of this process so far, in units of 10^6 bytes."""
    return megabytes(resource.getrusage(resource.RUSAGE_SELF))


def megabytes(used: resource.struct_rusage) -> float:
    """Return the peak memory of a process, in units of 10^6 bytes."""
    return used.ru_maxrss * _KIB / 1_000_000
