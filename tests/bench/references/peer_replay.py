"""The peer's reads: every aggregate by `repository.get`, with a fold that only counts.

It holds the same matches, entry by entry and with the same contents, as the league that it is
compared with. It has its default transcoder (JSON), no cache, and no snapshots.
"""

from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

import msgspec
from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event

from scorekeeper.match.events.events import encode
from tests.bench.loads.bulk import Bulk, known_matches, parted, slugs
from tests.bench.loads.known_matches import KnownMatch
from tests.bench.measuring.children import Stopwatch, answer, job_told, settle
from tests.bench.measuring.samples import Work
from tests.bench.references.peer_jobs import PeerReplay


class Match(Aggregate):
    def __init__(self, slug: str, told: dict[str, Any]) -> None:
        self.entries = 1

    @staticmethod
    def create_id(slug: str) -> UUID:
        return uuid5(NAMESPACE_URL, f"/matches/{slug}")

    @event("Recorded")
    def record(self, told: dict[str, Any]) -> None:
        self.entries += 1


def write(application: Application[Any], bulk: Bulk) -> int:
    """Write the league's matches, and return the number of events."""
    written = 0
    for part in parted(bulk, [_told(known) for known in known_matches(bulk)]):
        matches: list[Match] = []
        for slug, (opened, *others) in part:
            match = Match(slug, opened)
            for told in others:
                match.record(told)
            matches.append(match)
            written += match.version
        application.save(*matches)
    return written


def _told(known: KnownMatch) -> list[dict[str, Any]]:
    """The contents of all entries of a match."""
    events = (known.opened, *(entry.event for entry in known.recorded.entries))
    return [msgspec.json.decode(encode(each)) for each in events]


def read(application: Application[Any], bulk: Bulk) -> int:
    """Fold all matches, and return the number of events."""
    get = application.repository.get
    return sum(get(Match.create_id(slug)).entries for slug in slugs(bulk))


def measure(job: PeerReplay) -> Work:
    application: Application[Any] = Application(job.settings)
    settle()
    watch = Stopwatch()
    work = write if job.what == "write" else read
    events = work(application, job.bulk)
    done = watch.work(events)
    application.close()
    return done


if __name__ == "__main__":
    answer(measure(job_told(PeerReplay)))
