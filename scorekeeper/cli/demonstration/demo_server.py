"""The service of the demonstration: a process of its own that ends with the command."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from types import FrameType
from typing import Final, Never

from scorekeeper.cli.remote import Remote
from scorekeeper.cli.terminal.failures import Failure
from scorekeeper.settings import Settings

LOG: Final = "serve.log"
_STARTS_WITHIN: Final = 60.0
_POLL_SECONDS: Final = 0.1
_ENDING: Final = [signal.SIGINT, signal.SIGTERM]
if sys.platform != "win32":
    _ENDING.append(signal.SIGHUP)
_SERVE: Final = (sys.executable, "-c", "from scorekeeper.cli.main import main; main()", "serve")


class DemoServer:
    """The process that serves, and where."""

    def __init__(self, process: subprocess.Popen[bytes], url: str) -> None:
        self._process = process
        self.url = url

    def wait(self) -> None:
        """Until it ends, which it does not by itself."""
        self._process.wait()

    def ended(self) -> bool:
        """Whether it is gone."""
        return self._process.poll() is not None


@contextmanager
def demo_server(folder: Path, settings: Settings, token: str) -> Generator[DemoServer]:
    """Serves the database of the folder to this machine, with this admin token, until it is left.

    The port is that of the settings, or where somebody has it, another. Raises Failure.
    """
    port = _free_port(settings.port)
    others = {name: value for name, value in os.environ.items() if not _is_ours(name)}
    own = {"DATA_DIR": str(folder), "PORT": str(port), "ADMIN_TOKEN": token}
    environment = others | {f"SCOREKEEPER_{name}": value for name, value in own.items()}
    with (folder / LOG).open("wb") as log:
        # In a session of its own, so that Ctrl-C reaches it once, by this process.
        process = subprocess.Popen(  # noqa: S603 this very program
            _SERVE, env=environment, stdout=log, stderr=log, start_new_session=True
        )
    for number in _ENDING:
        signal.signal(number, _leave)
    try:
        server = DemoServer(process, f"http://127.0.0.1:{port}")
        _await_answer(server, folder / LOG, token)
        yield server
    finally:
        process.terminate()
        process.wait()


def _leave(number: int, frame: FrameType | None) -> Never:
    """To be ended is no failure."""
    sys.exit(0)


def _is_ours(name: str) -> bool:
    return name.startswith("SCOREKEEPER_")


def _free_port(wanted: int) -> int:
    for port in (wanted, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            found: int = probe.getsockname()[1]
            return found
    raise Failure("No port of this machine is free.")


def _await_answer(server: DemoServer, log: Path, token: str) -> None:
    until = monotonic() + _STARTS_WITHIN
    while not server.ended() and monotonic() < until:
        with Remote(server.url, token) as service:
            try:
                service.ask("GET", "/v1/me")
            except Failure:
                sleep(_POLL_SECONDS)
            else:
                return
    raise Failure(f"The service did not start; {log} says why.")
