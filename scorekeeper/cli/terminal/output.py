"""Standard output for people or for programs."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

import click
import msgspec
from rich.console import Console

STANDARD_OUTPUT: Final = Path("-")
"""What `--out` names in place of a file."""

# Wider than any line, so that no line is wrapped or cut.
_WHOLE_LINES = 1_000_000


def output(*, plain: bool = False) -> Console:
    """Lines fit the terminal where there is one, in colours unless `plain` or NO_COLOR is set.

    In a pipe or a file every line is whole and nothing is coloured, whatever the environment says.
    """
    if sys.stdout.isatty():
        return Console(highlight=False, color_system=None if plain else "auto")
    return Console(highlight=False, color_system=None, width=_WHOLE_LINES)


def print_document(document: object) -> None:
    """One JSON document in one line of UTF-8."""
    click.echo(msgspec.json.encode(document))


@contextmanager
def bytes_to(path: Path) -> Generator[BinaryIO]:
    """A file to write bytes to, or standard output where `path` is STANDARD_OUTPUT."""
    if path == STANDARD_OUTPUT:
        yield sys.stdout.buffer
        return
    try:
        with path.open("wb") as file:
            yield file
    except OSError as error:
        # A full disk, for example. Its error does not name the file.
        error.filename = error.filename or str(path)
        raise
