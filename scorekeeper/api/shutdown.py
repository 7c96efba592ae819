"""Reacting to the signal to stop before the server has finished its answers."""

import asyncio
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def on_stop_signal(stop: Callable[[], None]) -> Generator[None]:
    """While open, `stop` is called on the running loop as soon as a signal asks the process to end.

    What the signal did before, it still does: a server ends the application's lifespan only when
    all answers are sent, and a stream that nobody ends never is.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    before = {number: signal.getsignal(number) for number in _SIGNALS}

    def handle(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(stop)
        then = before[signal.Signals(number)]
        if callable(then):
            then(number, frame)

    # A signal without a handler ends the process, and must still do so.
    handled = [number for number, then in before.items() if callable(then)]
    for number in handled:
        signal.signal(number, handle)
    try:
        yield
    finally:
        for number in handled:
            if signal.getsignal(number) is handle:
                signal.signal(number, before[number])
