"""`scorekeeper serve` as its own process, for clients that speak HTTP over a socket."""

import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

from tests.api.serving import ADMIN
from tests.forked_programs import start

PROGRAMS = Path(sys.executable).parent
GREETINGS = ("Next, open a league:", "Open it in a browser:")
STARTS_WITHIN = 120
STOPS_WITHIN = 60

_held: list[socket.socket] = []


def free_port() -> int:
    """Return a port that no other test process is given, nor any client.

    It stays bound as long as this process lives. A server with SO_REUSEADDR may listen there all
    the same, and whoever connects before that is refused.
    """
    probe = socket.socket()
    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    probe.bind(("", 0))
    _held.append(probe)
    return probe.getsockname()[1]


class Server:
    """A server that listens.

    Its admin token is the one of `serving`, or one that it makes itself if "" is given. Its
    database is at `url`, or else a SQLite file in the directory.
    """

    def __init__(
        self,
        directory: Path,
        *,
        url: str = "",
        port: int | None = None,
        workers: int = 1,
        trusted_proxies: str = "",
        host: str = "127.0.0.1",
        admin_token: str = ADMIN,
    ) -> None:
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.printed: list[str] = []
        settings = {
            "ADMIN_TOKEN": admin_token,
            "DATABASE_URL": url,
            "DATA_DIR": directory,
            "HOST": host,
            "PORT": self.port,
            "WORKERS": workers,
            "TRUSTED_PROXIES": trusted_proxies,
        }
        kept = {key: text for key, text in os.environ.items() if not key.startswith("SCOREKEEPER_")}
        environment = kept | {f"SCOREKEEPER_{name}": str(value) for name, value in settings.items()}
        reading, writing = os.pipe()
        self._process = start(["serve"], environment, writing)
        os.close(writing)
        self._greeted = Event()
        # The thread is a daemon because a server that never greets may never end its output either.
        self._reader = Thread(target=self._read, args=(reading,), daemon=True)
        self._reader.start()
        assert self._greeted.wait(STARTS_WITHIN), self.printed
        self.check()

    def _read(self, output: int) -> None:
        with open(output, encoding="utf-8") as lines:
            for line in lines:
                self.printed.append(line)
                if line.startswith(GREETINGS):
                    self._greeted.set()
        self._greeted.set()

    def runs(self) -> bool:
        """Whether the process that was started has not ended."""
        return self._process.is_alive()

    def check(self) -> None:
        """Fail unless the server runs."""
        assert self.runs(), self.printed[-20:]

    def memory(self) -> int:
        """Return the private memory of all its processes in bytes (Linux only)."""
        return memory_of(self._pid)

    def workers(self) -> list[int]:
        """Return the ids of the child processes of the one that was started (Linux only)."""
        return _children(self._pid)

    @property
    def _pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def kill(self) -> None:
        """Kill only the process that was started, as the system does when memory runs out."""
        self._process.kill()
        self._process.join()
        self._reader.join()

    def terminate(self, by: signal.Signals = signal.SIGTERM) -> int:
        """Ask the server to end, as a supervisor does, and return its exit status.

        Everything that it printed is in `printed` then. Raises TimeoutError if it had to be killed.
        """
        with suppress(ProcessLookupError):  # a test has killed it already
            os.kill(self._pid, by)
        self._process.join(STOPS_WITHIN)
        status = self._process.exitcode
        if status is None:
            os.killpg(self._pid, signal.SIGKILL)
            self._process.join()
        self._reader.join()
        if status is None:
            raise TimeoutError
        return status


def _children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return [int(child) for child in listed.split()]


def memory_of(pid: int) -> int:
    """Return the private memory of a process and its children in bytes (Linux only)."""
    return sum(_private_bytes(each) for each in (pid, *_children(pid)))


def _private_bytes(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1_024
    raise AssertionError("no process without memory")


@contextmanager
def server_process(directory: Path, *, url: str = "") -> Iterator[str]:
    """Run a server, and yield its address."""
    server = Server(directory, url=url)
    try:
        yield server.url
        server.check()
    finally:
        server.terminate()
