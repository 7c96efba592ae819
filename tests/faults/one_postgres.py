"""A PostgreSQL of one server, which a test may stop, freeze and fill up."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from tests.faults.replicated_postgres import PostgresNode, programs

MOST_CONNECTIONS = 30
_SETTINGS = f"synchronous_standby_names = ''\nmax_connections = {MOST_CONNECTIONS}\n"


class OnePostgres(PostgresNode):
    """A server without a standby, which accepts few connections."""

    def initialise(self) -> None:
        super().initialise()
        with (self.folder / "postgresql.auto.conf").open("a") as settings:
            settings.write(_SETTINGS)

    def stop(self) -> None:
        """Stop the server as an operator does; its clients are disconnected properly."""
        self._run(programs.pg_ctl, "-w", "-m", "fast", "stop")

    def dump(self, file: Path) -> None:
        """Write a backup of the database, as an operator does while the service runs."""
        self._client("pg_dump", "--format=custom", f"--file={file}", "postgres")

    @contextmanager
    def restored(self, file: Path) -> Iterator[str]:
        """Restore a backup into a database beside the other one, and yield its address."""
        self._client("createdb", "restored")
        try:
            self._client("pg_restore", "--exit-on-error", "--dbname=restored", str(file))
            yield self.url().removesuffix("postgres") + "restored"
        finally:
            self._client("dropdb", "restored")

    def _client(self, program: str, *arguments: str) -> None:
        about = ["--host=127.0.0.1", f"--port={self.port}", "--username=postgres"]
        subprocess.run([programs.POSTGRES_BIN_PATH / program, *about, *arguments], check=True)


@contextmanager
def one_postgres() -> Iterator[OnePostgres]:
    """Run a server with the empty database `postgres`."""
    folder = Path(mkdtemp(prefix="scorekeeper-one-"))
    folder.chmod(0o755)
    server = OnePostgres(folder / "data")
    server.initialise()
    server.start()
    try:
        yield server
    finally:
        server.thaw()
        server.kill()
        shutil.rmtree(folder)
