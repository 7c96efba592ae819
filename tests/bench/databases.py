"""The databases of a long measurement: fresh ones on SQLite and on PostgreSQL."""

import itertools
import tempfile
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import Literal

from tests.bench.bulk import Bulk, Written
from tests.bench.children import done_apart
from tests.bench.postgres import Postgres, running_postgres

Kind = Literal["sqlite", "postgresql"]
KINDS: tuple[Kind, ...] = ("sqlite", "postgresql")


class Databases:
    """Everything is stopped and removed when `stack` is closed."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._numbers = itertools.count(1)

    @cached_property
    def directory(self) -> Path:
        return Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-")))

    @cached_property
    def _postgres(self) -> Postgres:
        return self._stack.enter_context(running_postgres())

    def fresh(self, kind: Kind) -> str:
        """The address of a new database."""
        name = f"bench_{next(self._numbers)}"
        if kind == "sqlite":
            return f"sqlite+aiosqlite:///{self.directory}/{name}.sqlite3"
        self._postgres.run_sql(f"CREATE DATABASE {name}")
        return self._postgres.address("postgresql+asyncpg", name)

    def peer_settings(self, kind: Kind) -> dict[str, str]:
        """A new database for the peer, in its own words."""
        name = f"peer_{next(self._numbers)}"
        if kind == "sqlite":
            return {
                "PERSISTENCE_MODULE": "eventsourcing.sqlite",
                "SQLITE_DBNAME": str(self.directory / name),
            }
        self._postgres.run_sql(f"CREATE DATABASE {name}")
        return {
            "PERSISTENCE_MODULE": "eventsourcing.postgres",
            "POSTGRES_DBNAME": name,
            "POSTGRES_HOST": str(self._postgres.socket),
            "POSTGRES_USER": "postgres",
            "POSTGRES_PASSWORD": "",
            # It inserts by its function, in one statement. Its other way is a pipeline of many, of
            # which psycopg stops sending once the socket is full, and then waits for an answer.
            "POSTGRES_ENABLE_DB_FUNCTIONS": "yes",
        }

    def settle(self, kind: Kind) -> None:
        """What a server does by itself after much was written, so that nothing is under way."""
        if kind == "postgresql":
            for name in self._postgres.run_sql(
                "SELECT datname FROM pg_database WHERE datname ~ '^(bench|peer)_'"
            ).split():
                self._postgres.run_sql("VACUUM (ANALYZE)", name)


def written(bulk: Bulk) -> Written:
    """Write a league, in a process of its own."""
    return done_apart("bulk", bulk, Written)
