"""Measurements that run in a process of their own, so that one does not warm or litter another's.

A child is a module run as a program: it reads its job as JSON from standard input and writes its
sample, or what else it found, as JSON to standard output.
"""

import resource
import subprocess
import sys
import time
from typing import TypeVar

import msgspec

from scorekeeper.service.interpreter import tune_interpreter
from tests.bench.samples import Sample, Work

Job = TypeVar("Job", bound=msgspec.Struct)
Found = TypeVar("Found")

# The unit in which Linux counts memory.
_KIB = 1_024


def measured_apart(module: str, job: msgspec.Struct) -> Sample:
    return done_apart(module, job, Sample)


def done_apart(module: str, job: msgspec.Struct, kind: type[Found]) -> Found:
    """What a child found."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", f"tests.bench.{module}"],
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
    """Before a measurement: as the server and the commands do it once they have started."""
    tune_interpreter()


class Stopwatch:
    """Runs from the moment it is made."""

    def __init__(self) -> None:
        self._begun = time.perf_counter(), time.process_time()

    def work(self, entries: int) -> Work:
        """What was done since."""
        wall, processor = self._begun
        return Work(
            entries / (time.perf_counter() - wall),
            peak_megabytes(),
            entries / (time.process_time() - processor),
        )


def peak_megabytes() -> float:
    """The most memory that this process has held so far."""
    return megabytes(resource.getrusage(resource.RUSAGE_SELF))


def megabytes(used: resource.struct_rusage) -> float:
    """The most memory that a process held, in units of 10^6 bytes."""
    return used.ru_maxrss * _KIB / 1_000_000
