"""The command line. Each command is a file of its own, which is imported when it is called."""

from importlib import import_module

import click

from scorekeeper.cli.terminal.failures import reported_in_one_line
from scorekeeper.service.interpreter import tune_interpreter

_FILES = {
    "import": "import_league",
    "import-results": "import_results",
} | {
    name: name
    for name in (
        "backup",
        "demo",
        "doctor",
        "erase",
        "export",
        "key",
        "migrate",
        "openapi",
        "rebuild",
        "replay",
        "restore",
        "serve",
        "simulate",
        "token",
        "verify",
    )
}
"""Where each command lies, under the same name as its file."""


class Commands(click.Group):
    """Reads a command's file when it is asked for, so that a shell completes a name quickly.

    Whatever fails for want of something outside is told in a line.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_FILES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        file = _FILES.get(cmd_name)
        if file is None:
            return None
        command: click.Command = getattr(import_module(f"scorekeeper.cli.{file}"), file)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        with reported_in_one_line():
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        with reported_in_one_line():
            return super().invoke(ctx)


@click.group(cls=Commands)
@click.version_option(package_name="scorekeeper")
def scorekeeper() -> None:
    """A scorekeeper's book for UNO leagues that can be trusted."""


def main() -> None:
    tune_interpreter()
    scorekeeper()
