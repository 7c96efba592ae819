"""Bytes on standard output are written by the time at which a command says so."""

import errno
import os
import sys
from contextlib import suppress

import pytest

from scorekeeper.cli.terminal.output import STANDARD_OUTPUT, bytes_to


def test_few_bytes_are_written_before_they_are_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    full = os.fdopen(os.open("/dev/full", os.O_WRONLY), "w")
    monkeypatch.setattr(sys, "stdout", full)
    full_disk = pytest.raises(OSError, match=os.strerror(errno.ENOSPC))
    with full_disk, bytes_to(STANDARD_OUTPUT) as out:
        out.write(b"few")
    with suppress(OSError):  # the bytes still wait
        full.close()
