"""`serve` ends with 0 whenever it is told to end, and to whichever processes that is told."""

import asyncio
import os
import signal
import sys
import time
from multiprocessing import set_start_method
from pathlib import Path

import pytest
from granian.constants import Interfaces

import scorekeeper.app
from scorekeeper.cli import serve
from scorekeeper.cli.main import main
from scorekeeper.settings import Settings
from tests.api.server_process import Server, free_port
from tests.forked_programs import fork, printed_by

BOTH = pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
FOR_EVER = 60


def preparing(folder: Path, port: int, number: signal.Signals) -> None:
    async def prepare(_: Settings) -> None:
        os.kill(os.getpid(), number)
        await asyncio.sleep(FOR_EVER)

    serve._prepare = prepare
    serving(folder, port)


def starting(folder: Path, port: int, number: signal.Signals) -> None:
    def import_for_long() -> None:
        os.kill(os.getppid(), number)
        time.sleep(FOR_EVER)

    scorekeeper.app.from_environment = import_for_long
    serving(folder, port)


def serving(folder: Path, port: int) -> None:
    set_start_method("fork", force=True)  # as outside of the fork server that starts this
    sys.argv = ["scorekeeper", "serve", "--data-dir", str(folder), "--port", str(port)]
    main()


@BOTH
def test_while_the_database_is_prepared(tmp_path, number):
    assert "Aborted" not in printed_by(preparing, tmp_path, free_port(), number)


@BOTH
def test_a_worker_that_still_starts_ends_at_once(tmp_path, number):
    """It had the signals' handlers of its parent, which end nothing, and had to be killed."""
    assert "Killing" not in printed_by(starting, tmp_path, free_port(), number)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_what_a_terminal_sends_is_left_to_the_parent_by_the_workers(tmp_path, number):
    """A terminal sends it to all of them, and a worker that had ended first was a failed one."""
    server = Server(tmp_path)
    (worker,) = server.workers()
    assert blocked(worker) & 1 << (number - 1)
    assert server.terminate(number) == 0


@pytest.mark.parametrize(("then", "ends"), [(signal.SIG_IGN, False), (signal.SIG_DFL, True)])
def test_a_service_that_nohup_started_outlives_its_terminal(tmp_path, then, ends):
    before = signal.signal(signal.SIGHUP, then)
    try:
        assert (signal.SIGHUP in serve._ending()) is ends
        server = serve._server(Settings.load(data_dir=tmp_path), "127.0.0.1")
    finally:
        signal.signal(signal.SIGHUP, before)
    server.signal_handler_reload()
    assert (server.interrupt_signal, server.reload_signal) == (ends, False)


def blocked(process: int) -> int:
    """Return the signals that a process blocks, a bit for each (Linux only)."""
    for line in Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("SigBlk:"):
            return int(line.split()[1], 16)
    raise AssertionError(process)


def gone_first(port: int, told: bool) -> None:
    server = serve._Server("", interface=Interfaces.ASGI, port=port)
    server._init_shared_socket()
    server._start_ipc()
    server.interrupt_children.append(0)
    server.interrupt_signal = told
    server.shutdown()


@pytest.mark.parametrize(("told", "status"), [(True, 0), (False, 1)])
def test_a_worker_that_was_gone_first_counts_as_failed_unless_a_signal_had_come(told, status):
    """As when a supervisor has sent its signal to all processes."""
    with Path(os.devnull).open("wb") as nowhere:
        process = fork(gone_first, [free_port(), told], nowhere.fileno())
        process.join()
    assert process.exitcode == status
