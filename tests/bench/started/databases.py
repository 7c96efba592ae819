"""The databases of a long measurement: fresh ones on SQLite and on PostgreSQL."""

import itertools
import tempfile
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import Literal

from tests.bench.loads.bulk import Bulk, Written
from tests.bench.measuring.children import done_apart
from tests.bench.started.postgres import Postgres, running_postgres

Kind = Literal["sqlite", "postgresql"]
KINDS: tuple[Kind, ...] = ("sqlite", "postgresql")


class Databases:
    """Makes databases; everything is stopped and removed when `stack` is closed."""

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
        """Return the peer's own settings for a new database."""
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
            # The peer inserts by a function in the database, in one statement. Its other way is a
            # pipeline of many statements, in which psycopg stops sending once the socket is full,
            # and waits for an answer.
            "POSTGRES_ENABLE_DB_FUNCTIONS": "yes",
        }

    def settle(self, kind: Kind) -> None:
        """Run the maintenance that PostgreSQL would start by itself after many writes."""
        if kind == "postgresql":
            for name in self._postgres.run_sql(
                "SELECT datname FROM pg_database WHERE datname ~ '^(bench|peer)_'"
            ).split():
                self._postgres.run_sql("VACUUM (ANALYZE)", name)


def written(bulk: Bulk) -> Written:
    """Write a league, in a process of its own."""
    return done_apart("tests.bench.loads.bulk", bulk, Written)
