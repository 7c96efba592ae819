"""Options that several commands have. Each can also be set in the environment."""

from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

import click

P = ParamSpec("P")
R = TypeVar("R")


def signing_key_option(command: Callable[P, R]) -> Callable[P, R]:
    """`--signing-key`."""
    return click.option(
        "--signing-key",
        type=click.Path(path_type=Path, dir_okay=False),
        help="The file of the key that signs checkpoints [SCOREKEEPER_SIGNING_KEY].",
    )(command)


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
        help="Where the SQLite file lies [SCOREKEEPER_DATA_DIR].",
    )(command)
    return click.option(
        "--database-url",
        help="sqlite+aiosqlite:///PATH or postgresql+asyncpg://… [SCOREKEEPER_DATABASE_URL].",
    )(command)
