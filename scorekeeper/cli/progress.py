"""How far a long command is, on standard error."""

from collections.abc import Generator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
)


class Counting:
    """A count of entries towards a total that may become known later."""

    def __init__(self, bar: Progress, what: str, entries: int | None) -> None:
        self._bar = bar
        self._task = bar.add_task(what, total=entries)

    def total(self, entries: int) -> None:
        self._bar.update(self._task, total=entries)

    def advance(self, entries: int) -> None:
        self._bar.advance(self._task, entries)


@contextmanager
def counting(what: str, entries: int | None = None) -> Generator[Counting]:
    """A bar where somebody looks, and nothing where nobody does; it goes away at the end."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns,
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bar:
        yield Counting(bar, what, entries)
