"""A PostgreSQL of one server, which a test may stop, freeze and fill up."""

import shutil
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
