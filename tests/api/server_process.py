"""`scorekeeper serve` as its own process, for clients that speak HTTP over a socket."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

from tests.api.serving import ADMIN

PROGRAMS = Path(sys.executable).parent
GREETING = "Next, open a league:"
STARTS_WITHIN = 60


@contextmanager
def server_process(directory: Path, *, url: str | None = None) -> Iterator[str]:
    """The address of a server; its admin token is that of `serving`.

    Its database is at `url`, or a SQLite file in the directory.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = {
        "SCOREKEEPER_ADMIN_TOKEN": ADMIN,
        "SCOREKEEPER_DATA_DIR": str(directory),
        "SCOREKEEPER_PORT": str(port),
    } | ({} if url is None else {"SCOREKEEPER_DATABASE_URL": url})
    kept = {key: text for key, text in os.environ.items() if not key.startswith("SCOREKEEPER_")}
    server = subprocess.Popen(
        [PROGRAMS / "scorekeeper", "serve"],
        env=kept | settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    printed: list[str] = []
    greeted = Event()

    def read() -> None:
        assert server.stdout is not None
        for line in server.stdout:
            printed.append(line)
            if line.startswith(GREETING):
                greeted.set()
        greeted.set()

    reader = Thread(target=read)
    reader.start()
    try:
        assert greeted.wait(STARTS_WITHIN), printed
        assert server.poll() is None, printed
        yield f"http://127.0.0.1:{port}"
        assert server.poll() is None, printed[-20:]
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
        reader.join()
