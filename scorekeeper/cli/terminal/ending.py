"""Signals that end a command, so that it clears away what it has half written."""

import signal
import sys
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType
from typing import Final, Never

_ENDING: Final = [signal.SIGTERM]
if sys.platform != "win32":
    _ENDING.append(signal.SIGHUP)


@contextmanager
def ended_in_order() -> Generator[None]:
    """Let a signal that ends the command do so by an exception, so that no torn file is left."""
    before = {number: signal.getsignal(number) for number in _ENDING}
    # What is ignored, as by `nohup`, stays so.
    handled = [number for number, then in before.items() if then is signal.SIG_DFL]
    for number in handled:
        signal.signal(number, _end)
    try:
        yield
    finally:
        for number in handled:
            signal.signal(number, signal.SIG_DFL)


def _end(number: int, frame: FrameType | None) -> Never:
    """Exit with the code that a shell gives to a program that this signal ended."""
    sys.exit(128 + number)
