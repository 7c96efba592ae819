"""The command line. Each command is a file of its own, which is imported when it is called."""

import os
import signal
import sys
from contextlib import suppress
from importlib import import_module
from io import RawIOBase, TextIOWrapper

import click
from click.shell_completion import CompletionItem

from scorekeeper.cli.terminal.failures import reported_in_one_line
from scorekeeper.service.interpreter import import_nothing_from_here, tune_interpreter

_COMMANDS = {
    "backup": "Copy a SQLite database, as of one moment.",
    "demo": "Serve a league of simulated people, to look around.",
    "doctor": "Check an installation.",
    "erase": "Delete for good what entries say.",
    "export": "Write a league into a file that can be checked offline.",
    "import": "Bring in a league from an exported file.",
    "import-results": "Import rounds of the past from a CSV file.",
    "key": "Change the key that signs checkpoints.",
    "migrate": "Bring a database to this program's schema.",
    "openapi": "Print the OpenAPI document.",
    "rebuild": "Rebuild lists and tables from the logs.",
    "replay": "Show a round step by step, with the clauses.",
    "restore": "Put a backup in place of a SQLite database.",
    "serve": "Serve the API and the pages.",
    "simulate": "Let simulated players play a league.",
    "token": "Make a new admin token.",
    "verify": "Check exports, or the leagues of a database.",
}
"""Each command and what it does, in the order of the list."""


class Commands(click.Group):
    """Imports a command's module when the command is called, since importing all takes a second.

    A failure of the environment is reported in one line.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        # No module can be imported by the name `import`.
        file = "import_league" if cmd_name == "import" else cmd_name.replace("-", "_")
        command: click.Command = getattr(import_module(f"scorekeeper.cli.{file}"), file)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        named = [
            CompletionItem(name, help=what)
            for name, what in _COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return [*named, *click.Command.shell_complete(self, ctx, incomplete)]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        with reported_in_one_line():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        with reported_in_one_line():
            return super().invoke(ctx)


@click.group(cls=Commands)
@click.version_option(package_name="scorekeeper")
def scorekeeper() -> None:
    """Serve the book of UNO leagues, check it and look after it."""


def _ready_streams() -> None:
    """Make standard input, output and error usable, even if one is closed or lacks some letters.

    If one stayed closed, a file that is opened later would get its number, and our output.
    """
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            handle = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(handle, "r" if name == "stdin" else "w"))
        elif name != "stdin" and isinstance(stream, TextIOWrapper):
            # A letter that can't be shown is printed as its code, such as a Chinese name on a
            # terminal that has only Latin letters.
            with suppress(OSError):  # the file of the stream may have been replaced by another one
                stream.reconfigure(errors="backslashreplace")
    _buffer_output()


def _buffer_output() -> None:
    """Write through a buffer even if PYTHONUNBUFFERED is set. Each line still goes out at its end.

    Without one, a write to a disk that is almost full may drop the rest of its bytes without an
    error (`io.RawIOBase.write`), and the error of a full one can't be told from that of a file.
    """
    bare = sys.stdout
    if isinstance(bare.buffer, RawIOBase):
        sys.stdout = os.fdopen(
            bare.fileno(),
            "w",
            buffering=1,
            encoding=bare.encoding,
            errors=bare.errors,
            closefd=False,
        )


def main() -> None:
    tune_interpreter()
    import_nothing_from_here()
    _ready_streams()
    try:
        scorekeeper()
    finally:
        # It has ended: a second Ctrl-C would print tracebacks out of what Python still has to do.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
