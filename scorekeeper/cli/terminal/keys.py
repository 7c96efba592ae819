"""Reading single key presses from a terminal."""

import os
import re
import sys
from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager

import click

_KEY = re.compile(r"\x1b[\[O][A-Z]|.", re.DOTALL)


if sys.platform == "win32":

    @contextmanager
    def keys() -> Generator[Callable[[], str]]:
        """While this lasts, keys are answered one by one."""
        yield click.getchar

else:
    import termios
    import tty

    @contextmanager
    def keys() -> Generator[Callable[[], str]]:
        """While this lasts, keys are answered one by one, also those pressed in between.

        An arrow is answered as its escape sequence, the end of the input as the end of a text.
        """
        terminal = sys.stdin.fileno()
        before = termios.tcgetattr(terminal)
        waiting: deque[str] = deque()

        def key() -> str:
            while not waiting:
                read = os.read(terminal, 64)
                if not read:
                    return "\x04"
                waiting.extend(_KEY.findall(read.decode(errors="replace")))
            return waiting.popleft()

        tty.setcbreak(terminal, termios.TCSADRAIN)
        try:
            yield key
        finally:
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)
