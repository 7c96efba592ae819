"""The product as processes of their own, forked from one that has its modules in memory.

Reading the modules takes most of a second of processor time, and a run starts a hundred commands.
tests/docs, tests/cli/test_output.py and `.ci/first_command.py` start them as people do.
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

# Not what counts requests: it looks at the environment once, when it is imported.
_MODULES = (
    "granian.server",
    "litestar",
    "scorekeeper.cli.main",
    "scorekeeper.cli.serve",
    "scorekeeper.service.services",
    "scorekeeper.web.page",
)
_context = get_context("forkserver")
_context.set_forkserver_preload(list(_MODULES))


def start(arguments: Sequence[str], environment: Mapping[str, str], output: int) -> BaseProcess:
    """`scorekeeper` with the arguments, in a session of its own.

    `output` is the descriptor that it prints to, errors included; it stays open here.
    """
    process = _context.Process(target=_command, args=(arguments, environment, DupFd(output)))
    process.start()
    return process


def fork(work: Callable[..., None], arguments: Sequence[object], output: int) -> BaseProcess:
    """A function of a module, called with the arguments; it prints as a command that is started."""
    process = _context.Process(target=_call, args=(work, arguments, DupFd(output)))
    process.start()
    return process


def printed_by(work: Callable[..., None], *arguments: object) -> str:
    """The same, once it has ended well."""
    reading, writing = os.pipe()
    process = fork(work, arguments, writing)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as lines:
        printed = lines.read()
    process.join()
    assert process.exitcode == 0, printed
    return printed


def instead_of_new_ones(method: str) -> ForkServerContext:
    """Like `multiprocessing.get_context`: what would be started anew is forked."""
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
    execsitecustomize()
    sys.argv = ["scorekeeper", *arguments]
    # What it starts itself it starts as ever: a process of a fork server would fork by that one.
    set_start_method("fork", force=True)
    from scorekeeper.cli.main import main

    main()
