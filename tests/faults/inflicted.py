"""Faults that a service meets while clients record and follow, and what those clients saw.

Each fault is inflicted until a client notices it, and then mended. A service that has ended is
started again on its port, as a supervisor would do.
"""

import asyncio
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import NamedTuple

import asyncpg
import httpx

from scorekeeper.store.migrate import upgrade
from tests.api.live_client import PATIENCE, Scorer
from tests.api.server_process import Server
from tests.databases import sqlite_file
from tests.faults.one_postgres import OnePostgres, one_postgres
from tests.faults.recorders import Figures, Recorders

EACH_TIME = 40
"""Entries acknowledged before a fault, and again after it."""
_NOTICED_SECONDS = 1.0
_LOCK = """
import sqlite3, sys
other = sqlite3.connect(sys.argv[1], isolation_level=None)
other.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
sys.stdin.readline()
"""


class Ground:
    """A service and its database. `meanwhile` is called while a fault is in force."""

    def __init__(self, folder: Path, postgres: OnePostgres | None = None) -> None:
        self.kind = "postgresql" if postgres else "sqlite"
        self.folder = folder
        self.postgres = postgres
        self.url = postgres.url() if postgres else sqlite_file(folder / "scorekeeper.sqlite3")
        if postgres:
            asyncio.run(upgrade(self.url))
        self.server = Server(folder, url=self.url)
        self.ended = False
        self.meanwhile: Callable[[Recorders], object] = lambda load: None
        self.mended_at = 0.0
        with Scorer(self.server.url) as scorer:
            scorer.open()

    def start_again(self) -> None:
        self.server = Server(self.folder, url=self.url, port=self.server.port)
        self.ended = False

    def supervise(self) -> None:
        """Wait until the service is ready; restart it if it gave up as its workers kept dying."""
        deadline = time.monotonic() + PATIENCE
        while not self.is_ready():
            assert time.monotonic() < deadline
            if not self.server.runs():
                self.start_again()

    def end(self) -> None:
        """Ask the service to end, and wait for it; later calls do nothing."""
        if not self.ended:
            self.ended = True
            assert self.server.terminate() == 0

    def mended(self) -> None:
        """Note the time from which the service could work again."""
        self.mended_at = time.monotonic()

    def is_ready(self, within: float = PATIENCE) -> bool:
        """Return whether the service says within so many seconds that it is ready."""
        try:
            answer = httpx.get(f"{self.server.url}/health/ready", timeout=within, verify=False)
        except httpx.TransportError:
            return False
        return answer.status_code == 200

    def notice(self) -> None:
        """Wait until the service does not say within a second that it is ready."""
        deadline = time.monotonic() + PATIENCE
        while self.is_ready(within=_NOTICED_SECONDS):
            assert time.monotonic() < deadline


Fault = Callable[[Ground, Recorders], object]


def worker_killed(ground: Ground, load: Recorders) -> None:
    (worker,) = ground.server.workers()
    os.kill(worker, signal.SIGKILL)
    ground.mended()
    ground.meanwhile(load)
    ground.supervise()


def service_killed(ground: Ground, load: Recorders) -> None:
    ground.server.kill()
    ground.meanwhile(load)
    ground.mended()
    ground.start_again()


def service_ended(ground: Ground, load: Recorders) -> None:
    ground.end()
    ground.meanwhile(load)
    ground.mended()
    ground.start_again()


def no_room_on_the_disk(ground: Ground, load: Recorders) -> None:
    """The system refuses every write to a file by the process (EFBIG)."""
    (worker,) = ground.server.workers()
    limits = resource.prlimit(worker, resource.RLIMIT_FSIZE)
    resource.prlimit(worker, resource.RLIMIT_FSIZE, (1, limits[1]))
    load.is_refused(6)  # a failed write must be undone, or it could spoil the next one
    ground.meanwhile(load)
    resource.prlimit(worker, resource.RLIMIT_FSIZE, limits)
    ground.mended()


def file_locked_by_another_program(ground: Ground, load: Recorders) -> None:
    """Another program locks the file for longer than the service waits."""
    with _locked(ground):
        load.is_refused()
        ground.meanwhile(load)
    ground.mended()


def file_locked_for_a_moment(ground: Ground, load: Recorders) -> None:
    with _locked(ground):
        ground.notice()
        ground.meanwhile(load)
    ground.mended()


@contextmanager
def _locked(ground: Ground) -> Iterator[None]:
    file = str(ground.folder / "scorekeeper.sqlite3")
    program = [sys.executable, "-c", _LOCK, file]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdin is not None
        assert other.stdout.readline() == b"held\n"
        yield
        other.stdin.write(b"\n")


def postgres_stopped(ground: Ground, load: Recorders) -> None:
    _postgres(ground).stop()
    load.is_refused()
    ground.notice()
    _postgres(ground).start()
    ground.mended()


def postgres_killed(ground: Ground, load: Recorders) -> None:
    """PostgreSQL is killed; after its restart it recovers, and lets nobody in until then."""
    _postgres(ground).kill()
    load.is_refused()
    _postgres(ground).start()
    ground.mended()


def postgres_frozen_for_a_moment(ground: Ground, load: Recorders) -> None:
    _postgres(ground).freeze()
    ground.notice()
    _postgres(ground).thaw()
    ground.mended()


def postgres_frozen(ground: Ground, load: Recorders) -> None:
    """PostgreSQL is frozen for longer than the service waits."""
    _postgres(ground).freeze()
    load.is_refused()
    _postgres(ground).thaw()
    ground.mended()


def connections_cut(ground: Ground, load: Recorders) -> None:
    asyncio.run(_cut(_postgres(ground)))
    ground.meanwhile(load)
    ground.mended()


async def _cut(postgres: OnePostgres) -> None:
    connection = await _connected(postgres)
    await connection.execute(_CUT_OTHERS, [connection.get_server_pid()])
    await connection.close()


def connections_taken(ground: Ground, load: Recorders) -> None:
    """Others have all connections that the server accepts."""
    asyncio.run(_take_all(ground, load))
    ground.mended()


async def _take_all(ground: Ground, load: Recorders) -> None:
    taken: list[asyncpg.Connection] = []
    before = load.refusals.total()
    deadline = time.monotonic() + PATIENCE
    while load.refusals.total() == before:
        assert time.monotonic() < deadline
        try:
            taken.append(await _connected(_postgres(ground)))
        except asyncpg.TooManyConnectionsError:
            own = [connection.get_server_pid() for connection in taken]
            await taken[0].execute(_CUT_OTHERS, own)
    for connection in taken:
        await connection.close()


_CUT_OTHERS = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE backend_type = 'client backend' AND pid <> ALL ($1::int[])
"""


async def _connected(postgres: OnePostgres) -> asyncpg.Connection:
    return await asyncpg.connect(
        host="127.0.0.1", port=postgres.port, user="postgres", database="postgres"
    )


def _postgres(ground: Ground) -> OnePostgres:
    assert ground.postgres is not None
    return ground.postgres


KILLED: dict[str, Fault] = {
    "the worker killed (kill -9)": worker_killed,
    "the started process killed (kill -9)": service_killed,
}
ON_BOTH: dict[str, Fault] = KILLED | {
    "the service asked to end (SIGTERM)": service_ended,
}
FAULTS: dict[str, dict[str, Fault]] = {
    "sqlite": ON_BOTH
    | {
        "no room on the disk": no_room_on_the_disk,
        "the file locked for a moment": file_locked_for_a_moment,
        "the file locked by another program": file_locked_by_another_program,
    },
    "postgresql": ON_BOTH
    | {
        "PostgreSQL stopped and started": postgres_stopped,
        "PostgreSQL killed, then in recovery": postgres_killed,
        "PostgreSQL frozen for a moment": postgres_frozen_for_a_moment,
        "PostgreSQL frozen": postgres_frozen,
        "all connections cut": connections_cut,
        "all connections taken": connections_taken,
    },
}


class Outcome(NamedTuple):
    """What clients saw of a fault; `again`: seconds from its end to the next acknowledgement."""

    figures: Figures
    again: float


def outcome(fault: Fault, ground: Ground, *, times: int = 1) -> Outcome:
    """Inflict a fault `times` times, while four clients record and one follows."""
    if ground.ended:
        ground.start_again()
    load = Recorders(ground.server.url)
    again = 0.0
    load.acknowledges(EACH_TIME)
    for _ in range(times):
        fault(ground, load)
        load.serves_again(ground.mended_at)
        again = max(again, time.monotonic() - ground.mended_at)
        load.acknowledges(EACH_TIME)
    return Outcome(load.end(), again)


@contextmanager
def ground(kind: str, folder: Path) -> Iterator[Ground]:
    """Run a service on a database of this kind."""
    with one_postgres() if kind == "postgresql" else nullcontext() as postgres:
        made = Ground(folder, postgres)
        try:
            yield made
        finally:
            made.end()
