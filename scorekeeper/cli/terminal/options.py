"""Options that several commands have. The help of some names a variable that sets them, too."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final, ParamSpec, TypeVar

import click

P = ParamSpec("P")
R = TypeVar("R")

_VERIFIER_KEY: Final = re.compile(r"[^\s+]+\+[0-9a-f]{8}\+\S+")


def signing_key_option(command: Callable[P, R]) -> Callable[P, R]:
    """`--signing-key`."""
    return click.option(
        "--signing-key",
        type=click.Path(path_type=Path, dir_okay=False),
        help="The file of the key that signs checkpoints [SCOREKEEPER_SIGNING_KEY].",
    )(command)


def key_option(sealed: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """`--key`; `sealed`: what must be sealed with that key, in words."""
    return click.option(
        "--key",
        callback=_first_line,
        help=f"The verifier key that {sealed} must be sealed with.",
    )


def _first_line(context: click.Context, parameter: click.Parameter, text: str | None) -> str | None:
    """Return the key in force, which is the first of the keys that `…/log/key` answers."""
    if text is None:
        return None
    key = next(iter(text.split()), "")
    if not _VERIFIER_KEY.fullmatch(key):
        # If the name of a file were taken for a key, every export would seem to be sealed with
        # another one.
        raise click.BadParameter("A verifier key is NAME+ID+KEY, as …/log/key answers it.")
    return key


def token_option(
    whose: str, *, required: bool = False
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """`--token`; `whose`: whose token it is, in words.

    Everybody on the machine can read the options of a command, but not its environment.
    """
    return click.option(
        "--token",
        envvar="SCOREKEEPER_TOKEN",
        required=required,
        help=f"{whose} [SCOREKEEPER_TOKEN].",
    )


def json_option(command: Callable[P, R]) -> Callable[P, R]:
    """`--json`."""
    return click.option(
        "--json",
        "as_json",
        is_flag=True,
        help="One JSON document on standard output; the exit code is the same.",
    )(command)


def database_options(command: Callable[P, R]) -> Callable[P, R]:
    """`--database-url` and `--data-dir`."""
    command = click.option(
        "--data-dir",
        type=click.Path(path_type=Path, file_okay=False),
        help="The directory of the SQLite file, key and checkpoints [SCOREKEEPER_DATA_DIR].",
    )(command)
    return click.option(
        "--database-url",
        help="sqlite+aiosqlite:///PATH or postgresql+asyncpg://… [SCOREKEEPER_DATABASE_URL].",
    )(command)
