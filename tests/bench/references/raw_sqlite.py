"""The least time in which SQLite appends durably: a transaction each, on one connection."""

import sqlite3
import time
import uuid
from pathlib import Path

import msgspec

from tests.bench.measuring.children import answer, job_told
from tests.bench.measuring.samples import Sample, sample
from tests.bench.started.postgres import BODY

SCHEMA = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE events (
    position INTEGER PRIMARY KEY, stream TEXT NOT NULL, version INTEGER NOT NULL,
    event_id TEXT NOT NULL, type TEXT NOT NULL, body BLOB NOT NULL, recorded_at TEXT NOT NULL,
    UNIQUE (stream, version));
"""
INSERT = (
    "INSERT INTO events (stream, version, event_id, type, body, recorded_at)"
    " VALUES (?, ?, ?, 'round_tallied', ?, '2026-11-20T19:00:00.000000Z')"
)


class Loop(msgspec.Struct):
    directory: str
    seconds: float


def append_in_turn(loop: Loop) -> Sample:
    path = Path(loop.directory, f"raw-{uuid.uuid4()}.db")
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(SCHEMA)
    milliseconds: list[float] = []
    until = time.perf_counter() + loop.seconds
    body = BODY.encode()
    while (begun := time.perf_counter()) < until:
        nth = len(milliseconds)
        stream = f"match:{nth % 32}"
        connection.execute("BEGIN IMMEDIATE")
        seen = connection.execute(
            "SELECT coalesce(max(version), 0) FROM events WHERE stream = ?", (stream,)
        ).fetchone()[0]
        if seen != nth // 32:
            raise RuntimeError(f"version {nth // 32} expected, {seen} found")
        connection.execute(INSERT, (stream, seen + 1, str(uuid.uuid4()), body))
        connection.execute("COMMIT")
        milliseconds.append((time.perf_counter() - begun) * 1000)
    connection.close()
    path.unlink()
    return sample(len(milliseconds) / loop.seconds, milliseconds)


if __name__ == "__main__":
    answer(append_in_turn(job_told(Loop)))
