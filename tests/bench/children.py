"""Measurements that run in a process of their own, so that one does not warm or litter another's.

A child is a module run as a program: it reads its job as JSON from standard input and writes its
sample as JSON to standard output.
"""

import subprocess
import sys
from typing import TypeVar

import msgspec

from tests.bench.samples import Sample

Job = TypeVar("Job", bound=msgspec.Struct)


def measured_apart(module: str, job: msgspec.Struct) -> Sample:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", f"tests.bench.{module}"],
        input=msgspec.json.encode(job),
        stdout=subprocess.PIPE,
    )
    if done.returncode:
        raise SystemExit(f"{module} stopped: a measurement of wrong answers is worth nothing")
    return msgspec.json.decode(done.stdout, type=Sample)


def job_told(kind: type[Job]) -> Job:
    return msgspec.json.decode(sys.stdin.buffer.read(), type=kind)


def answer(measured: Sample) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(measured))
