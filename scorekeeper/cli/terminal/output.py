"""Output of a command: what it answers, on standard output, and its progress on standard error.

Both are for people or for programs.
"""

import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import BinaryIO, Final

import click
import msgspec
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
)

STANDARD_OUTPUT: Final = Path("-")
"""What `--out` names in place of a file."""

# Wider than any line, so that no line is wrapped or cut.
_WHOLE_LINES = 1_000_000


def output(*, plain: bool = False) -> Console:
    """Return a console for standard output.

    On a terminal, lines are wrapped to fit, in colours unless `plain` or NO_COLOR is set. In a pipe
    or a file every line is whole and nothing is coloured, whatever the environment says.
    """
    if sys.stdout.isatty():
        return Console(highlight=False, color_system=None if plain else "auto")
    return Console(highlight=False, color_system=None, width=_WHOLE_LINES)


def print_whole(lines: Iterable[str]) -> None:
    """Print lines without wrapping them. They may be styled by click.

    Styles are dropped if NO_COLOR is set, or if standard output is no terminal.
    """
    for line in lines:
        click.echo(line, color=False if output().no_color else None)


def print_document(document: object) -> None:
    """Print the document as JSON, in one line of UTF-8."""
    click.echo(msgspec.json.encode(document))


@contextmanager
def bytes_to(path: Path) -> Generator[BinaryIO]:
    """Open a file to write bytes to, or standard output if `path` is STANDARD_OUTPUT.

    No byte waits in a buffer any more when the context is left.
    """
    if path == STANDARD_OUTPUT:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with blaming(path), path.open("wb") as file:
        yield file


@contextmanager
def blaming(path: Path) -> Generator[None]:
    """Let an OSError that names no file, such as that of a full disk, name this one."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(path)
        raise


class Interrupted(Exception):
    """Raised by `Counting.advance` if nobody waits any more for the work that is counted."""


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
    """Give an event that is set when the context is left, for example by Ctrl-C."""
    left = Event()
    try:
        yield left
    finally:
        left.set()


@contextmanager
def counting(what: str, whole: int | None = None, left: Event | None = None) -> Generator[Counting]:
    """Show a bar on standard error if it is a terminal, else nothing. It disappears at the end.

    `whole`: the total, if it is known already. `left`: see `Counting`.
    """
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
