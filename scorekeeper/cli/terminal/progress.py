"""Progress of a long command, on standard error."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from threading import Event

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
)


class Interrupted(Exception):
    """Nobody waits any more for what is counted."""


class Counting:
    """A count towards a total that may become known later.

    `left`: once it is set, the next step raises Interrupted, so that work on a thread ends, too.
    """

    def __init__(self, bar: Progress, what: str, whole: int | None, left: Event) -> None:
        self._bar = bar
        self._task = bar.add_task(what, total=whole)
        self._left = left

    def total(self, whole: int) -> None:
        self._bar.update(self._task, total=whole)

    def advance(self, by: int) -> None:
        if self._left.is_set():
            raise Interrupted
        self._bar.advance(self._task, by)


@contextmanager
def until_left() -> Generator[Event]:
    """An event that is set when this is left, as by Ctrl-C."""
    left = Event()
    try:
        yield left
    finally:
        left.set()


@contextmanager
def counting(what: str, whole: int | None = None, left: Event | None = None) -> Generator[Counting]:
    """A bar where somebody looks, and nothing where nobody does; it goes away at the end."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns,
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not sys.stderr.isatty(),
    ) as bar:
        yield Counting(bar, what, whole, left or Event())
