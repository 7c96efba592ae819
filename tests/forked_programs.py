"""The product in processes of its own, forked from one that has its modules in memory.

Importing the modules takes most of a second of processor time, and a run starts a hundred commands.
tests/docs, tests/cli/test_output.py and `.ci/first_command.py` start commands as people do.
"""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from multiprocessing import get_context, set_start_method
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from multiprocessing.reduction import DupFd
from site import execsitecustomize
from typing import Any

# The module that counts requests is not among them: it reads the environment when it is imported.
# Litestar's plugins are imported by each application where their packages are there, as for tests.
_MODULES = (
    "alembic.command",
    "granian.server",
    "litestar",
    "litestar.plugins.attrs",
    "litestar.plugins.pydantic",
    "scorekeeper.cli.main",
    "scorekeeper.cli.serve",
    "scorekeeper.service.services",
    "scorekeeper.web.application",
)
_context = get_context("forkserver")
_context.set_forkserver_preload(list(_MODULES))


def start(arguments: Sequence[str], environment: Mapping[str, str], output: int) -> BaseProcess:
    """Start `scorekeeper` with the arguments, in a session of its own.

    `output` is the descriptor to which it prints, errors included. It stays open here.
    """
    process = _context.Process(target=_command, args=(arguments, environment, DupFd(output)))
    process.start()
    return process


def fork(work: Callable[..., None], arguments: Sequence[object], output: int) -> BaseProcess:
    """Call a function of a module in another process, which prints as a command does."""
    process = _context.Process(target=_call, args=(work, arguments, DupFd(output)))
    process.start()
    return process


def printed_by(work: Callable[..., None], *arguments: object) -> str:
    """Call a function in another process, and return what it printed.

    Asserts that the process has ended without an error.
    """
    reading, writing = os.pipe()
    process = fork(work, arguments, writing)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as lines:
        printed = lines.read()
    process.join()
    assert process.exitcode == 0, printed
    return printed


def instead_of_new_ones(method: str) -> ForkServerContext:
    """Stand in for `multiprocessing.get_context`, so that processes are forked, not started."""
    assert method == "spawn"
    return _context


def _call(work: Callable[..., None], arguments: Sequence[object], output: Any) -> None:
    _print_to(output)
    work(*arguments)


def _print_to(output: Any) -> None:
    printed = output.detach()
    for standard in (sys.stdout, sys.stderr):
        os.dup2(printed, standard.fileno())
    os.close(printed)


def _command(arguments: Sequence[str], environment: Mapping[str, str], output: Any) -> None:
    os.setsid()  # so that it can be killed with all that it starts
    _print_to(output)
    os.environ.clear()
    os.environ.update(environment)
    # What an interpreter does at its start.
    sys.path[:0] = [each for each in environment.get("PYTHONPATH", "").split(os.pathsep) if each]
    # Debian's Python has one of its own, which the fork server has imported.
    sys.modules.pop("sitecustomize", None)
    execsitecustomize()
    sys.argv = ["scorekeeper", *arguments]
    # The command is to start its own processes as ever. In a fork server it would use that one.
    set_start_method("fork", force=True)
    from scorekeeper.cli.main import main

    main()
