"""The peer: PyPI `eventsourcing` on PostgreSQL, with psycopg 3 and its pool, on threads.

It is run in the best mode that was found: aggregates stay in memory, so none is loaded before a
command; each thread has a connection; and a function in the database inserts.
"""

import threading
import time
from typing import Any

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from tests.bench.measuring.children import answer, job_told
from tests.bench.measuring.samples import Sample, sample
from tests.bench.references.peer_jobs import Peer


class Match(Aggregate):
    def __init__(self) -> None:
        self.rounds = 0

    @event("RoundTallied")
    def tally(self, told: dict[str, Any]) -> None:
        self.rounds += 1


class Writers:
    """Threads that tally rounds, each in a match of its own; the first failure is kept."""

    def __init__(self, job: Peer) -> None:
        settings = {
            "PERSISTENCE_MODULE": "eventsourcing.postgres",
            "POSTGRES_DBNAME": job.database,
            "POSTGRES_HOST": job.socket,
            "POSTGRES_USER": "postgres",
            "POSTGRES_PASSWORD": "",
            "POSTGRES_POOL_SIZE": str(job.writers),
            "POSTGRES_ENABLE_DB_FUNCTIONS": "yes" if job.enable_db_functions else "no",
        }
        self._application: Application[Any] = Application(settings)
        self._told = job.told
        self._counted_from = time.perf_counter() + job.warm_up
        self._until = self._counted_from + job.seconds
        self._milliseconds: list[float] = []
        self._failure: Exception | None = None

    def measure(self, job: Peer) -> Sample:
        threads = [threading.Thread(target=self._write) for _ in range(job.writers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self._application.close()
        if self._failure:
            raise self._failure
        return sample(len(self._milliseconds) / job.seconds, self._milliseconds)

    def _write(self) -> None:
        try:
            match = Match()
            self._application.save(match)
            while (begun := time.perf_counter()) < self._until:
                match.tally(self._told)
                self._application.save(match)
                done = time.perf_counter()
                if self._counted_from <= done <= self._until:
                    self._milliseconds.append((done - begun) * 1000)
        except Exception as failure:  # noqa: BLE001 - a thread has nobody to raise it to
            self._failure = failure


if __name__ == "__main__":
    job = job_told(Peer)
    answer(Writers(job).measure(job))
